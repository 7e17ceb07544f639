// The note of a merge request about its merge queue: what it says, and when it is written.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type QueueWorld, queueRules, startQueueWorld } from './queue-world.ts'

let world: QueueWorld

beforeAll(async () => {
  world = await startQueueWorld({ rules: queueRules({ queue: 'speculate: 1' }) })
})
afterAll(() => world.end())

const noteWrites = () =>
  world.sandbox.calls().filter(({ endpoint }) => /^mergeRequests\.notes\.(create|update)$/.test(endpoint)).length

test('it says position, build and reason, is edited in place, and neither for each place nor each minute', async () => {
  const opened: number[] = []
  for (const name of ['one', 'two', 'three']) opened.push((await world.enter(name)).iid)
  const [one = 0, two = 0, three = 0] = opened
  const page = `([pipeline](${world.sandbox.url}/hotel/app/-/pipelines?ref=bellhop/queue/main/1))`
  expect(await world.notes(one)).toEqual([
    `Merge queue: Position 1 of 1. Testing on \`master@${(await world.target()).slice(0, 8)}\` ${page}.`,
  ])
  expect(await world.notes(two)).toEqual(['Merge queue: Position 2 of 2. Waiting for: its turn.'])

  const before = noteWrites()
  await world.report(1, 'running')
  await world.bellhop.bot.queues.mergeQueues.add({
    data: { service: world.serviceName, project: world.project, target: 'master' },
  })
  await world.settle()
  expect(noteWrites()).toBe(before)

  await world.report(1, 'success')
  expect(await world.notes(two)).toEqual([
    expect.stringMatching(/^Merge queue: Position 1 of 2\. Testing on `master@\w+` \(\[pipeline\].* min\.$/),
  ])
  // Its position has not halved.
  expect(await world.notes(three)).toEqual(['Merge queue: Position 3 of 3. Waiting for: its turn.'])
  await world.say(three, '@bellhop why', world.people.renovate)
  expect((await world.notes(three)).join('\n')).toContain('Position 2 of 2. ')

  await world.report(2, 'success')
  const metrics = await fetch(`${world.bellhop.url}/metrics`, {
    headers: { authorization: `Bearer ${world.adminToken}` },
  })
  // Of the first one, nobody knew when it would land.
  expect(await metrics.text()).toMatch(/bellhop_merge_queue_eta_error_seconds_count\{.*\} 1\n/)
})
