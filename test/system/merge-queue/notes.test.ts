// A merge request's note about its merge queue: its text, and when it is written. On Redis, the quicker backend.
import { onRedis } from '../../servers/on-redis.ts'
import { type QueueWorld, shareQueueWorld } from './queue-world.ts'

/** How many landings had an ETA to compare with. */
async function etaErrors({ bellhop, adminToken }: QueueWorld): Promise<number> {
  const metrics = await fetch(`${bellhop.url}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } })
  return Number(/bellhop_merge_queue_eta_error_seconds_count (\d+)\n/.exec(await metrics.text())?.[1] ?? 0)
}

onRedis((url) => {
  const inNewProject = shareQueueWorld(() => ({ queueUrl: url() }))

  test('it says position, build and time, is edited in place but not for each place, and that time is compared with the landing', async () => {
    const world = await inNewProject({ queue: 'speculate: 1' })
    const errors = await etaErrors(world)
    const opened: number[] = []
    for (const name of ['one', 'two', 'three']) opened.push((await world.enter(name)).iid)
    const [, two = 0, three = 0] = opened
    expect(await world.notes(two)).toEqual(['Merge queue: Position 2 of 2. Waiting for: its turn.'])

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
