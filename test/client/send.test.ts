// When a request is repeated, how long is waited, and when the client gives up.
import { createServer } from 'node:http'
import nock from 'nock'
import { describe, expect, it } from 'vitest'
import { makeClient, NOW, playService, service, serviceError, TOKEN } from './world.ts'

playService()

const mr = { id: 3, merge_request_iid: 5 }

describe('reading', () => {
  it('is repeated after 502 and 503 until it succeeds, with growing waits', async () => {
    service().get('/user').reply(502).get('/user').reply(503).get('/user').reply(200, { id: 7 })
    const { client, waits } = makeClient()
    expect((await client.users.current({})).body.id).toBe(7)
    expect(waits).toEqual([125, 250])
  })

  it('fails with the last answer when all attempts met 5xx', async () => {
    service().get('/user').times(4).reply(500, { message: '500 Internal Server Error' })
    const { client, waits } = makeClient()
    const error = await serviceError(client.users.current({}))
    expect(error).toMatchObject({ kind: 'failing', status: 500, mayHaveBeenApplied: false, retryAfterMs: undefined })
    expect(waits).toHaveLength(3)
  })

  it('is repeated after a connection that was reset', async () => {
    service()
      .get('/user')
      .replyWithError(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
    service().get('/user').reply(200, { id: 7 })
    expect((await makeClient().client.users.current({})).status).toBe(200)
  })

  it('is repeated after 408', async () => {
    service()
      .get('/user')
      .reply(408, { message: { error: 'Request timed out' } })
      .get('/user')
      .reply(200, {})
    expect((await makeClient().client.users.current({})).status).toBe(200)
  })

  it('is not repeated after a plain refusal', async () => {
    service().get('/projects/3').reply(404, { message: '404 Project Not Found' })
    const { client, waits } = makeClient()
    expect(await serviceError(client.projects.get({ id: 3 }))).toMatchObject({ kind: 'refused', status: 404 })
    expect(waits).toEqual([])
  })

  it('fails with a time-out when no answer comes', async () => {
    service().get('/user').times(2).delay(2_000).reply(200, {})
    const { client } = makeClient({ timeoutMs: 20, attempts: 2 })
    const error = await serviceError(client.users.current({}))
    expect(error).toMatchObject({ kind: 'timeout', mayHaveBeenApplied: false, status: undefined })
    expect(error.message).toBe('GET /user was given up: no complete answer within 20 ms')
  })

  it('takes an answer that breaks off in the middle for no answer', async () => {
    nock.enableNetConnect('127.0.0.1')
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"id": 7', () => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    try {
      const { client } = makeClient({ baseUrl: `http://127.0.0.1:${port}`, attempts: 2 })
      expect(await serviceError(client.users.current({}))).toMatchObject({ kind: 'unreachable', status: 200 })
      expect(requests).toBe(2)
      expect(await serviceError(client.mergeRequests.subscribe(mr))).toMatchObject({
        kind: 'unreachable',
        mayHaveBeenApplied: true,
      })
      expect(requests).toBe(3)
    } finally {
      server.close()
      nock.disableNetConnect()
    }
  })
})

