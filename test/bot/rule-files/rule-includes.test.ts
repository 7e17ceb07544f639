// Included rule files, and what an author of rules may try with them.
import { playService, service } from '../../client/world.ts'
import { serves } from '../service-answers.ts'
import { headWith, makeRuleFiles as make } from './rule-files-world.ts'

playService()

const [shared, pinned] = ['b', 'c'].map((each) => each.repeat(40)) as [string, string]
const rules = (name: string, more = '') =>
  `${more}version: 1\nrules:\n  - name: ${name}\n    if: { draft: false }\n    then: { subscribe: true }\n`
const including = (include: string) => rules('own', `include: ${include}\n`)

const makeRuleFiles = (includeFrom = ['hotel/rules']) =>
  make({ operatorFiles: [], policy: { entries: [{ includeFrom }], defaults: { mode: 'act', newRuleLimit: 0 } } })

const encoded = (text: string) => ({ blob_id: `${text.length}`, content: Buffer.from(text).toString('base64') })

/** The service answers one read of the project's own file. */
function own(text = including('{ project: hotel/rules, file: merge.yml }')): void {
  const head = headWith(text)
  serves('/projects/7', { id: 7, default_branch: 'main', path_with_namespace: 'hotel/app' })
  serves('/projects/7/repository/branches/main', { commit: { id: head } })
  service().get('/projects/7/repository/files/.bellhop.yml').query({ ref: head }).reply(200, encoded(text))
}
const sharedProject = (path = 'hotel/rules') =>
  serves('/projects/hotel%2Frules', { id: 8, default_branch: 'trunk', path_with_namespace: path })
const sharedHead = (commit = shared) => serves('/projects/8/repository/branches/trunk', { commit: { id: commit } })
function sharedFile(text: string | number, commit = shared): void {
  const file = service().get('/projects/8/repository/files/merge.yml').query({ ref: commit })
  if (typeof text === 'number') file.times(4).reply(text, { message: 'secret of the service' })
  else file.reply(200, encoded(text))
}
/** One read of the included file at the head of its branch. */
function sharedIs(text: string | number, commit = shared): void {
  sharedProject()
  sharedHead(commit)
  sharedFile(text, commit)
}

async function read(inForce: ReturnType<ReturnType<typeof make>['refresh']>) {
  const { files, problems } = await inForce
  const brief = files.map(({ path, rules: file, broken, trust }) => [
    path,
    file.rules.map(({ name }) => name).join(),
    broken,
    trust,
  ])
  return { files: brief, problems }
}
const ownFile = ['.bellhop.yml', 'own', false, 'repository']
const name = 'hotel/rules:merge.yml'
const nothing = [name, '', true, 'repository']

describe('an included file', () => {
  test('is in force after the file that includes it; without its record the rules are read again', async () => {
    const files = makeRuleFiles()
    const expected = { files: [ownFile, [name, 'shared', false, 'repository']], problems: [] }
    for (const attempt of ['refresh', 'inForce'] as const) {
      own()
      sharedIs(rules('shared'))
      expect(await read(files[attempt](7))).toEqual(expected)
      files.records.delete(`7 ${name}`)
    }
  })

  test('is in force no later than the version that includes it, also after a crash while they are stored', async () => {
    const files = makeRuleFiles()
    own()
    sharedIs(rules('shared'))
    await files.refresh(7)
    const store = files.records.set
    files.records.set = (key, record) => {
      files.records.set = () => {
        throw new Error('a crash')
      }
      return store.call(files.records, key, record)
    }
    own(including('{ project: hotel/rules, file: merge.yml }').replace('own', 'changed'))
    sharedIs(rules('changed'), pinned)
    await expect(files.refresh(7)).rejects.toThrow('a crash')
    expect((await read(files.inForce(7))).files[0]).toEqual(ownFile)
  })

  test('is read at the pinned commit, or at the commit of the pinned tag', async () => {
    // A tag may move.
    service({ 'cache-control': 'no-cache' })
      .get('/projects/8/repository/tags/v1')
      .reply(200, { name: 'v1', commit: { id: pinned } })
    for (const ref of [pinned, 'v1']) {
      own(including(`{ project: hotel/rules, file: merge.yml, ref: ${ref} }`))
      sharedProject()
      sharedFile(rules('then'), pinned)
      const { files } = await read(makeRuleFiles().refresh(7))
      expect(files[1]).toEqual([`${name}@${ref}`, 'then', false, 'repository'])
    }
  })

  test('is read again only at another commit, and then gives the rules another version', async () => {
    const files = makeRuleFiles()
    own()
    sharedIs(rules('one'))
    const { version } = await files.refresh(7)
    own()
    sharedProject()
    sharedHead()
    expect((await files.refresh(7)).version).toBe(version)
    expect((await files.inForce(7)).files).toHaveLength(2)
    own()
    sharedIs(rules('two'), pinned)
    expect((await files.refresh(7)).version).not.toBe(version)
  })

  test('is protected in its own project while it is included and is a rule file', async () => {
    const files = makeRuleFiles()
    const protects = async () => {
      serves('/projects/8', { id: 8, default_branch: null, path_with_namespace: 'hotel/rules' })
      return (await files.refresh(8)).policy.protects
    }
    own()
    sharedIs('not: rules')
    await files.refresh(7)
    expect(await protects()).toBeUndefined()
    own()
    sharedIs(rules('shared'), pinned)
    await files.refresh(7)
    expect(await protects()).toEqual(['merge.yml'])
    own(rules('own'))
    await files.refresh(7)
    expect(await protects()).toBeUndefined()
  })
})

