// People push branches named like a merge queue's own; with real git. On Redis only (backend-independent).
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { type QueueWorld, shareQueueWorld } from './queue-world.ts'

/** Somebody makes branches, all at once. */
async function makeBranches({ sandbox, project, target }: QueueWorld, names: string[]): Promise<void> {
  const commit = await target()
  const input = names.map((name) => `create refs/heads/${name} ${commit}\n`).join('')
  await sandbox.within(async ({ git }) => git.text(project, ['update-ref', '--stdin'], { input }))
}

/** One that is green; nothing waits until all settles. */
async function openGreen({ openMergeRequest, pipeline }: QueueWorld): Promise<number> {
  const { iid, sha } = await openMergeRequest({ branch: 'one' })
  await pipeline(sha, 'one', 'success')
  return iid
}

/** What the queue of the project did, in order. */
async function stepsOf({ rawLog, service, project }: QueueWorld): Promise<string[]> {
  const { path_with_namespace: path } = (await service.projects.get({ id: project })).body
  const lines = rawLog.filter((line) => line.includes('"merge_queue_step"') && line.includes(`"${path} into master"`))
  return lines.map((line) => JSON.parse(line).do)
}

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  test('queues that a branch is in the way of pause with its name, and another one lands as if there were none', async () => {
    const names = ['bellhop', 'bellhop/queue', 'bellhop/queue/main', 'bellhop', 'bellhop/queue', 'bellhop/queue/main']
    const stuck = await Promise.all(
      names.map(async (name) => {
        const queue = await start()
        await makeBranches(queue, [name])
        return { queue, name, iid: await openGreen(queue) }
      }),
    )
    const seventh = await start()
    const iid = await openGreen(seventh)
    for (const { queue } of stuck)
      await eventually(async () => expect(await queue.pausedBy()).toBe('branch_in_the_way'), 50)
    await eventually(async () => expect(await seventh.numbers()).toEqual([1]), 50)
    await seventh.report(1, 'success')
    expect([await seventh.stateOf(iid), await seventh.pausedBy()]).toEqual(['merged', undefined])
    for (const { queue, name, iid: waiting } of stuck) {
      expect(await stepsOf(queue)).toEqual(['notify'])
      expect((await queue.notes(waiting)).join()).toMatch(new RegExp(`The queue is paused: .* renamed: \`${name}\`\\.`))
    }

    const [{ queue, iid: first } = { queue: seventh, iid }] = stuck
    await queue.service.repository.branches.delete({ id: queue.project, branch: 'bellhop' })
    await queue.after(5)
    await queue.report(1, 'success')
    expect([await queue.stateOf(first), await queue.pausedBy()]).toEqual(['merged', undefined])
  })

  test('who takes the names after that of a build takes none of the queue, and holds no landing back', async () => {
    const queue = await start()
    const { iid } = await queue.enter('one')
    const seen = Number((await queue.branchOf(1)).split('/').at(-1))
    await makeBranches(
      queue,
      Array.from({ length: 200 }, (_, index) => `bellhop/queue/main/${seen + index + 1}`),
    )
    const before = (await stepsOf(queue)).length
    await queue.pushToTarget()
    await eventually(async () => expect(await queue.numbers()).toContain(2), 50)
    await queue.pipeline((await queue.builds())[2] ?? '', await queue.branchOf(2), 'success')
    await eventually(async () => expect(await queue.stateOf(iid)).toBe('merged'), 50)
    // Two hundred branches are discarded twenty at a time, and a landing goes first.
    expect((await stepsOf(queue)).slice(before).indexOf('land')).toBeLessThan(15)
    await queue.settle()
    const steps = await stepsOf(queue)
    expect([steps.filter((step) => step === 'build').length, await queue.branches()]).toEqual([2, []])
  })
})
