// When a request is repeated, how long the client waits, and when it gives up.
import { createServer } from 'node:http'
import nock from 'nock'
import { listening } from '../listening.ts'
import { makeClient, NOW, playService, service, serviceError, TOKEN } from './world.ts'

playService()

const mr = { id: 3, merge_request_iid: 5 }
const merge = '/projects/3/merge_requests/5/merge'

/** A response by status, with headers or a body, or the code of a connection error. */
type Reply = number | string | [status: number, headers: Record<string, string>, body?: nock.Body]

/** The service gives these replies, one to each request. */
function playReplies(method: string, path: string, replies: readonly Reply[]): nock.Scope[] {
  return replies.map((reply) => {
    const request = service().intercept(path, method)
    if (typeof reply === 'string') return request.replyWithError(Object.assign(new Error(reply), { code: reply }))
    const [status, headers = {}, body = {}] = [reply].flat(1) as [number, Record<string, string>?, nock.Body?]
    return request.reply(status, body, headers)
  })
}

/** What became of the call: its status, or what matters of its error; and the waits before each repetition. */
type Expected = number | Record<string, unknown>

async function expectOutcome(call: (world: ReturnType<typeof makeClient>) => Promise<unknown>, expected: Expected) {
  const world = makeClient()
  if (typeof expected === 'number') expect(await call(world)).toMatchObject({ status: expected })
  else expect(await serviceError(call(world))).toMatchObject(expected)
  return world.waits
}

const failing = { kind: 'failing', status: 500, mayHaveBeenApplied: false, retryAfterMs: undefined }
const inAMinute = { 'ratelimit-reset': String(NOW / 1000 + 90) }

it.each<[string, Reply[], Expected, number[]]>([
  ['is repeated after 502 and 503, with growing waits', [502, 503, 200], 200, [125, 250]],
  ['fails with the last response when all attempts fail', [502, 502, 502, 500], failing, [125, 250, 500]],
  ['is repeated after a reset connection', ['ECONNRESET', 200], 200, [125]],
  ['is repeated after 408', [408, 200], 200, [125]],
  ['is not repeated after a refusal', [404], { kind: 'refused', status: 404 }, []],
  ['waits for Retry-After', [[429, { 'retry-after': '2' }], 200], 200, [2_000]],
  ['waits for Retry-After of a 503', [[503, { 'retry-after': '1' }], 200], 200, [1_000]],
  ['backs off after 429 without Retry-After', [429, 429, 200], 200, [125, 250]],
  ['waits until a date', [[429, { 'retry-after': new Date(NOW + 3_000).toUTCString() }], 200], 200, [3_000]],
  [
    'fails at once where the service wants a longer wait than a call may take',
    [[429, { 'retry-after': '60' }, 'Retry later']],
    { kind: 'rate_limited', status: 429, retryAfterMs: 60_000, serviceMessage: 'Retry later' },
    [],
  ],
  ['reads RateLimit-Reset where Retry-After is missing', [[429, inAMinute]], { retryAfterMs: 90_000 }, []],
])('a read %s', async (_, replies, expected, waits) => {
  playReplies('GET', '/user', replies)
  expect(await expectOutcome(({ client }) => client.users.current({}), expected)).toEqual(waits)
})

it('each repetition asks first whether it may be sent', async () => {
  playReplies('GET', '/user', [502, 200])
  let asked = 0
  const beforeRequest = async () => {
    asked += 1
    if (asked > 1) throw new Error('the job is lost')
  }
  await expect(makeClient().client.users.current({}, { beforeRequest })).rejects.toThrow('the job is lost')
})

const perhapsApplied = { mayHaveBeenApplied: true }
it.each<[string, Reply[], Expected, number]>([
  ...[500, 502, 503, 504].map((status): [string, Reply[], Expected, number] => [
    `is not repeated after ${status}, because it may have been applied`,
    [[status, {}, '<html><head><title>Bad gateway</title></head></html>'], 200],
    { kind: 'failing', status, serviceMessage: 'Bad gateway', ...perhapsApplied },
    0,
  ]),
  ['is not repeated after 408', [408, 200], { kind: 'refused', ...perhapsApplied }, 0],
  ['is not repeated after a reset', ['ECONNRESET', 200], { kind: 'unreachable', ...perhapsApplied }, 0],
  [
    'is repeated when the connection was refused, because nothing arrived',
    ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'],
    { kind: 'unreachable', mayHaveBeenApplied: false },
    3,
  ],
  ['is repeated after 429, because it was refused unread', [429, 200], 200, 1],
  ...[400, 403, 404, 405, 409].map((status): [string, Reply[], Expected, number] => [
    `that was refused with ${status} has not been applied`,
    [status],
    { kind: 'refused', status, mayHaveBeenApplied: false },
    0,
  ]),
])('a write %s', async (_, replies, expected, repetitions) => {
  playReplies('PUT', merge, replies)
  const call = ({ client }: ReturnType<typeof makeClient>) => client.mergeRequests.accept({ ...mr, sha: 'a' })
  expect(await expectOutcome(call, expected)).toHaveLength(repetitions)
})

