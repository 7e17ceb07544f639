// A landing that loses its request or response, or that something stops, lands once or not at all. Run on each queue.
import { pauseQueue } from '../../../src/merge-queue/operate.ts'
import { type Relay, startRelay } from '../relay.ts'
import { type QueueWorld, shareQueueWorld } from './queue-world.ts'

interface Loss {
  /** The request never arrives, or its response. */
  lost: 'request' | 'response'
  /** Somebody pushes to the target meanwhile. */
  moves: boolean
}

/** Calls `queueUrl` when it starts; undefined: the embedded queue. Without `pushes` it lands by accept alone. */
export function landingsSuite(queueUrl: () => string | undefined, { pushes = false } = {}): void {
  let relay: Relay
  /** What happens to the next push to the target. */
  let onPush: ((forward: () => Promise<unknown>) => Promise<void>) | undefined
  const start = shareQueueWorld(
    () => ({
      queueUrl: queueUrl(),
      relay: async (sandbox) => {
        relay = await startRelay(sandbox, async ({ path, body }, forward) => {
          if (!path.endsWith('/git-receive-pack') || !body.subarray(0, 300).includes('refs/heads/master'))
            return forward()
          const happen = onPush
          onPush = undefined
          await happen?.(forward)
          return forward()
        })
        return relay.url
      },
    }),
    () => relay.close(),
  )

  const losePush = (queue: QueueWorld, { lost, moves }: Loss) => {
    onPush = async (forward) => {
      if (lost === 'response') await forward()
      if (moves) await queue.pushToTarget()
      throw new Error('the connection breaks')
    }
  }
  const loseAccept = (queue: QueueWorld, { lost, moves }: Loss) => {
    const endpoint = 'mergeRequests.accept'
    queue.sandbox.faults.api({ endpoint, do: lost === 'request' ? 'drop' : 'lose_response', times: 1 })
    if (!moves) return
    queue.before(endpoint, async () => {
      if (lost === 'request') await queue.pushToTarget()
      else queue.before('mergeRequests.get', queue.pushToTarget, queue.people.bellhop)
    })
  }
  // By the log: git itself repeats a request whose connection broke.
  const landings = async (queue: QueueWorld) => {
    const { path_with_namespace: path } = (await queue.service.projects.get({ id: queue.project })).body
    return queue.log.filter((line) => line.do === 'land' && line.mergeQueue === `${path} into master`).length
  }
  const hows = [
    {
      settings: '',
      how: 'accept call',
      lose: loseAccept,
      sends: async (queue: QueueWorld) => queue.sent('mergeRequests.accept'),
    },
    { settings: 'land: push', how: 'push', lose: losePush, sends: landings },
  ]

  describe.each(pushes ? hows : hows.slice(0, 1))('the $how that lands it', ({ settings, lose, sends }) => {
    test.each<[string, Loss, { before: string; sends: number }]>([
      ['gets no response: it is not sent again', { lost: 'response', moves: false }, { before: 'merged', sends: 1 }],
      [
        'gets no response, and the target moves: it is not sent again',
        { lost: 'response', moves: true },
        { before: 'merged', sends: 1 },
      ],
      ['never arrives: it is sent once more', { lost: 'request', moves: false }, { before: 'merged', sends: 2 }],
      [
        'never arrives, and the target moves: it is tested again first',
        { lost: 'request', moves: true },
        { before: 'opened', sends: 2 },
      ],
    ])('%s', async (_case, loss, { before: expected, sends: most }) => {
      const queue = await start({ queue: settings })
      const one = await queue.enter('one')
      lose(queue, loss)
      await queue.report(1, 'success')
      const before = await queue.stateOf(one.iid)
      // Where the target moved, the service might carry out the request late.
      await queue.after(2)
      await queue.reportAll()
      // Git itself sends a push once more.
      const byGit = settings !== '' && loss.lost === 'request' && !loss.moves ? 1 : 0
      expect({ before, sends: await sends(queue) }).toEqual({ before: expected, sends: most - byGit })
      expect(await queue.stateOf(one.iid)).toBe('merged')
      const record = await queue.record()
      expect([record?.paused, record?.landing, record?.recent.length]).toEqual([undefined, undefined, 1])
    })
  })

  test('an operator who pauses the queue in the last second stops the landing', async () => {
    const queue = await start()
    const one = await queue.enter('one')
    const { journal } = queue.bellhop
    queue.before('repository.pipelines.get', () =>
      journal.mergeQueues.change(queue.queueRef, (record) => record && pauseQueue(record, Date.now())),
    )
    await queue.report(1, 'success')
    expect(await queue.seen(one)).toEqual({ states: ['opened'], entries: [one.iid], pausedBy: 'by_operator' })
    expect(queue.sent('mergeRequests.accept')).toBe(0)
  })
}
