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
      expect.stringMatching(
        /^Merge queue: Position 1 of 2\. Its build on `master@\w+` waits for a pipeline\. About \d\d:\d\d UTC\.$/,
      ),
    ])
    await world.report(2, 'running')
    expect(await world.notes(two)).toEqual([
      expect.stringMatching(/^Merge queue: Position 1 of 2\. Testing on `master@\w+` \(\[pipeline\].* UTC\.$/),
    ])
    // Its position has not halved.
    expect(await world.notes(three)).toEqual(['Merge queue: Position 3 of 3. Waiting for: its turn.'])
    await world.say(three, '@bellhop why', world.people.renovate)
    expect((await world.notes(three)).join('\n')).toContain('Position 2 of 2. ')

    await world.report(2, 'success')
    // Of the first one, nobody knew when it would land.
    expect((await etaErrors(world)) - errors).toBe(1)
  })

  test('the note of what leaves by itself says why, and what to do', async () => {
    const queue = await inNewProject({ queue: 'speculate: 1' })
    const { clone, people, project, service } = queue
    const alice = queue.as(people.alice)
    await service.repository.branches.create({ id: project, branch: 'other', ref: 'master' })
    await queue.enter('first')
    const changes: [string, (iid: number, name: string, sha: string) => Promise<unknown>, string][] = [
      [
        'merged',
        (iid, _, sha) => service.mergeRequests.accept({ ...queue.ref(iid), sha }),
        'it was merged without the queue.',
      ],
      [
        'closed',
        (iid) => alice.mergeRequests.update({ ...queue.ref(iid), state_event: 'close' }),
        'somebody closed it. Reopen it to return.',
      ],
      [
        'draft',
        (iid) => alice.mergeRequests.update({ ...queue.ref(iid), title: 'Draft: later' }),
        'it is a draft now. Mark it as ready to return.',
      ],
      [
        'label',
        (iid) => alice.mergeRequests.update({ ...queue.ref(iid), add_labels: 'hold' }),
        'its labels changed: `hold` (add). It returns when a rule requests it.',
      ],
      [
        'target',
        (iid) => alice.mergeRequests.update({ ...queue.ref(iid), target_branch: 'other' }),
        'its target branch is `other` now. Change it back, or let a rule request it there.',
      ],
      [
        'head',
        (_, branch) => clone.push({ as: people.alice, branch, files: { 'more.txt': 'more' }, message: 'More' }),
        'its head changed. It returns when a rule requests the new one, with a green pipeline.',
      ],
    ]
    for (const [name, change, why] of changes) {
      const { iid, sha } = await queue.enter(name)
      await change(iid, name, sha)
      await queue.settle()
      expect((await queue.notes(iid)).at(0)).toBe(`It left the merge queue of \`master\`: ${why}`)
    }
    const { iid } = await queue.enter('conflict', { 'same.txt': 'theirs' })
    await queue.pushToTarget({ 'same.txt': 'ours' })
    await alice.mergeRequests.update({ ...queue.ref(iid), add_labels: 'other' })
    await queue.settle()
    expect((await queue.notes(iid)).join()).toMatch(
      /^It left .*: it conflicts with `master`. Merge the target branch into its source branch, and solve the conflicts./,
    )
  })
})
