// A queue's settings change, merge requests leave it or are deleted; real git. On Redis only (backend-independent).
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known } from '../world.ts'
import { type QueueWorld, queueRules, shareQueueWorld } from './queue-world.ts'

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))
  const rebase = { queue: 'test: rebase' }

  /** The pipeline of the head as it is now, and all settles. */
  async function reportOwn(queue: QueueWorld, { iid, branch }: { iid: number; branch: string }) {
    const { sha, state } = await queue.mergeRequest(iid)
    if (state === 'opened') await queue.pipeline(known(sha), branch, 'success')
    await queue.settle()
  }

  /** Two that are behind the target; the first is rebased, and its pipeline runs. */
  async function enterTwo(queue: QueueWorld) {
    const [one, two] = [await queue.open('one'), await queue.open('two')]
    await queue.pushToTarget()
    await reportOwn(queue, one)
    await reportOwn(queue, two)
    return [one, two] as const
  }

  test('from branches to rebases while builds run: its branches go, and both land by rebases', async () => {
    const queue = await start()
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    expect(await queue.numbers()).toEqual([1, 2])
    await queue.pushToTarget({ '.bellhop.yml': queueRules(rebase) })
    await queue.settle()
    await queue.after(1)
    expect(await queue.numbers()).toEqual([])
    for (const each of [one, two, one, two]) await reportOwn(queue, each)
    await queue.after(2)
    for (const each of [one, two]) await reportOwn(queue, each)
    expect([await queue.states(one, two), await queue.pausedBy()]).toEqual([['merged', 'merged'], undefined])
  })

  test('from rebases to branches while one runs: both land by branches, and nobody is rebased any more', async () => {
    const queue = await start(rebase)
    const [one, two] = await enterTwo(queue)
    const before = queue.sent('mergeRequests.rebase')
    await queue.pushToTarget({ '.bellhop.yml': queueRules() })
    await queue.settle()
    await reportOwn(queue, one)
    await queue.after(2)
    await queue.reportAll()
    expect([await queue.states(one, two), queue.sent('mergeRequests.rebase')]).toEqual([['merged', 'merged'], before])
  })

  test('the one whose rebase is tested is deleted: the next one is tested, and lands', async () => {
    const queue = await start(rebase)
    const [one, two] = await enterTwo(queue)
    await queue.service.mergeRequests.delete(queue.ref(one.iid))
    await queue.settle()
    await queue.after(2)
    await reportOwn(queue, two)
    await queue.after(2)
    expect([await queue.stateOf(two.iid), (await queue.bellhop.bot.queues.mergeQueues.counts()).failed]).toEqual([
      'merged',
      0,
    ])
  })

  test('the service does not let the bot delete its branches: the queue pauses, and says what it removed', async () => {
    const queue = await start({ queue: 'retries: 0' })
    const { project, service } = queue
    await service.projects.protectedBranches.create({ id: project, name: 'bellhop/*', push_access_level: 30 })
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    await queue.makeTargetGreen()
    await queue.report(1, 'failed')
    expect([await queue.pausedBy(), await queue.entries()]).toEqual(['branch_refused', [two.iid]])
    expect((await queue.notes(one.iid)).join()).toContain('removed it: its pipeline on top of')
    expect((await queue.bellhop.bot.queues.mergeQueues.counts()).failed).toBe(0)
  })

  test('the service does not rebase one: it leaves after ten minutes, and the next one lands', async () => {
    const queue = await start(rebase)
    const [one, two] = [await queue.open('one'), await queue.open('two')]
    await queue.pushToTarget()
    const heal = queue.sandbox.faults.api({ endpoint: 'mergeRequests.rebase', do: { status: 409 } })
    await queue.pipeline(one.sha, one.branch, 'success')
    const isLate = async () => (await queue.record())?.builds[0]?.attempts[0]?.lateSince !== undefined
    await eventually(async () => expect(await isLate()).toBe(true), 50)
    await queue.after(5)
    await reportOwn(queue, two)
    expect(await queue.entries()).toEqual([one.iid, two.iid])
    queue.before('mergeRequests.notes.update', async () => heal())
    await queue.after(6)
    await reportOwn(queue, two)
    await queue.after(2)
    expect(await queue.states(one, two)).toEqual(['opened', 'merged'])
    expect((await queue.notes(one.iid)).join()).toContain('removed it: the service did not bring its source branch')
  })
})