describe('without a whole response', () => {
  it('a call fails with a time-out; a write may have been applied', async () => {
    service().get('/user').times(2).delay(2_000).reply(200, {})
    service().put(merge).delay(2_000).reply(200, {})
    const { client } = makeClient({ timeoutMs: 20, attempts: 2 })
    const error = await serviceError(client.users.current({}))
    expect(error).toMatchObject({ kind: 'timeout', mayHaveBeenApplied: false, status: undefined })
    expect(error.message).toBe('GET /user was given up: no complete response within 20 ms')
    expect(await serviceError(client.mergeRequests.accept(mr))).toMatchObject({ kind: 'timeout', ...perhapsApplied })
  })

  it('that breaks off in the middle, a read is repeated and a write is not', async () => {
    nock.enableNetConnect('127.0.0.1')
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"id": 7', () => response.destroy())
    })
    onTestFinished(async () => {
      server.close()
      nock.disableNetConnect()
    })
    const { client } = makeClient({ baseUrl: await listening(server), attempts: 2 })
    expect(await serviceError(client.users.current({}))).toMatchObject({ kind: 'unreachable', status: 200 })
    expect(requests).toBe(2)
    expect(await serviceError(client.mergeRequests.subscribe(mr))).toMatchObject({
      kind: 'unreachable',
      ...perhapsApplied,
    })
    expect(requests).toBe(3)
  })
})

describe('a rate limit', () => {
  it.each<[string, Parameters<typeof makeClient>[0], Reply[], number]>([
    ['that the response names', {}, [[429, { 'retry-after': '1' }], 200], 1_000],
    ['that is known before', { rateLimitedUntil: () => NOW + 2_000 }, [200], 2_000],
  ])('%s is not waited for by a call that is sent once', async (_, options, replies, retryAfterMs) => {
    const unused = playReplies('PUT', merge, replies).at(-1)
    const { client, waits } = makeClient(options)
    const error = await serviceError(client.mergeRequests.accept({ ...mr, sha: 'a'.repeat(40) }, { noRetry: true }))
    expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs, mayHaveBeenApplied: false })
    expect([waits, unused?.isDone()]).toEqual([[], false])
  })

  it('is reported with every response that names it', async () => {
    playReplies('GET', '/user', [[200, { 'ratelimit-remaining': '0', ...inAMinute }]])
    const { client, limits } = makeClient()
    const answer = await client.users.current({})
    expect(answer.limits).toEqual({ remaining: 0, resetAt: NOW + 90_000 })
    expect(limits).toEqual([answer.limits])
  })

  it('that is used up is waited for before anything is sent, or fails the call unsent', async () => {
    const answered = service().get('/user').reply(200, {})
    const error = await serviceError(makeClient({ rateLimitedUntil: () => NOW + 60_000 }).client.users.current({}))
    expect(error).toMatchObject({ kind: 'rate_limited', status: undefined, retryAfterMs: 60_000 })
    expect(error).toMatchObject({ mayHaveBeenApplied: false })
    expect(error.message).toBe('GET /user was not sent: the rate limit is used up for another 60 s')
    expect(answered.isDone()).toBe(false)
    const { client: limited } = makeClient({ rateLimitedUntil: () => NOW + 60_000 })
    const hidden = await serviceError(limited.projects.get({ id: `app-${TOKEN}` }))
    expect(decodeURIComponent(hidden.path + hidden.message)).not.toContain(TOKEN)
    const { client, waits } = makeClient({ rateLimitedUntil: () => NOW + 2_000 })
    await client.users.current({})
    expect(waits).toEqual([2_000])
  })
})

it.each(['GET', 'PUT'])('a redirect of %s is not followed, and the other host gets nothing', async (method) => {
  const other = nock('https://evil.example').intercept(/.*/, method).reply(200, {})
  const path = '/projects/3/merge_requests/5'
  playReplies(method, path, [[301, { location: 'https://evil.example/steal?x=1' }, 'moved']])
  const { client } = makeClient()
  const call = method === 'GET' ? client.mergeRequests.get(mr) : client.mergeRequests.update({ ...mr, title: 'x' })
  const error = await serviceError(call)
  expect(error).toMatchObject({ kind: 'redirected', status: 301, mayHaveBeenApplied: false })
  expect(error.message).toBe(
    `${method} ${path} answered 301: a redirect to https://evil.example/steal, which is not followed`,
  )
  expect(other.isDone()).toBe(false)
})

describe('every request', () => {
  it('carries the present token, the name of the bot, and what it accepts', async () => {
    const tokens = ['first', 'second']
    service().get('/user').matchHeader('private-token', 'first').matchHeader('user-agent', 'bellhop').reply(502)
    service()
      .get('/user')
      .matchHeader('private-token', 'second')
      .matchHeader('accept', 'application/json')
      .reply(200, {})
    const { client } = makeClient({ token: () => tokens.shift() ?? 'none left' })
    expect((await client.users.current({})).status).toBe(200)
  })

  it('carries a token of OAuth as Bearer, and nothing else', async () => {
    nock('https://code.example/api/v4', { badheaders: ['private-token'] })
      .get('/user')
      .matchHeader('authorization', 'Bearer an-oauth-token')
      .reply(200, {})
    const { client } = makeClient({ token: 'an-oauth-token', tokenKind: 'bearer' })
    expect((await client.users.current({})).status).toBe(200)
  })

  it('is anonymous when the token is empty', async () => {
    nock(`https://code.example/api/v4`, { badheaders: ['private-token', 'authorization'] })
      .get('/projects/3')
      .reply(200, {})
    expect((await makeClient({ token: '' }).client.projects.get({ id: 3 })).status).toBe(200)
  })

  it('is one line of the log, without query and token', async () => {
    service().get('/projects').query(true).reply(502).get('/projects').query(true).reply(200, [])
    const { client, lines } = makeClient()
    await client.projects.list({ search: 'private words' })
    const line = { endpoint: 'projects.list', method: 'GET', path: '/projects', durationMs: 0 }
    expect(lines).toEqual([
      { ...line, attempt: 1, status: 502, kind: 'failing', retryInMs: 125 },
      { ...line, attempt: 2, status: 200 },
    ])
    expect(JSON.stringify(lines)).not.toContain(TOKEN)
  })
})
