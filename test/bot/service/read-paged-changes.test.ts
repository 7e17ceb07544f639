// Changes in pages: only those of the version that the merge request shows, whatever is pushed between the reads.
import fc from 'fast-check'
import { type AnswersOf, createAnswerCache } from '../../../src/bot/evaluation/answers.ts'
import { decideAgain, decideWithFacts, readAgain, withAnswer } from '../../../src/bot/evaluation/fetch-facts.ts'
import { readPagedChanges } from '../../../src/bot/service/read-paged-changes.ts'
import { decideCalls } from '../../../src/rules/engine/decide.ts'
import { makeClient } from '../../client/world.ts'
import { file, input, rule, rules } from '../../rules/world.ts'

interface Version {
  head: string
  base: string
  start?: string
}

const files = 70
const project = '/api/v4/projects/7'
const ref = { project: 7, iid: 2 }
const sha = (letter: string) => letter.repeat(40)
/** The commits alone decide which files change. */
const filesOf = ({ head, base, start = base }: Version, count = files) =>
  Array.from({ length: count }, (_, n) => ({
    old_path: `${head}${base}${start}/${n}`,
    new_path: `${head}${base}${start}/${n}`,
  }))
const refsOf = ({ head, base, start = base }: Version) => ({
  ...{ head_sha: sha(head), base_sha: sha(base), start_sha: sha(start) },
})

type Reply = [status: number, body: unknown]
interface Service {
  versions: Version[]
  /** Pushed before the request of this number, the first of which reads the merge request. */
  pushes?: Record<number, Version[]>
  /** In place of the answer of the request whose path ends so. */
  instead?: Record<string, (usual: Reply) => Reply>
  count?: number
  changes_count?: unknown
}

/** A service without page headers. `asked`: its requests; `conditional`: some of them; `shown`: versions it showed. */
function serve({ versions, pushes = {}, instead = {}, count = files, changes_count = String(count) }: Service) {
  const asked: string[] = []
  const conditional: string[] = []
  const shown: object[] = []
  const all = [...versions]
  const newest = () => all.at(-1) as Version
  const mergeRequest = () => ({
    ...{ iid: 2, state: 'opened', labels: [], target_branch: 'main', changes_count },
    ...{ sha: sha(newest().head), diff_refs: refsOf(newest()) },
  })
  const usual = (path: string, query: URLSearchParams): Reply => {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))]
    if (path.endsWith('/diffs'))
      return size > 30 ? [500, {}] : [200, filesOf(newest(), count).slice((page - 1) * size, page * size)]
    if (path.endsWith('/changes')) return [200, { ...mergeRequest(), changes: filesOf(newest(), count) }]
    if (!path.endsWith('/versions')) {
      shown.push(refsOf(newest()))
      return [200, mergeRequest()]
    }
    const listed = all.map((each, at) => {
      const { head_sha, base_sha, start_sha } = refsOf(each)
      return { id: at + 1, head_commit_sha: head_sha, base_commit_sha: base_sha, start_commit_sha: start_sha }
    })
    return [200, listed.reverse().slice(0, size)]
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input))
    all.push(...(pushes[asked.length] ?? []))
    const path = pathname.replace(`${project}/merge_requests/2`, '') || '/'
    asked.push(searchParams.has('page') ? `${path} ${searchParams.get('page')}` : path)
    if (new Headers(init?.headers).has('if-none-match')) conditional.push(String(asked.at(-1)))
    const own = Object.entries(instead).find(([name]) => name === asked.at(-1))?.[1]
    const [status, body] = own?.(usual(pathname, searchParams)) ?? usual(pathname, searchParams)
    const headers = { 'content-type': 'application/json', etag: 'W/"1"' }
    return new Response(JSON.stringify(body), { status, headers })
  }
  return { client: makeClient({ fetch }).client, asked, conditional, shown }
}

const empty: AnswersOf = { mergeRequest: ref, answers: {} }
async function read(given: Service) {
  const { client, ...requests } = serve(given)
  const input = await withAnswer(client, empty, 'mergeRequest')
  const answer = await readPagedChanges(client, input, {})
  return { answer, client, input, ...requests }
}
const paths = (answer: unknown) => (answer as { body: { changes: { new_path: string }[] } }).body.changes

