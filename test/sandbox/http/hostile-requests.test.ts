// Generated requests with garbage to every endpoint: none gets a 5xx.
import { createHash, randomInt } from 'node:crypto'
import fc from 'fast-check'
import { type Endpoint, listEndpoints } from '../../../src/api/endpoint.ts'
import { api } from '../../../src/api/index.ts'
import type { Tier } from '../../../src/sandbox/installation.ts'
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { anyText } from '../../any-text.ts'
import { openWorld, type World } from '../sandbox-world.ts'

/** For each of the two tiers: 5,000 at least. */
const requests = 2500
/** All requests are drawn from it; a failure prints it. */
const seed = Number(process.env.GARBAGE_SEED ?? randomInt(2 ** 30))
const atOnce = 8
/** Endpoints that would remove or move the records under test get unknown ids. */
const final = new Set([
  'projects.delete',
  'groups.delete',
  'groups.update',
  'groups.transferProject',
  'projects.update',
  'projects.archive',
])

/** The id of the thread of note 1. */
const thread = createHash('sha1').update('note 1').digest('hex')

function nested(depth: number): unknown {
  let value: unknown = []
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

const words =
  '..%2f..%2fetc ../.. - --all 1 0 -1 1e9 99999999999999999999 master feature root/app hotel root HEAD @ a..b refs/heads/master true 2026-11-21 3h30m'
const text = fc.oneof(
  anyText({ maxLength: 20 }),
  // Six of them fit into a header four times.
  fc.constantFrom('', ' ', '\u0000', '\u202e', 'x'.repeat(600), ...words.split(' ')),
)
const value = fc.oneof(
  { arbitrary: text, weight: 4 },
  { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 2 },
  { arbitrary: fc.constantFrom<unknown>(1, 2, 0, -1, 10, 40, true, null, 2 ** 53, [], {}, [1], ['a']), weight: 4 },
  { arbitrary: fc.constant('y'.repeat(100_000)), weight: 1 },
  { arbitrary: fc.constant(nested(300)), weight: 1 },
)

interface Request {
  path: string[]
  query: [string, string][]
  body: unknown
  as: 'json' | 'form' | 'multipart' | 'text'
  token: string | null
}

function requestOf(endpoint: Endpoint, tokens: readonly string[]): fc.Arbitrary<Request> {
  const names = (shape: object) => Object.keys(shape)
  const isThread = 'discussion_id' in endpoint.pathParams
  const someId = fc.oneof(
    { arbitrary: fc.constant('1'), weight: 6 },
    { arbitrary: text, weight: 1 },
    { arbitrary: fc.constant(thread), weight: isThread ? 6 : 0 },
  )
  const id = final.has(endpoint.name)
    ? fc.constantFrom('7', '99', '-1', '0', 'x', '..%2f', '\u0000', 'x'.repeat(5000))
    : someId
  const known = Object.fromEntries(names(endpoint.body).map((name) => [name, value]))
  return fc.record<Request>({
    path: fc.tuple(...names(endpoint.pathParams).map(() => id)),
    query: fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...names(endpoint.query), 'x', 'a[b]', 'iids[]', 'sudo', 'sudo[a]'), text),
        text,
      ),
      {
        maxLength: 3,
      },
    ),
    body: fc.oneof(
      { arbitrary: fc.record(known, { requiredKeys: [] }), weight: 5 },
      { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
    ),
    as: fc.oneof(
      { arbitrary: fc.constant('json' as const), weight: 6 },
      fc.constantFrom('form' as const, 'multipart' as const, 'text' as const),
    ),
    token: fc.oneof({ arbitrary: fc.constantFrom(...tokens), weight: 8 }, fc.constantFrom(null, 'nobodys-token')),
  })
}

