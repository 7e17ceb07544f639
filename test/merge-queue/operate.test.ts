// What an operator does to a merge queue, with the plan that follows.
import { moveToFront, pauseQueue, removeEntry, resumeQueue } from '../../src/merge-queue/operate.ts'
import { emptyRecord } from '../../src/merge-queue/plan.ts'
import { QueueWorld } from './queue-world.ts'

const entry = (iid: number) => ({ iid, head: `h${iid}` })

/** A queue whose first build is green, and whose landing was decided but not sent. */
function beforeLanding(): QueueWorld {
  const world = new QueueWorld().enter(1, 2).settle().pipeline('1', 'success')
  world.step(0)
  return world
}

describe('a paused queue', () => {
  test('lands nothing until it is resumed, and is then built anew', () => {
    const world = new QueueWorld().enter(1, 2).settle()
    const before = [...world.branches.keys()]
    world.record = pauseQueue(world.record, 7)
    expect(world.record.paused).toEqual({ reason: 'by_operator', since: 7 })
    world.pipeline('1', 'success').settle()
    expect(world.log).toEqual([])
    world.record = resumeQueue(world.record, 9)
    expect(world.settle().record.paused).toBeUndefined()
    expect([...world.branches.keys()].filter((each) => before.includes(each))).toEqual([])
    world.pipeline('1', 'success').settle()
    expect(world.log).toEqual(['landed 1'])
  })

  test('keeps the first reason', () => {
    const paused = { reason: 'no_pipeline' as const, since: 1 }
    expect(pauseQueue({ ...new QueueWorld().record, paused }, 7).paused).toEqual(paused)
  })

  test('by an operator stays so where the pause before it would end by itself', () => {
    for (const reason of ['target_red', 'branches_changed', 'repository_refused'] as const) {
      const world = new QueueWorld().enter(1)
      world.record = pauseQueue({ ...world.record, paused: { reason, since: 1 } }, 7)
      expect(world.settle().record.paused).toEqual({ reason: 'by_operator', since: 7 })
    }
  })

  test('keeps its builds when it is resumed while the outcome of a landing is uncertain', () => {
    const { record } = beforeLanding()
    expect(resumeQueue(pauseQueue(record, 7), 8)).toEqual(record)
  })
})

describe('a removed entry', () => {
  test('leaves its build, and those behind it are built without it', () => {
    const world = new QueueWorld().enter(1, 2, 3).settle()
    world.record = removeEntry(world.record, entry(1), 7)
    expect(world.settle().chain()).toBe('2 | 3')
    expect(world.record.removals).toEqual([{ member: entry(1), reason: 'by_operator', at: 7 }])
  })

  test('enters again with another head', () => {
    const world = new QueueWorld().enter(1).settle()
    world.record = removeEntry(world.record, entry(1), 7)
    world.settle().change(1, { head: 'new' })
    expect(world.settle().record).toMatchObject({ builds: [{ members: [{ iid: 1, head: 'new' }] }], removals: [] })
    expect(world.record.removed).toEqual([{ member: entry(1), reason: 'by_operator', at: 7 }])
  })

  test('is removed once, for the first reason', () => {
    const removal = { member: entry(1), reason: 'conflict' as const, at: 1 }
    const record = { ...new QueueWorld().record, removals: [removal] }
    expect(removeEntry(record, entry(1), 7).removals).toEqual([removal])
  })

  test('does not land, although its landing was decided', () => {
    const world = beforeLanding()
    world.record = removeEntry(world.record, entry(1), 7)
    // Its request may have been sent, so its outcome is waited for.
    expect([world.settle().log, world.chain()]).toEqual([[], '1 | 2'])
    expect([world.after(2).settle().log, world.chain()]).toEqual([[], '2'])
  })
})

test('an entry that is moved to the front is tested before all that wait, the last one first', () => {
  const world = new QueueWorld({ speculate: { least: 1, most: 1 } }).enter(1, 2, 3, 4).change(2, { priority: 99 })
  for (const iid of [3, 4, 3]) world.record = moveToFront(world.record, entry(iid))
  expect(world.record.first).toEqual([entry(3), entry(4)])
  for (const iid of ['3', '4', '2', '1']) world.settle().pipeline(iid, 'success').settle()
  expect(world.log).toEqual(['landed 3', 'landed 4', 'landed 2', 'landed 1'])
})

test.each(['no_pipeline', 'status_missing'] as const)(
  'resumed after %s, the landings before say no more what tests',
  (reason) => {
    const record = { ...emptyRecord(), builds: [] }
    const paused = { ...record, paused: { reason, since: 1 } }
    expect(resumeQueue(paused, 7)).toEqual({ ...record, resumed: 7 })
  },
)