describe('a rate limit', () => {
  it('is kept: the time of Retry-After is waited before the repetition', async () => {
    service().get('/user').reply(429, 'Retry later', { 'retry-after': '2' }).get('/user').reply(200, {})
    const { client, waits } = makeClient()
    await client.users.current({})
    expect(waits).toEqual([2_000])
  })

  it('is met with backoff when the service does not say how long', async () => {
    service().get('/user').times(2).reply(429, 'Retry later').get('/user').reply(200, {})
    const { client, waits } = makeClient()
    await client.users.current({})
    expect(waits).toEqual([125, 250])
  })

  it('may be given as an HTTP date', async () => {
    const date = new Date(NOW + 3_000).toUTCString()
    service().get('/user').reply(429, '', { 'retry-after': date }).get('/user').reply(200, {})
    const { client, waits } = makeClient()
    await client.users.current({})
    expect(waits).toEqual([3_000])
  })

  it('ends the call at once when it lasts longer than a call may wait', async () => {
    service().get('/user').reply(429, 'Retry later', { 'retry-after': '60' })
    const { client, waits } = makeClient()
    const error = await serviceError(client.users.current({}))
    expect(error).toMatchObject({
      kind: 'rate-limited',
      status: 429,
      retryAfterMs: 60_000,
      serviceMessage: 'Retry later',
    })
    expect(waits).toEqual([])
  })

  it('is read from RateLimit-Reset where Retry-After is missing', async () => {
    service()
      .get('/user')
      .reply(429, '', { 'ratelimit-reset': String(NOW / 1000 + 90) })
    expect((await serviceError(makeClient().client.users.current({}))).retryAfterMs).toBe(90_000)
  })

  it('lets a write be repeated, since it was turned away unread', async () => {
    service()
      .post('/projects/3/merge_requests/5/approve')
      .reply(429)
      .post('/projects/3/merge_requests/5/approve')
      .reply(201, {})
    expect((await makeClient().client.mergeRequests.approve(mr)).status).toBe(201)
  })

  it('is not waited for by a call that is sent once: what it rests on would be old by then', async () => {
    const merge = '/projects/3/merge_requests/5/merge'
    const again = service().put(merge).reply(429, '', { 'retry-after': '1' }).put(merge).reply(200, {})
    const { client, waits } = makeClient()
    const error = await serviceError(client.mergeRequests.accept({ ...mr, sha: 'a'.repeat(40) }, { once: true }))
    expect(error).toMatchObject({ kind: 'rate-limited', retryAfterMs: 1_000, mayHaveBeenApplied: false })
    expect([waits, again.isDone()]).toEqual([[], false])
  })

  it('that is known to be used up for a moment lets a call that is sent once fail before it is sent', async () => {
    const sent = service().put('/projects/3/merge_requests/5/merge').reply(200, {})
    const { client, waits } = makeClient({ heldUntil: () => NOW + 2_000 })
    const error = await serviceError(client.mergeRequests.accept({ ...mr, sha: 'a'.repeat(40) }, { once: true }))
    expect(error).toMatchObject({ kind: 'rate-limited', retryAfterMs: 2_000, mayHaveBeenApplied: false })
    expect([waits, sent.isDone()]).toEqual([[], false])
  })

  it('is reported with every answer that tells of it', async () => {
    service()
      .get('/user')
      .reply(200, {}, { 'ratelimit-remaining': '0', 'ratelimit-reset': String(NOW / 1000 + 60) })
    const { client, limits } = makeClient()
    const answer = await client.users.current({})
    expect(answer.limits).toEqual({ remaining: 0, resetAt: NOW + 60_000 })
    expect(limits).toEqual([answer.limits])
  })

  it('that is known to be used up is waited for before anything is sent, or ends the call unsent', async () => {
    const answered = service().get('/user').reply(200, {})
    const long = makeClient({ heldUntil: () => NOW + 60_000 })
    const error = await serviceError(long.client.users.current({}))
    expect(error).toMatchObject({
      kind: 'rate-limited',
      status: undefined,
      retryAfterMs: 60_000,
      mayHaveBeenApplied: false,
    })
    expect(error.message).toBe('GET /user was not sent: the rate limit is used up for another 60 s')
    expect(answered.isDone()).toBe(false)
    const short = makeClient({ heldUntil: () => NOW + 2_000 })
    await short.client.users.current({})
    expect(short.waits).toEqual([2_000])
  })

  it('of 503 with Retry-After is kept as well', async () => {
    service().get('/user').reply(503, '', { 'retry-after': '1' }).get('/user').reply(200, {})
    const { client, waits } = makeClient()
    await client.users.current({})
    expect(waits).toEqual([1_000])
  })
})

