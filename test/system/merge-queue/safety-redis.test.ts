// What lands through the merge queue was tested, whatever happens; with real git. On Redis only (backend-independent).
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onRedis } from '../../servers/on-redis.ts'
import { shareQueueWorld } from './queue-world.ts'

onRedis((url) => {
  const start = shareQueueWorld(() => ({ queueUrl: url() }))

  describe('the target moves', () => {
    test('before the last look: nothing lands, and the entry is tested again on the new target', async () => {
      const queue = await start()
      const one = await queue.enter('one')
      queue.before('repository.pipelines.get', () => queue.pushToTarget())
      await queue.report(1, 'success')
      expect(await queue.stateOf(one.iid)).toBe('opened')
      const [next = 0] = Object.keys(await queue.builds()).map(Number)
      expect(next).toBeGreaterThan(1)
      await queue.report(next, 'success')
      expect(await queue.stateOf(one.iid)).toBe('merged')
      expect((await queue.record())?.paused).toBeUndefined()
    })

    test('in the moment of the accept call: the queue finds it, and pauses', async () => {
      const queue = await start()
      const one = await queue.enter('one')
      const two = await queue.enter('two')
      queue.before('mergeRequests.accept', () => queue.pushToTarget())
      await queue.report(1, 'success')
      expect(await queue.states(one, two)).toEqual(['merged', 'opened'])
      expect(await queue.pausedBy()).toBe('unverified_landing')
      expect((await queue.notes(one.iid)).join()).toMatch(/^The merge queue landed it, but .* not what was tested/)
    })
  })

  test('the service lands another tree: the queue pauses', async () => {
    const queue = await start()
    const one = await queue.enter('one')
    queue.sandbox.faults.merges({ do: 'wrong_tree' })
    await queue.report(1, 'success')
    expect(await queue.stateOf(one.iid)).toBe('merged')
    expect((await queue.record())?.paused?.reason).toBe('unverified_landing')
  })

  test('the service fails when the note of a removal is written: it is written later', async () => {
    const queue = await start({ queue: 'retries: 0' })
    const one = await queue.enter('one')
    const heal = queue.sandbox.faults.api({ endpoint: 'mergeRequests.notes.update', do: { status: 500 } })
    await queue.report(1, 'failed')
    heal()
    await queue.after(1)
    expect([await queue.entries(), await queue.numbers(), await queue.stateOf(one.iid)]).toEqual([[], [], 'opened'])
    expect((await queue.notes(one.iid)).join()).toMatch(/^The merge queue of `master` removed it: its pipeline/)
  })

  test('another worker goes on, with a folder of its own: it builds on what was built, and lands it', async () => {
    const queue = await start({ queue: 'land: push' })
    const one = await queue.enter('one')
    await rm(join(queue.folder, 'work'), { recursive: true })
    const two = await queue.enter('two')
    expect(await queue.numbers()).toEqual([1, 2])
    await rm(join(queue.folder, 'work'), { recursive: true })
    await queue.reportAll()
    expect([await queue.states(one, two), (await queue.record())?.paused]).toEqual([['merged', 'merged'], undefined])
  })

  test('a freeze that begins in the last second before a landing holds it until the freeze ends', async () => {
    const hour = 3_600_000
    const queue = await start({ queue: 'freeze: [{ if: { clock: { hours: "13:00-14:00", zone: UTC } } }]' })
    // Noon of tomorrow.
    const noon = Math.ceil(Date.now() / (24 * hour)) * 24 * hour + 12 * hour
    await queue.after((noon - Date.now()) / 60_000)
    const one = await queue.enter('one')
    queue.before('repository.pipelines.get', async () => queue.moveClock(90))
    await queue.report(1, 'success')
    expect([await queue.stateOf(one.iid), await queue.entries()]).toEqual(['opened', [one.iid]])
    await queue.after(60)
    expect(await queue.stateOf(one.iid)).toBe('merged')
  })
})