describe('an attacker who writes rules', () => {
  test('includes nothing from a project that the operator does not list: it is not even read', async () => {
    own()
    const project = sharedProject()
    expect(await read(makeRuleFiles(['other/*']).refresh(7))).toEqual({
      files: [ownFile, nothing],
      problems: [`${name}: the operator does not list hotel/rules among the projects that may be included from`],
    })
    expect(project.isDone()).toBe(false)
  })

  test('includes nothing from a project that took over the path of a listed one', async () => {
    own()
    sharedProject('evil/rules')
    const { files, problems } = await read(makeRuleFiles().refresh(7))
    expect(files[1]).toEqual(nothing)
    expect(problems).toEqual([`${name}: the project is not there under this path`])
  })

  test('learns no text, key or error message of a file that is no rule file', async () => {
    const secret = 'password: hunter2\nrules:\n  - { name: a, if: { s3cret: 1 }, then: { use: hunter2 } }\n'
    for (const text of [secret, 403]) {
      own()
      sharedIs(text)
      const { problems } = await read(makeRuleFiles().refresh(7))
      expect(problems.length).toBeGreaterThan(0)
      for (const problem of problems)
        expect(problem).toMatch(
          /^hotel\/rules:merge\.yml(:\d+:\d+)?: (a problem that bellhop check tells|Bellhop may not read it)$/,
        )
    }
  })

  test('cannot pin a branch, which would move', async () => {
    own(including('{ project: hotel/rules, file: merge.yml, ref: trunk }'))
    sharedProject()
    service().get('/projects/8/repository/tags/trunk').reply(404)
    const { problems } = await read(makeRuleFiles().refresh(7))
    expect(problems).toEqual([`${name}@trunk: there is no such commit or tag`])
  })

  test('cannot include more than one level deep', async () => {
    own()
    sharedIs(rules('shared', 'include: { project: hotel/rules, file: more.yml }\n'))
    expect((await read(makeRuleFiles().refresh(7))).files[1]).toEqual(nothing)
  })
})

describe('an included file that was in force', () => {
  async function inForceOnce() {
    const files = makeRuleFiles()
    own()
    sharedIs(rules('good'))
    await files.refresh(7)
    own()
    return files
  }

  test.each<[string, () => unknown, string]>([
    ['is broken', () => sharedIs('rules: 7', pinned), ':1:8: a problem that bellhop check tells'],
    [
      'is gone',
      () => {
        sharedProject()
        sharedHead(pinned)
        service().get('/projects/8/repository/files/merge.yml').query(true).reply(404)
      },
      ': the file is not there',
    ],
    [
      'is in a project that Bellhop may not see',
      () => service().get('/projects/hotel%2Frules').reply(404),
      ': Bellhop may not read it',
    ],
    [
      'is in a project that was renamed',
      () => service().get('/projects/hotel%2Frules').reply(301, 'moved', { location: '/api/v4/projects/8' }),
      ': the project is not there under this path',
    ],
  ])('and now %s stays in force as broken', async (_what, answer, problem) => {
    const files = await inForceOnce()
    answer()
    expect(await read(files.refresh(7))).toEqual({
      files: [ownFile, [name, 'good', true, 'repository']],
      problems: [`${name}${problem}`],
    })
  })

  test('and cannot be read for a moment is an error, never "no rules"', async () => {
    const files = await inForceOnce()
    sharedIs(500, pinned)
    await expect(files.refresh(7)).rejects.toMatchObject({ status: 500 })
    expect((await read(files.inForce(7))).files[1]).toEqual([name, 'good', false, 'repository'])
  })

  test('and is no longer included is not in force', async () => {
    const files = await inForceOnce()
    sharedProject()
    sharedHead()
    await files.refresh(7)
    own(rules('own'))
    expect((await read(files.refresh(7))).files).toEqual([ownFile])
  })

  test('is out of force when the operator no longer lists its project', async () => {
    const { records } = await inForceOnce()
    const strict = makeRuleFiles([])
    for (const [key, record] of records) strict.records.set(key, record)
    expect((await read(strict.refresh(7))).files[1]).toEqual(nothing)
  })
})