function bodyOf({ body, as }: Request): { headers: Record<string, string>; body: string | URLSearchParams | FormData } {
  const pairs = Object.entries(typeof body === 'object' && body !== null ? body : { body }).map(
    ([key, each]): [string, string] => [key, typeof each === 'string' ? each : JSON.stringify(each)],
  )
  if (as === 'form') return { headers: {}, body: new URLSearchParams(pairs) }
  if (as === 'text')
    return {
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : `${JSON.stringify(body)}}`,
    }
  if (as === 'json') return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) ?? '' }
  const form = new FormData()
  for (const [key, each] of pairs) {
    if (each.length % 2 === 0) form.append(key, each)
    else form.append(key, new Blob([each]), 'a file')
  }
  return { headers: {}, body: form }
}

async function send(world: World, endpoint: Endpoint, request: Request): Promise<void> {
  const { path, query, token } = request
  let at = 0
  const address = endpoint.path.replace(/:\w+/g, () => encodeURIComponent(Buffer.from(path[at++] ?? '').toString()))
  const given = endpoint.method === 'GET' ? { headers: {} } : bodyOf(request)
  const response = await fetch(`${world.url}/api/v4${address}?${new URLSearchParams(query)}`, {
    method: endpoint.method,
    ...given,
    headers: { ...given.headers, ...(token !== null && { 'PRIVATE-TOKEN': token }) },
  })
  const answer = await response.text()
  expect(response.status, `${endpoint.name} ${address}: ${answer.slice(0, 500)}`).toBeLessThan(500)
  if (response.status >= 400) expect(JSON.parse(answer), `${endpoint.name} ${response.status}`).toBeTypeOf('object')
}

/** A project, a group, a fork and one of each record of theirs, with id 1 where possible. */
async function fullWorld(tier: Tier): Promise<World> {
  const world = await openWorld({ tier })
  const group = await world.group('Hotel')
  await world.mergeRequest({ project: { visibility: 'public' } })
  await world.post('/projects/1/issues', { title: 'an issue' })
  await world.post('/projects/1/milestones', { title: 'one' })
  await world.post('/projects/1/labels', { name: 'label', color: '#428bca' })
  await world.post('/projects/1/wikis', { title: 'home', content: 'text' })
  await world.post('/projects/1/protected_branches', { name: 'm*', push_access_level: 30 })
  const script = { branches: '*', kind: 'merged_results', takes: 1, ends: ['failed', 'success'] } as const
  await world.sandbox.within(async (inside) => scriptPipelines(inside, 1, [script]))
  await world.post('/projects/1/hooks', { url: 'http://127.0.0.1:9/hook' })
  await world.post('/projects/1/merge_requests/1/discussions', { body: 'a thread' })
  await world.post(`/projects/1/merge_requests/1/discussions/${thread}/notes`, { body: 'a reply' })
  await world.post('/projects/1/releases', { tag_name: '1', ref: 'master' })
  await world.post('/projects/1/fork', { namespace: group.id })
  await world.post('/projects/1/statuses/feature', { state: 'running', name: 'ci' })
  return world
}

test.each(['free', 'premium'] as const)(
  'garbage in any part of a request to any endpoint of %s gets no 5xx, and refusals are JSON',
  async (tier) => {
    const world = await fullWorld(tier)
    const developer = await world.member('developer', 30)
    const guest = await world.member('guest', 10)
    // A token that replaced itself could not ask anything more.
    const endpoints = listEndpoints(api).filter(({ name }) => name !== 'users.rotateCurrentToken')
    const each = Math.ceil(requests / endpoints.length / atOnce)
    let sent = 0
    let at = ''
    onTestFailed(() => {
      process.stdout.write(`garbage: failed at ${at}, after ${sent} requests; the same again: GARBAGE_SEED=${seed}\n`)
    })
    for (const [index, endpoint] of endpoints.entries()) {
      at = endpoint.name
      const batch = fc.array(requestOf(endpoint, ['root-token', 'root-token', developer.token, guest.token]), {
        minLength: atOnce,
        maxLength: atOnce,
      })
      await fc.assert(
        fc.asyncProperty(batch, async (list) => {
          await Promise.all(list.map((request) => send(world, endpoint, request)))
          sent += list.length
        }),
        { seed: seed + index, numRuns: each, endOnFailure: true },
      )
    }
    expect(sent).toBeGreaterThanOrEqual(requests)
    expect(await world.status('GET', '/projects/1')).toBe(200)
  },
  600_000,
)
