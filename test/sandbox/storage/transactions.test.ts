// Transactions: a task's changes are written as a whole before it resolves, or never.

import { deferred } from '../../../src/sandbox/storage/schedule.ts'
import type { RecordChange } from '../../../src/sandbox/storage/storage.ts'
import { createTransactions } from '../../../src/sandbox/storage/storage.ts'
import { createState, nextNumber } from '../../../src/sandbox/storage/world.ts'

/** Units whose writes are noted down, and end when the test says so. */
function open() {
  const state = createState()
  const writes: { changes: readonly RecordChange[]; done: () => void; fail: (error: Error) => void }[] = []
  const transactions = createTransactions(
    state,
    (changes) => new Promise<void>((resolve, reject) => writes.push({ changes, done: resolve, fail: reject })),
  )
  return {
    state,
    transactions,
    writes,
    addStar: (id: number) => transactions.run(async () => state.stars.add({ id, project_id: 1, user_id: 1 })),
    /** The ids of each write. */
    written: () =>
      writes.map(({ changes }) => changes.filter(({ collection }) => collection === 'stars').map(({ id }) => id)),
  }
}
/** Everything that can happen without the outside has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the transaction of a task', () => {
  test('resolves only when what it changed is written: records, removals and counters', async () => {
    const { state, transactions, writes } = open()
    let resolved = false
    const run = transactions.run(async () => {
      state.stars.add({ id: nextNumber(state, 'stars'), project_id: 7, user_id: 8 })
      state.stars.add({ id: nextNumber(state, 'stars'), project_id: 7, user_id: 9 })
      await settled()
      state.stars.remove(1)
      state.stars.update(2, { user_id: 10 })
    })
    void run.then(() => {
      resolved = true
    })
    await settled()
    await settled()
    expect(resolved).toBe(false)
    expect(writes.map(({ changes }) => changes)).toEqual([
      [
        { collection: 'counters', id: 'stars', body: '{"id":"stars","value":2}' },
        { collection: 'stars', id: 1, body: null },
        { collection: 'stars', id: 2, body: '{"id":2,"project_id":7,"user_id":10}' },
      ],
    ])
    writes[0]?.done()
    await run
  })

  test('without changes writes nothing', async () => {
    const { state, transactions, writes } = open()
    expect(await transactions.run(async () => state.stars.all().length)).toBe(0)
    expect(writes).toEqual([])
  })

  test('tasks that end during a write are written after it, in order', async () => {
    const { addStar, writes, written } = open()
    const all = [addStar(1)]
    await settled()
    all.push(addStar(2), addStar(3))
    await settled()
    expect(written()).toEqual([[1]])
    writes[0]?.done()
    await settled()
    expect(written()).toEqual([[1], [2]])
    writes[1]?.done()
    await settled()
    writes[2]?.done()
    await Promise.all(all)
    expect(written()).toEqual([[1], [2], [3]])
  })

  test('a running task is not written with one that has ended', async () => {
    const { state, transactions, addStar, writes, written } = open()
    const gate = deferred<void>()
    const slow = transactions.run(async () => {
      state.stars.add({ id: 1, project_id: 1, user_id: 1 })
      await gate.promise
      state.stars.add({ id: 2, project_id: 1, user_id: 1 })
    })
    const quick = addStar(3)
    await settled()
    writes[0]?.done()
    await quick
    gate.resolve()
    await settled()
    expect(written()).toEqual([[3], [1, 2]])
    writes[1]?.done()
    await slow
  })

  test('changes before a failure are written, and the task rejects', async () => {
    const { state, transactions, writes, written } = open()
    const run = transactions.run(async () => {
      state.stars.add({ id: 1, project_id: 1, user_id: 1 })
      throw new Error('refused')
    })
    await settled()
    expect(written()).toEqual([[1]])
    writes[0]?.done()
    await expect(run).rejects.toThrow('refused')
  })

  test('a change outside of any task throws, also after its task has ended', async () => {
    const { state, transactions } = open()
    const star = { id: 1, project_id: 1, user_id: 1 }
    expect(() => state.stars.add(star)).toThrow('outside of a task')
    const late = await transactions.run(async () => ({
      add: settled().then(() => state.stars.add({ ...star, id: 2 })),
    }))
    await expect(late.add).rejects.toThrow('outside of a task')
  })
})

test('when nothing can be written any more, waiting and later tasks are refused with the reason', async () => {
  const { state, transactions, addStar, writes } = open()
  const [first, second] = [addStar(1), addStar(2)]
  await settled()
  writes[0]?.fail(new Error('disk full'))
  await expect(first).rejects.toThrow('The records cannot be written any more: disk full')
  await expect(second).rejects.toThrow('disk full')
  await expect(transactions.run(async () => state.stars.all())).rejects.toThrow('disk full')
  expect((await transactions.failed).message).toContain('disk full')
  expect(writes).toHaveLength(1)
})

test('after stop, ended tasks are still written, running ones are not, and none begins', async () => {
  const { state, transactions, addStar, writes, written } = open()
  const gate = deferred<void>()
  const ended = addStar(1)
  const runs = transactions.run(async () => {
    await gate.promise
    state.stars.add({ id: 2, project_id: 1, user_id: 1 })
  })
  await settled()
  transactions.stop()
  expect(transactions.running()).toBe(2)
  gate.resolve()
  writes[0]?.done()
  await ended
  await expect(runs).rejects.toThrow('stopping')
  await expect(addStar(3)).rejects.toThrow('stopping')
  await transactions.ended()
  expect([transactions.running(), written()]).toEqual([0, [[1]]])
})