const [v1, v2] = [
  { head: 'a', base: 'b' },
  { head: 'd', base: 'b' },
]
const pages = ['/diffs', '/diffs 2', '/diffs 3']

describe('the pages count', () => {
  test.each([
    ['of the only version', [v1]],
    ['of the newest of 99 versions', [...Array.from({ length: 98 }, () => v2), v1]],
  ])('%s, after which the versions are read once', async (_what, versions) => {
    const { answer, asked } = await read({ versions })
    expect(answer).toMatchObject({ ok: true, complete: true, body: { sha: sha('a'), diff_refs: refsOf(v1) } })
    expect(paths(answer)).toEqual(filesOf(v1))
    expect(asked).toEqual(['/', ...pages, '/versions'])
  })
  test.each([0, 1, 29, 30, 60, 1000])('of %i files', async (count) => {
    const { answer } = await read({ versions: [v1], count })
    expect(paths(answer)).toEqual(filesOf(v1, count))
  })
})

describe('one answer that shows its version is read instead', () => {
  const listed = (change: (version: { id: number }) => object) => ({
    '/versions': ([status, body]: Reply): Reply => [
      status,
      (body as { id: number }[]).map((each) => ({ ...each, ...change(each) })),
    ],
  })
  test.each<[string, Service]>([
    ['a head was pushed while the pages were read', { versions: [v1], pushes: { 2: [v2] } }],
    ['a head was pushed before them', { versions: [v1], pushes: { 1: [v2] } }],
    ['the head moved away for all pages, and back', { versions: [v1], pushes: { 1: [v2], 4: [v1] } }],
    ['the head moved away and back between two pages', { versions: [v1], pushes: { 2: [v2, v1] } }],
    ['the target changed and changed back', { versions: [v1], pushes: { 1: [{ head: 'a', base: 'e' }], 4: [v1] } }],
    ['the start changed alone', { versions: [v1], pushes: { 3: [{ ...v1, start: 'e' }] } }],
    ['an older version has the same head', { versions: [v1, v2, v1] }],
    ['there are 100 versions', { versions: [...Array.from({ length: 99 }, () => v2), v1] }],
    [
      'a version says nothing',
      { versions: [v2, v1], instead: { '/versions': ([, all]) => [200, [(all as unknown[])[0], {}]] } },
    ],
    ['the oldest version comes first', { versions: [v2, v1], instead: listed(({ id }) => ({ id: 100 - id })) }],
    ['the only version has no number', { versions: [v1], instead: listed(() => ({ id: null })) }],
    ['the only version has another head', { versions: [v1], instead: listed(() => ({ head_commit_sha: sha('d') })) }],
    ['the only version has no start', { versions: [v1], instead: listed(() => ({ start_commit_sha: null })) }],
    [
      'an older version has no head',
      { versions: [v2, v1], instead: listed(({ id }) => (id === 1 ? { head_commit_sha: null } : {})) },
    ],
    ['the versions are refused', { versions: [v1], instead: { '/versions': () => [403, {}] } }],
    ['there are no pages', { versions: [v1], instead: { '/diffs': () => [404, {}] } }],
    ['a page is empty', { versions: [v1], instead: { '/diffs 2': () => [200, []] } }],
    ['they are fewer than counted', { versions: [v1], changes_count: '71' }],
    ['they are many more than counted', { versions: [v1], changes_count: '1' }],
  ])('where %s', async (_what, given) => {
    const { answer, client } = await read(given)
    expect(answer).toBeUndefined()
    const input = await withAnswer(client, empty, 'mergeRequest')
    const { changes } = (await withAnswer(client, input, 'changes')).answers
    const newest = [...given.versions, ...Object.values(given.pushes ?? {}).flat()].at(-1) as Version
    expect(paths(changes)).toEqual(filesOf(newest))
  })
  test.each<[string, Service]>([
    ['the count is 1000+', { versions: [v1], changes_count: '1000+' }],
    ['more are counted than are listed by default', { versions: [v1], changes_count: '1021' }],
    [
      'a commit of the version is not named',
      {
        versions: [v1],
        instead: {
          '/': ([status, body]) => [
            status,
            { ...(body as object), diff_refs: { head_sha: sha('a'), base_sha: sha('b') } },
          ],
        },
      },
    ],
    [
      'the head is newer than the references',
      { versions: [v1], instead: { '/': ([status, body]) => [status, { ...(body as object), sha: sha('d') }] } },
    ],
    ['the merge request was refused', { versions: [v1], instead: { '/': () => [404, {}] } }],
  ])('at once where %s', async (_what, given) => {
    const { answer, asked } = await read(given)
    expect(answer).toBeUndefined()
    expect(asked).toEqual(['/'])
  })
})

