// The sandbox's faults, and its record of calls, merges and deliveries.
import { type Json, listen, openWorld, type World } from '../sandbox-world.ts'

const label = (world: World, labels: string) => world.call('PUT', '/projects/1/merge_requests/1', { labels })
const labels = async (world: World): Promise<string[]> => (await world.get('/projects/1/merge_requests/1')).labels
const switchable = async () => {
  const world = await openWorld({ recordCalls: true })
  await world.mergeRequest()
  return world
}
const lastCall = (world: World) => world.sandbox.calls().findLast((call) => call.endpoint === 'mergeRequests.update')

test('a call gets the status, headers and body of a fault, as often as set', async () => {
  const world = await switchable()
  world.sandbox.faults.api({
    endpoint: 'mergeRequests.update',
    times: 2,
    do: { status: 429, headers: { 'Retry-After': '7' } },
  })
  const first = await label(world, 'a')
  expect([first.status, first.headers.get('retry-after'), first.body]).toEqual([
    429,
    '7',
    { message: '429 Too Many Requests' },
  ])
  expect(lastCall(world)).toMatchObject({
    status: 429,
    applied: false,
    method: 'PUT',
    caller: 1,
    params: { id: 1, merge_request_iid: 1 },
  })
  expect((await label(world, 'b')).status).toBe(429)
  expect(await labels(world)).toEqual([])
  expect((await label(world, 'c')).status).toBe(200)
  expect(lastCall(world)).toMatchObject({ status: 200, applied: true })
})

test('a call may be answered with an error after it had its effect', async () => {
  const world = await switchable()
  world.sandbox.faults.api({ endpoint: 'mergeRequests.update', do: { status: 502, body: '<html>', handled: true } })
  expect(await label(world, 'a')).toMatchObject({ status: 502, body: '<html>' })
  expect([await labels(world), lastCall(world)]).toMatchObject([['a'], { status: 502, applied: true }])
})

test.each([
  ['drop', []],
  ['lose_response', ['a']],
  ['half_body', ['a']],
] as const)('“%s” breaks the connection, with the labels %j afterwards', async (fault, wanted) => {
  const world = await switchable()
  world.sandbox.faults.api({ endpoint: 'mergeRequests.update', times: 1, do: fault })
  await expect(label(world, 'a')).rejects.toThrow()
  await expect.poll(() => lastCall(world)?.status).toBe('lost')
  expect([await labels(world), lastCall(world)?.applied]).toEqual([wanted, wanted.length > 0])
})

test('`half_body` breaks off within the response, after its status', async () => {
  const world = await switchable()
  world.sandbox.faults.api({ endpoint: 'mergeRequests.get', do: 'half_body' })
  const response = await fetch(`${world.url}/api/v4/projects/1/merge_requests/1`, {
    headers: { 'PRIVATE-TOKEN': 'root-token' },
  })
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
})

test('a stalled call is never handled; a delayed one is handled after the caller has gone', async () => {
  const world = await switchable()
  const giveUp = () =>
    fetch(`${world.url}/api/v4/projects/1/merge_requests/1`, {
      method: 'PUT',
      headers: { 'PRIVATE-TOKEN': 'root-token', 'Content-Type': 'application/json' },
      body: '{"labels":"late"}',
      signal: AbortSignal.timeout(50),
    })
  world.sandbox.faults.api({ endpoint: 'mergeRequests.update', times: 1, do: 'stall' })
  await expect(giveUp()).rejects.toThrow()
  world.sandbox.faults.api({ endpoint: 'mergeRequests.update', times: 1, do: { delayMs: 500 } })
  await expect(giveUp()).rejects.toThrow()
  await expect.poll(() => labels(world)).toEqual(['late'])
  const updates = world.sandbox.calls().filter((call) => call.endpoint === 'mergeRequests.update')
  expect(updates.map(({ applied, status }) => [applied, status])).toEqual([
    [false, 'lost'],
    [true, 'lost'],
  ])
})

test('a fault rewrites the response, as an older service would send it', async () => {
  const world = await switchable()
  const back = world.sandbox.faults.api({
    endpoint: 'mergeRequests.get',
    do: {
      rewrite: (body) => {
        const { head_pipeline, ...older } = body as Record<string, unknown>
        return older
      },
    },
  })
  expect(await world.get('/projects/1/merge_requests/1')).not.toHaveProperty('head_pipeline')
  back()
  expect(await world.get('/projects/1/merge_requests/1')).toHaveProperty('head_pipeline')
})

test('a switch is for one caller, is drawn by chance from the given numbers, and is gone when cleared', async () => {
  const draws = [0.4, 0.6, 0.4, 0.4]
  const world = await openWorld({ random: () => draws.shift() ?? 1 })
  const ada = await world.user('ada')
  world.sandbox.faults.api({ caller: 'ada', chance: 0.5, do: { status: 503 } })
  const ask = async (token?: string) => await world.status('GET', '/user', undefined, token)
  expect([await ask(ada.token), await ask(), await ask(ada.token), await ask(ada.token)]).toEqual([503, 200, 200, 503])
  world.sandbox.faults.clear()
  expect([await ask(ada.token), draws]).toEqual([200, [0.4]])
})

test('an unknown endpoint, and a chance without `random`, are refused', async () => {
  const { sandbox } = await openWorld()
  expect(() => sandbox.faults.api({ endpoint: 'mergeRequest.accept', do: 'drop' })).toThrow(
    'no endpoint mergeRequest.accept',
  )
  expect(() => sandbox.faults.hooks({ chance: 0.1, do: 'drop' })).toThrow('random')
  expect(() => sandbox.calls()).toThrow('recordCalls')
})

test('hooks are dropped, doubled under one id, and held until they are released, the newest first', async () => {
  const world = await switchable()
  const got: { id: unknown; title: string }[] = []
  const url = await listen((headers, payload: Json) => {
    got.push({ id: headers['webhook-id'], title: payload.object_attributes.title })
  })
  await world.post('/projects/1/hooks', { url, push_events: false, merge_requests_events: true })
  const rename = async (title: string) => {
    await world.put('/projects/1/merge_requests/1', { title })
    await world.idle()
  }
  const { faults } = world.sandbox
  faults.hooks({ event: 'merge_request', times: 1, do: 'drop' })
  faults.hooks({ event: 'merge_request', times: 1, do: 'double' })
  faults.hooks({ event: 'note', do: 'drop' })
  faults.hooks({ times: 2, do: 'hold' })
  for (const title of ['dropped', 'doubled', 'held', 'held later', 'passes']) await rename(title)
  faults.releaseHooks()
  await world.idle()
  expect(got.map(({ title }) => title)).toEqual([
    'doubled',
    'doubled',
    'passes',
    expect.stringMatching(/^held/),
    expect.stringMatching(/^held/),
  ])
  expect(got[0]?.id).toBe(got[1]?.id)
  expect(world.sandbox.deliveries().map(({ result }) => result)).toEqual(['dropped', 200, 200, 200, 200, 200])
})

test('a merge is recorded with the head and the pipeline of that moment', async () => {
  const world = await switchable()
  const { sha } = await world.get('/projects/1/merge_requests/1')
  const status = (state: string) => world.post(`/projects/1/statuses/${sha}`, { state, ref: 'feature', name: 'ci' })
  await status('success')
  await world.put('/projects/1/merge_requests/1/merge', { sha })
  await status('failed')
  expect(world.sandbox.merges()).toMatchObject([
    { mergeRequest: { iid: 1, sha, state: 'merged' }, pipeline: { sha, status: 'success' } },
  ])
})
