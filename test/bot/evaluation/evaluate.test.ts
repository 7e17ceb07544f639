// Evaluate on a real journal: what it remembers between calls, after a lost response, and of pending events.
import { playService, service } from '../../client/world.ts'
import { mergeRequest } from '../../rules/world.ts'
import { serves } from '../service-answers.ts'
import { useStores } from '../stores.ts'
import { type EvaluateWorld, makeEvaluation, mr, reads, readsProject, rule } from './evaluate-world.ts'

playService()
const stores = useStores()

const spent = (seconds: number) => ({ time_stats: { time_estimate: 0, total_time_spent: seconds } })
const makeOne = (text: string, given: Omit<Partial<EvaluateWorld>, 'stores'> = {}) =>
  makeEvaluation(text, { stores, ...given })

test('each call is remembered before the next is sent', async () => {
  const one = await makeOne(rule('{ label: { add: x }, subscribe: true }'))
  const seen: unknown[] = []
  const done = async () => (await one.memory())?.rules['rules/test.yml#a']?.done
  reads()
  service()
    .put(mr)
    .reply(200, async () => {
      seen.push(await done())
      return {}
    })
  service()
    .post(`${mr}/subscribe`)
    .reply(201, async () => {
      seen.push(await done())
      return {}
    })
  reads({ labels: ['x'], subscribed: true })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect([...seen, await done()]).toEqual([[], ['label'], ['label', 'subscribe']])
})

test('an event that comes during an evaluation stays pending for the next one', async () => {
  const one = await makeOne(rule('{ subscribe: true }'))
  await one.addEvent('d1')
  serves(mr, async () => {
    await one.addEvent('d2')
    return mergeRequest({ subscribed: true })
  })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.pending()).toEqual(['d2'])
  reads({ subscribed: true })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.pending()).toEqual([])
})

test('pending events stay while an event rule may need them, and go while only a state is awaited', async () => {
  const one = await makeOne(
    rule('{ accept: { pipeline: none } }') + rule('{ spend: 15m }', 'on: merge_request.update', 'b'),
  )
  await one.addEvent('d1')
  const checking = { merge_status: 'checking' }
  reads({ ...checking, ...spent(0) })
  readsProject()
  service().post(`${mr}/add_spent_time`).reply(502)
  await expect(one.run()).rejects.toMatchObject({ status: 502 })
  reads({ ...checking, ...spent(0) })
  expect(await one.run()).toMatchObject({ outcome: 'later' })
  expect(await one.pending()).toHaveLength(1)
  reads({ ...checking, ...spent(900) })
  expect(await one.run()).toEqual({ outcome: 'later', delayMs: 2_000, reason: expect.any(String) })
  expect(await one.pending()).toEqual([])
})

test('the wait for a status grows, and an event resets it, however old the job is', async () => {
  const one = await makeOne(rule('{ accept: { pipeline: none } }'))
  const addedAt = one.clock.now
  const waits = async (seconds: number) => {
    one.clock.now += seconds * 1_000
    reads({ merge_status: 'checking' })
    readsProject()
    const result = await one.run({ addedAt })
    return result.outcome === 'later' ? result.delayMs / 1_000 : result
  }
  expect([await waits(0), await waits(20), await waits(3_600)]).toEqual([2, 10, 300])
  await one.addEvent('d1')
  expect([await waits(0), await waits(1), await waits(19)]).toEqual([2, 2, 10])
  await one.addEvent('d2')
  expect(await waits(0)).toBe(2)
})

test('the memory of a merged or closed merge request is deleted, unless a reopened one may need a withdrawal', async () => {
  const [merged, closed, holding] = await Promise.all(
    ['', '', ''].map(() => makeOne(rule('{ label: { while: x } }', 'if: { state: opened }'))),
  )
  if (!merged || !closed || !holding) throw new Error('no merge request was made')
  const monthLater = new Date(Date.now() + 31 * 24 * 60 * 60_000)
  await stores.journal.mergeRequests.save(holding.ref, { memory: { rules: {}, pushes: [], of: { label: ['x'] } } })
  for (const [one, state] of [
    [merged, 'merged'],
    [closed, 'closed'],
  ] as const) {
    reads({ state })
    expect(await one.run()).toEqual({ outcome: 'done' })
    await one.journal.prune(monthLater)
    expect(await one.memory()).toBeUndefined()
  }
  reads({ state: 'closed', labels: ['x'] })
  service().put(mr).reply(403, { message: '403 Forbidden' })
  await holding.run()
  await holding.journal.prune(monthLater)
  expect(await holding.memory()).toMatchObject({ of: { label: ['x'] } })
})

test('the patterns of all decisions of an evaluation share one budget', async () => {
  const heavy = rule('{ subscribe: true }', 'if: { description: { matches: "[a-m].{0,350}z[!-/]$" } }', 'heavy')
  const one = await makeEvaluation(`${rule('{ label: { add: x } }')}${heavy}`, { stores })
  reads({ description: 'abcdefghijklm '.repeat(90) })
  service()
    .put(mr)
    .reply(200, mergeRequest({ labels: ['x'] }))
  reads({ description: 'abcdefghijkml '.repeat(90), labels: ['x'] })
  expect(await one.run()).toEqual({ outcome: 'done' })
  // Its project has turns from then on.
  expect(await one.run()).toMatchObject({ outcome: 'later', delayMs: 1000 })
})

test('a project whose patterns exceed their budget waits for its turn from then on, and no other', async () => {
  const heavy = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      rule('{ label: { add: x } }', `if: { description: { matches: "${index}[a-m].{0,350}z$" } }`, `r${index}`),
    ).join('')
  const description = 'abcdefghijklm '.repeat(60)
  const light = await makeOne(heavy(1))
  reads({ description }, 2)
  expect([await light.run(), await light.run()]).toEqual([{ outcome: 'done' }, { outcome: 'done' }])
  const one = await makeOne(heavy(12))
  reads({ description })
  expect(await one.run()).toEqual({ outcome: 'done' })
  expect(await one.run()).toMatchObject({ outcome: 'later', delayMs: 1000 })
})
