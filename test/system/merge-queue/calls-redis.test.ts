// A merge queue's calls: none at rest, no more with 500 entries. On Redis only (backend-independent).
import { setTimeout as sleep } from 'node:timers/promises'
import { onRedis } from '../../servers/on-redis.ts'
import { type QueueWorld, shareQueueWorld } from './queue-world.ts'

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  const callsOf = ({ sandbox, project, people }: QueueWorld) =>
    sandbox.calls().filter(({ caller, params }) => params.id === project && caller === people.bellhop.id).length

  test('while nothing changes, it makes no call and plans nothing: with a build that runs, frozen, and empty', async () => {
    const queue = await start({ queue: 'speculate: 1\nfreeze: [{ if: { labels: { any: [later] } } }]' })
    const runs = async () => {
      const before = [callsOf(queue), queue.log.length]
      await sleep(2_000)
      return [callsOf(queue), queue.log.length].map((each, index) => each - (before[index] ?? 0))
    }
    const [one, two] = [await queue.enter('one'), await queue.enter('two')]
    await queue.report(1, 'running')
    expect(await runs()).toEqual([0, 0])
    await queue.update(one.iid, { add_labels: 'later' })
    await queue.update(two.iid, { add_labels: 'later' })
    await queue.report(Math.max(...(await queue.numbers())), 'success')
    expect([...(await queue.states(one, two)), ...(await runs())]).toEqual(['opened', 'opened', 0, 0])
    await queue.update(one.iid, { remove_labels: 'later' })
    await queue.update(two.iid, { remove_labels: 'later' })
    await queue.reportAll()
    expect([...(await queue.states(one, two)), ...(await runs())]).toEqual(['merged', 'merged', 0, 0])
  })

  test('with 500 entries, a landing makes as many calls as with two', async () => {
    const costs: number[] = []
    for (const others of [0, 498]) {
      const queue = await start({ queue: 'speculate: 1' })
      const [one, two] = [await queue.enter('one'), await queue.enter('two')]
      for (let iid = 1_000; iid < 1_000 + others; iid += 1)
        await queue.bellhop.journal.mergeQueues.saveEntry(
          { project: queue.project, iid },
          {
            ...{ iid, head: 'f'.repeat(40), queue: 'main', target: 'master' },
            ...{ since: Date.now(), priority: 0, frozen: false },
          },
        )
      const before = callsOf(queue)
      await queue.report(1, 'success')
      expect([await queue.states(one, two), await queue.numbers()]).toEqual([['merged', 'opened'], [2]])
      expect((await queue.entries()).length).toBe(1 + others)
      costs.push(callsOf(queue) - before)
    }
    expect(costs[1]).toBe(costs[0])
  })
})
