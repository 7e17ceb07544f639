// The author changes the target branch while the queue lands; with real git. On Redis only (backend-independent).
import { onRedis } from '../../servers/on-redis.ts'
import { type QueueWorld, shareQueueWorld } from '../merge-queue/queue-world.ts'
import { type Relay, startRelay } from '../relay.ts'

onRedis((url) => {
  let relay: Relay
  let attack: { at: RegExp; act: () => Promise<unknown> } | undefined
  const start = shareQueueWorld(
    () => ({
      queueUrl: url(),
      relay: async (sandbox) => {
        relay = await startRelay(sandbox, async ({ path }, forward) => {
          const now = attack?.at.test(path) === true ? attack : undefined
          if (now !== undefined) attack = undefined
          await now?.act()
          return forward()
        })
        return relay.url
      },
    }),
    () => relay?.close(),
  )
  afterEach(() => {
    attack = undefined
  })
  /** What somebody does just before the bot's next request of this address, after its last read of the pipeline. */
  const beforeNext = (queue: QueueWorld, at: RegExp, act: () => Promise<unknown>) =>
    queue.before('repository.pipelines.get', async () => {
      attack = { at, act }
    })
  const lsRemote = /\.git\/info\/refs$/
  const withProduction = async (queue: QueueWorld) => {
    await queue.service.repository.branches.create({ id: queue.project, branch: 'production', ref: 'master' })
    await queue.settle()
    return queue
  }
  const retarget = (queue: QueueWorld, iid: number) =>
    queue.as(queue.people.alice).mergeRequests.update({ ...queue.ref(iid), target_branch: 'production' })

  test.each<[string, string]>([
    ['accept', ''],
    ['a push', 'land: push'],
  ])('while the queue looks at the target before %s: it lands nowhere, and leaves', async (_how, settings) => {
    const queue = await withProduction(await start({ queue: settings }))
    const one = await queue.enter('one')
    beforeNext(queue, lsRemote, () => retarget(queue, one.iid))
    await queue.report(1, 'success')
    expect([await queue.mergeRequest(one.iid), await queue.has('one.md'), await queue.entries()]).toMatchObject([
      { state: 'opened', target_branch: 'production' },
      false,
      [],
    ])
    expect([await queue.pausedBy(), await queue.numbers(), (await queue.notes(one.iid)).join()]).toEqual([
      undefined,
      [],
      'It left the merge queue of `master`: its target branch is `production` now. Change it back, or let a rule request it there.',
    ])
  })

  test.each<[string, string, boolean]>([
    ['tested on a branch', '', false],
    ['rebased', 'test: rebase', false],
    ['rebased, and the response is lost', 'test: rebase', true],
  ])(
    'in the moment of the accept call: the queue pauses, and says into which branch it was merged %s',
    async (_how, settings, isLost) => {
      const queue = await withProduction(await start({ queue: settings }))
      const one = await queue.openMergeRequest({ branch: 'one' })
      queue.before('mergeRequests.accept', () => retarget(queue, one.iid))
      if (isLost) queue.sandbox.faults.api({ endpoint: 'mergeRequests.accept', do: 'lose_response', times: 1 })
      await queue.pipeline(one.sha, 'one', 'success')
      await queue.settle()
      if (settings === '') await queue.report(1, 'success')
      expect([await queue.mergeRequest(one.iid), await queue.pausedBy()]).toMatchObject([
        { state: 'merged', target_branch: 'production' },
        'unverified_landing',
      ])
      expect((await queue.notes(one.iid)).join()).toMatch(
        /^The merge queue merged it into `production`, but tested it for `master`.* paused until somebody has checked `production`/,
      )
    },
  )

  test('the second member of a batch gets a label in the last second: nothing lands with it, and the first lands alone', async () => {
    const queue = await start({ queue: 'land: push\nbatch: { most: 2, wait: 1h }\nspeculate: 1' })
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    beforeNext(queue, lsRemote, () =>
      queue.as(queue.people.alice).mergeRequests.update({ ...queue.ref(two.iid), add_labels: 'hold' }),
    )
    await queue.report(1, 'success')
    expect([await queue.states(one, two), await queue.has('two.md'), await queue.entries()]).toEqual([
      ['opened', 'opened'],
      false,
      [one.iid],
    ])
    await queue.after(60)
    await queue.reportAll()
    expect([await queue.states(one, two), await queue.has('two.md'), await queue.pausedBy()]).toEqual([
      ['merged', 'opened'],
      false,
      undefined,
    ])
  })
})
