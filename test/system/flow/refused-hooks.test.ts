// Hooks answered 503 are made good: when there is capacity again, a sweep finds what the refused deliveries reported.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: label documentation
    if: { title: { matches: "^Document" } }
    then: { label: { add: documentation } }
`
const backlog = 20

let world: TestWorld
beforeAll(async () => {
  // The schedule's own turn never comes here.
  world = await startTestWorld({
    rules,
    settings: { BELLHOP_SWEEP_EVERY: '24h', BELLHOP_MAX_BACKLOG: String(backlog) },
  })
})
afterAll(() => world.end())

const open = (branch: string) => world.openMergeRequest({ branch, title: `Document ${branch}` })

test('hooks that came while the backlog was full are made good by a sweep once it is not', async () => {
  const { capacity, queues } = world.bellhop.bot
  await open('heard')
  await world.settle()

  await queues.deliveries.pause()
  for (let n = 0; n < backlog; n += 1)
    expect(await world.deliver(JSON.stringify({ object_kind: 'moonrise', n }))).toBe(202)
  // A check that began before the last delivery was stored may still be running.
  await expect.poll(() => capacity.measure().then(() => capacity.condition().is)).toBe('full')
  const before = world.sandbox.deliveries().length
  const refused = await open('refused')
  await world.sandbox.idle()
  const answers = world.sandbox.deliveries().slice(before)
  expect(answers.length).toBeGreaterThan(0)
  expect(new Set(answers.map(({ result }) => result))).toEqual(new Set([503]))

  await queues.deliveries.resume()
  await queues.deliveries.settled()
  expect((await world.mergeRequest(refused.iid)).labels).toEqual([])
  await capacity.measure()
  // The sweep is asked for beside the look, which does not wait for it.
  await expect
    .poll(async () => (await world.mergeRequest(refused.iid)).labels, { timeout: 30_000 })
    .toEqual(['documentation'])
  const sweeps = world.log.filter(({ event }) => event === 'sweep').map(({ why }) => why)
  expect(sweeps).toEqual(['start', 'deliveries_refused'])
})