describe('writing', () => {
  it.each([500, 502, 503, 504])('is not repeated after %i, because it may have been applied', async (status) => {
    service()
      .post('/projects/3/merge_requests/5/time_estimate')
      .reply(status, '<html><head><title>Bad gateway</title></head></html>')
    const { client, waits } = makeClient()
    const error = await serviceError(client.mergeRequests.timeEstimate({ ...mr, duration: '1h' }))
    expect(error).toMatchObject({ kind: 'failing', status, mayHaveBeenApplied: true, serviceMessage: 'Bad gateway' })
    expect(waits).toEqual([])
  })

  it('is not repeated after a reset, because it may have been applied', async () => {
    service()
      .put('/projects/3/merge_requests/5/merge')
      .replyWithError(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
    const { client, waits } = makeClient()
    const error = await serviceError(client.mergeRequests.accept({ ...mr, sha: 'a' }))
    expect(error).toMatchObject({ kind: 'unreachable', mayHaveBeenApplied: true })
    expect(waits).toEqual([])
  })

  it('is not repeated after a time-out, because it may have been applied', async () => {
    service().post('/projects/3/merge_requests/5/approve').delay(2_000).reply(201, {})
    const error = await serviceError(makeClient({ timeoutMs: 20 }).client.mergeRequests.approve(mr))
    expect(error).toMatchObject({ kind: 'timeout', mayHaveBeenApplied: true })
  })

  it('is repeated when the connection was refused, because nothing arrived', async () => {
    service()
      .post('/projects/3/merge_requests/5/approve')
      .times(4)
      .replyWithError(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    const { client, waits } = makeClient()
    const error = await serviceError(client.mergeRequests.approve(mr))
    expect(error).toMatchObject({ kind: 'unreachable', mayHaveBeenApplied: false })
    expect(waits).toHaveLength(3)
  })

  it('that was refused has not been applied', async () => {
    service().put('/projects/3/merge_requests/5/merge').reply(405, { message: '405 Method Not Allowed' })
    expect((await serviceError(makeClient().client.mergeRequests.accept(mr))).mayHaveBeenApplied).toBe(false)
  })
})

describe('a redirect', () => {
  it.each(['GET', 'PUT'])('of %s is not followed, and the other host gets nothing', async (method) => {
    const seen: unknown[] = []
    nock('https://evil.example')
      .intercept(/.*/, method)
      .reply(function reply() {
        seen.push(this.req.headers)
        return [200, {}]
      })
    service()
      .intercept('/projects/3/merge_requests/5', method)
      .reply(301, 'moved', { location: 'https://evil.example/steal?x=1' })
    const { client } = makeClient()
    const call = method === 'GET' ? client.mergeRequests.get(mr) : client.mergeRequests.update({ ...mr, title: 'x' })
    const error = await serviceError(call)
    expect(error).toMatchObject({ kind: 'redirected', status: 301, mayHaveBeenApplied: false })
    expect(error.message).toBe(
      `${method} /projects/3/merge_requests/5 answered 301: a redirect to https://evil.example/steal, which is not followed`,
    )
    expect(seen).toEqual([])
  })
})

describe('every request', () => {
  it('carries the token of the moment, the name of the bot, and what it accepts', async () => {
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

  it('is anonymous when the token is empty', async () => {
    nock(`https://code.example/api/v4`, { badheaders: ['private-token'] })
      .get('/projects/3')
      .reply(200, {})
    expect((await makeClient({ token: '' }).client.projects.get({ id: 3 })).status).toBe(200)
  })

  it('is one line of the log, without query and token', async () => {
    service().get('/projects').query(true).reply(502).get('/projects').query(true).reply(200, [])
    const { client, lines } = makeClient()
    await client.projects.list({ search: 'private words' })
    expect(lines).toEqual([
      {
        endpoint: 'projects.list',
        method: 'GET',
        path: '/projects',
        attempt: 1,
        durationMs: 0,
        status: 502,
        kind: 'failing',
        repeatInMs: 125,
      },
      { endpoint: 'projects.list', method: 'GET', path: '/projects', attempt: 2, durationMs: 0, status: 200 },
    ])
    expect(JSON.stringify(lines)).not.toContain(TOKEN)
  })

  it('ends with the reason of the caller’s signal', async () => {
    service().get('/user').delay(2_000).reply(200, {})
    const controller = new AbortController()
    const call = makeClient().client.users.current({}, { signal: controller.signal })
    const reason = new Error('shutting down')
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  it('is not sent when the signal has fired before', async () => {
    const reason = new Error('shutting down')
    await expect(makeClient().client.users.current({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
