// What lands through the merge queue was tested, whatever happens; with real git. On Redis only (backend-independent).
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onRedis } from '../../servers/on-redis.ts'
import { known } from '../world.ts'
import { shareQueueWorld } from './queue-world.ts'

const omit = <R extends object>(record: R, name: keyof R): R =>
  Object.fromEntries(Object.entries(record).filter(([each]) => each !== name)) as R

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

    /** Somebody pushes in the moment of the accept call: !1 is merged on top of that. */
    async function pushedBelow() {
      const queue = await start({ queue: 'retries: 0' })
      const [one, two] = [await queue.enter('one'), await queue.enter('two')]
      const pushed: string[] = []
      queue.before('mergeRequests.accept', async () => void pushed.push(await queue.pushToTarget()))
      await queue.report(1, 'success')
      const noted = async (iid: number) => (await queue.notes(iid)).join()
      expect(await queue.seen(one, two)).toEqual({ states: ['merged', 'opened'], entries: [two.iid] })
      expect(await noted(one.iid)).toBe(
        `The merge queue landed it, but somebody pushed \`${pushed[0]}\` to \`master\` just before. The queue tests the result before it goes on.`,
      )
      const [build = 0] = await queue.numbers()
      return { queue, one, two, build, pushed: known(pushed[0]), noted }
    }

    test('in the moment of the accept call: the queue tests the result, and goes on where that is green', async () => {
      const { queue, one, two, build, pushed, noted } = await pushedBelow()
      await queue.report(build, 'success')
      expect(await noted(one.iid)).toBe(
        `The merge queue landed it. Somebody pushed \`${pushed}\` to \`master\` just before, so the queue tested the result, which is green.`,
      )
      await queue.reportAll()
      expect(await queue.seen(one, two)).toEqual({ states: ['merged', 'merged'], entries: [] })
    })

    test('in the moment of the accept call: the queue pauses where the result is red, and names both commits', async () => {
      const { queue, one, two, build, pushed, noted } = await pushedBelow()
      const landed = await queue.target()
      await queue.report(build, 'failed')
      expect(await queue.seen(one, two)).toMatchObject({ entries: [two.iid], pausedBy: 'unverified_landing' })
      expect((await queue.record())?.paused?.commits).toEqual([pushed, landed])
      expect(await noted(one.iid)).toContain(`landed it as \`${landed}\`. Somebody pushed \`${pushed}\``)
      expect(await noted(two.iid)).toContain(`\`${pushed}\` was pushed just before \`${landed}\` landed`)
    })

    test('and is red: nobody leaves, who was removed for it returns, and the queue goes on when it is green', async () => {
      const queue = await start({ queue: 'retries: 0\nspeculate: 1' })
      const [one, two] = [await queue.enter('one'), await queue.enter('two')]
      await queue.report(1, 'failed')
      // What was green by chance.
      await queue.report(2, 'success')
      expect(await queue.entries()).toEqual([two.iid])
      await queue.bellhop.journal.mergeQueues.change(queue.queueRef, (record) => record && omit(record, 'green'))
      await queue.report(3, 'failed')
      await queue.report(4, 'failed')
      expect(await queue.seen(one, two)).toMatchObject({ entries: [one.iid, two.iid], pausedBy: 'target_red' })
      const red = await queue.target()
      expect((await queue.notes(two.iid)).join()).toContain(`it goes on when the target is green: \`${red}\``)
      await queue.pushToTarget({ 'repair.txt': 'green' })
      await queue.settle()
      await queue.reportAll()
      expect(await queue.seen(one, two)).toEqual({ states: ['merged', 'merged'], entries: [] })
    })

    test('and is red: the queue goes on where the pipeline of the target is green at last', async () => {
      const queue = await start({ queue: 'retries: 0' })
      const one = await queue.enter('one')
      await queue.report(1, 'failed')
      await queue.report(2, 'failed')
      expect(await queue.seen(one)).toMatchObject({ entries: [one.iid], pausedBy: 'target_red' })
      await queue.pipeline(await queue.target(), 'master', 'success')
      await queue.settle()
      expect(await queue.pausedBy()).toBeUndefined()
      await queue.reportAll()
      expect(await queue.stateOf(one.iid)).toBe('merged')
    })
  })

  test.each([
    ['closes it', { state_event: 'close' }, 'somebody closed it. Reopen it to return.'],
    ['makes it a draft', { title: 'Draft: one' }, 'it is a draft now. Mark it as ready to return.'],
  ] as const)(
    'somebody %s in the moment of the accept call: its note says so, and the next one lands',
    async (...of) => {
      const [, change, text] = of
      const queue = await start({ queue: 'retries: 0' })
      const [one, two] = [await queue.enter('one'), await queue.enter('two')]
      let asked = Date.now()
      queue.before('mergeRequests.accept', async () => {
        await queue.service.mergeRequests.update({ ...queue.ref(one.iid), ...change })
        asked = Date.now()
      })
      await queue.report(1, 'success')
      await queue.reportAll()
      expect(await queue.seen(two)).toEqual({ states: ['merged'], entries: [] })
      expect((await queue.notes(one.iid)).join()).toContain(text)
      // So long it waits where a response was lost.
      expect(Number((await queue.record())?.recent[0]?.since) - asked).toBeLessThan(2 * 60_000)
    },
  )

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
    await queue.makeTargetGreen()
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
