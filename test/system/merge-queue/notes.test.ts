// A merge request's note about its merge queue: its text, and when it is written. On Redis, the quicker backend.
import { expect, test } from 'vitest'
import { onRedis } from '../../servers/on-redis.ts'
import { type QueueWorld, shareQueueWorld } from './queue-world.ts'

const noteWrites = (world: QueueWorld) =>
  world.sandbox.calls().filter(({ endpoint }) => /^mergeRequests\.notes\.(create|update)$/.test(endpoint)).length

/** How many landings had an ETA to compare with. */
async function etaErrors({ bellhop, adminToken }: QueueWorld): Promise<number> {
  const metrics = await fetch(`${bellhop.url}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } })
  return Number(/bellhop_merge_queue_eta_error_seconds_count (\d+)\n/.exec(await metrics.text())?.[1] ?? 0)
}

onRedis((url) => {
  const inNewProject = shareQueueWorld(() => ({ queueUrl: url() }))

  test('it says position, build and reason, is edited in place, and neither for each place nor each minute', async () => {
    const world = await inNewProject({ queue: 'speculate: 1' })
    const errors = await etaErrors(world)
    const opened: number[] = []
    for (const name of ['one', 'two', 'three']) opened.push((await world.enter(name)).iid)
    const [one = 0, two = 0, three = 0] = opened
    const { path } = (await world.service.projects.get({ id: world.project })).body
    const page = `([pipeline](${world.sandbox.url}/hotel/${path}/-/pipelines?ref=${await world.branchOf(1)}))`
    expect(await world.notes(one)).toEqual([
      `Merge queue: Position 1 of 1. Testing on \`master@${(await world.target()).slice(0, 8)}\` ${page}.`,
    ])
    expect(await world.notes(two)).toEqual(['Merge queue: Position 2 of 2. Waiting for: its turn.'])

    const before = noteWrites(world)
    await world.report(1, 'running')
    await world.bellhop.bot.queues.mergeQueues.add({
      data: { project: world.project, target: 'master' },
    })
    await world.settle()
    expect(noteWrites(world)).toBe(before)

    await world.report(1, 'success')
    expect(await world.notes(two)).toEqual([
      expect.stringMatching(/^Merge queue: Position 1 of 2\. Testing on `master@\w+` \(\[pipeline\].* min\.$/),
    ])
    // Its position has not halved.
    expect(await world.notes(three)).toEqual(['Merge queue: Position 3 of 3. Waiting for: its turn.'])
    await world.say(three, '@bellhop why', world.people.renovate)
    expect((await world.notes(three)).join('\n')).toContain('Position 2 of 2. ')

    await world.report(2, 'success')
    // Of the first one, nobody knew when it would land.
    expect((await etaErrors(world)) - errors).toBe(1)
  })
})