test('whatever is pushed between the reads, only files of the version that was shown count', async () => {
  const version = fc.record({ head: fc.constantFrom('a', 'd'), base: fc.constantFrom('b', 'e') })
  const pushes = fc.dictionary(fc.constantFrom('1', '2', '3', '4'), fc.array(version, { minLength: 1, maxLength: 2 }))
  let counted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(version, { minLength: 1, maxLength: 2 }), pushes, async (versions, pushed) => {
      const { answer } = await read({ versions, pushes: pushed })
      if (answer === undefined) return
      counted += 1
      expect(paths(answer)).toEqual(filesOf(versions.at(-1) as Version))
    }),
    { numRuns: 150 },
  )
  expect(counted).toBeGreaterThan(0)
})

test('versions that are no list are unreadable', async () => {
  await expect(read({ versions: [v1], instead: { '/versions': () => [200, {}] } })).rejects.toMatchObject({
    kind: 'unreadable',
  })
})

test('whatever is pushed, what is decided and checked again is about the version that was shown last', async () => {
  const version = fc.record({ head: fc.constantFrom('a', 'd'), base: fc.constantFrom('b', 'e') })
  const pushes = fc.dictionary(fc.integer({ min: 1, max: 12 }).map(String), fc.array(version, { maxLength: 2 }))
  const text = rules(rule('{ changed_files: { all: "abb/**" } }', '{ label: { add: harmless } }'))
  const initial = input([file(text)], { mergeRequest: ref })
  const called = { decided: 0, again: 0 }
  await fc.assert(
    fc.asyncProperty(version, pushes, async (first, pushed) => {
      const cache = createAnswerCache()
      const { client, shown } = serve({ versions: [first], pushes: pushed })
      const { answers: _none, ...given } = initial
      const decided = await decideWithFacts(client, given, { cache })
      if (decided.decision.calls.length > 0) {
        called.decided += 1
        expect(shown.at(-1)).toEqual(refsOf(v1))
      }
      const again = await decideAgain(client, await readAgain(client, decided.input, cache), decideCalls)
      if (again === undefined || !('calls' in again) || again.calls.length === 0) return
      called.again += 1
      expect(shown.at(-1)).toEqual(refsOf(v1))
    }),
    { numRuns: 150 },
  )
  expect(Math.min(...Object.values(called))).toBeGreaterThan(0)
})

test.each(['/diffs', '/diffs 2', '/versions'])('a failing %s is thrown, and nothing is read instead', async (path) => {
  const { client, asked } = serve({ versions: [v1], instead: { [path]: () => [500, {}] } })
  const input = await withAnswer(client, empty, 'mergeRequest')
  await expect(withAnswer(client, input, 'changes')).rejects.toMatchObject({ kind: 'failing', status: 500 })
  expect(asked).not.toContain('/changes')
})

test('the versions are read unconditionally, though the pages may not be', async () => {
  const { client, input, conditional } = await read({ versions: [v1] })
  expect(await readPagedChanges(client, input, {})).toBeDefined()
  expect(conditional).toEqual(pages)
})

test('what was read in pages is kept for its version, and for no other', async () => {
  const cache = createAnswerCache()
  const { client } = serve({ versions: [v1] })
  const input = await withAnswer(client, empty, 'mergeRequest')
  const { changes } = (await withAnswer(client, input, 'changes', { cache })).answers
  expect(cache.find(input, 'changes')).toBe(changes)
  for (const versions of [[v2], [{ ...v1, start: 'e' }]]) {
    const other = await withAnswer(serve({ versions }).client, empty, 'mergeRequest')
    expect(cache.find(other, 'changes')).toBeUndefined()
  }
})
