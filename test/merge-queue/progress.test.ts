// Where each entry of a merge queue is, what it waits for, and when it will land.
import { queueProgress } from '../../src/merge-queue/progress.ts'
import { progressText } from '../../src/merge-queue/progress-text.ts'
import { minute, QueueWorld, type QueueWorldOptions } from './queue-world.ts'

const progressIn = ({ record, entries, now }: QueueWorld) =>
  Object.fromEntries(queueProgress(record, entries, now).map(({ entry, progress }) => [entry.iid, progress]))

const textIn = (world: QueueWorld, iid: number) => {
  const progress = progressIn(world)[iid]
  return progress && progressText(progress, 'main', world.now)
}

/** When each lands, in minutes from now; undefined where nobody knows. */
const etasIn = (world: QueueWorld) =>
  Object.fromEntries(
    Object.entries(progressIn(world)).map(([iid, { eta }]) => [
      iid,
      eta && [eta.from, eta.to].map((at) => (at - world.now) / minute),
    ]),
  )

/** Merge requests from 101 on landed after builds of so many minutes. */
function worldAfter(durations: readonly number[], options: QueueWorldOptions = {}): QueueWorld {
  const world = new QueueWorld({ speculate: { least: 2, most: 2 }, ...options })
  for (const [index, minutes] of durations.entries()) {
    const iid = 101 + index
    world.enter(iid).settle().after(minutes).pipeline(String(iid), 'success').settle().leave(iid).settle()
  }
  return world
}

test('those that are tested come before those that wait, each with what it is tested with', () => {
  const world = worldAfter([], { land: 'push' }).enter(1, 2, 3, 4, 5).change(5, { priority: 9 }).settle()
  const found = queueProgress(world.record, world.entries, world.now)
  expect(found.map(({ entry }) => entry.iid)).toEqual([5, 1, 2, 3, 4])
  expect(found.map(({ progress }) => [progress.position, progress.of])).toEqual(
    [1, 2, 3, 4, 5].map((each) => [each, 5]),
  )
  expect(found.map(({ progress }) => progress.build?.others)).toEqual([[], [5], undefined, undefined, undefined])
  expect(textIn(world, 1)).toBe('Position 2 of 5. Its build with !5 on main@c0 waits for a pipeline.')
  expect(textIn(world, 2)).toBe('Position 3 of 5. Waiting for: its turn.')
})

test('the commit of the target is named only where it is on the target', () => {
  const both = new QueueWorld().enter(1, 2).settle().pipeline('1', 'success').settle()
  expect(textIn(both, 2)).toBe('Position 1 of 1. Its build on main waits for a pipeline.')
})

describe('waits for', () => {
  test.each<[string, (world: QueueWorld) => QueueWorld, number, string | undefined]>([
    ['a freeze', (world) => world.change(1, { frozen: true }).settle(), 1, 'Waiting for: the end of a freeze.'],
    [
      'a freeze with an end',
      (world) => world.change(5, { frozen: true, frozenUntil: '2026-11-30T09:00:00.000Z' }),
      5,
      'Waiting for: freeze until Mon 2026-11-30 09:00 UTC.',
    ],
    ['those that it conflicts with', (world) => world, 3, 'Waiting for: !1 and !2, which it conflicts with.'],
    [
      'the builds before its own',
      (world) => world.pipeline('2', 'success').settle(),
      2,
      'Waiting for: the builds before it; its own is green.',
    ],
    [
      'its turn, moved to the front',
      (world) => Object.assign(world, { record: { ...world.record, first: [{ iid: 5, head: 'h5' }] } }),
      5,
      'Waiting for: its turn: an operator moved it to the front.',
    ],
    [
      'somebody who resumes the queue',
      (world) => Object.assign(world, { target: undefined }).settle(),
      5,
      'The queue is paused: the target branch does not exist. Waiting for: its turn.',
    ],
  ])('%s', (_name, change, iid, text) => {
    const world = new QueueWorld({ conflicts: ['3+2'], speculate: { least: 3, most: 3 } }).enter(1, 2, 3, 4, 5).settle()
    expect(textIn(change(world), iid)).toContain(text)
  })

  test('nothing more where it was removed', () => {
    const world = new QueueWorld({ retries: 0 }).enter(1, 2).settle()
    const record = {
      ...world.record,
      removals: [{ member: { iid: 1, head: 'h1' }, reason: 'conflict' as const, at: 0 }],
    }
    expect(queueProgress(record, world.entries, 0).map(({ entry }) => entry.iid)).toEqual([2])
  })
})

describe('the time of landing', () => {
  test('is unknown before the first landing, and while the queue is paused or the entry is frozen', () => {
    expect(etasIn(worldAfter([]).enter(1).settle())).toEqual({ 1: undefined })
    expect(etasIn(worldAfter([10]).enter(1).change(1, { frozen: true }).settle())).toEqual({ 1: undefined })
    const paused = Object.assign(worldAfter([10]).enter(1).settle(), { target: undefined }).settle()
    expect(etasIn(paused)).toEqual({ 1: undefined })
  })

  test('follows from the builds before it, and from how many may run at once', () => {
    const world = worldAfter([10]).enter(1, 2, 3, 4, 5).settle()
    expect(etasIn(world)).toEqual({ 1: [10, 10], 2: [10, 10], 3: [20, 20], 4: [20, 20], 5: [30, 30] })
    world.after(4)
    expect(etasIn(world)).toEqual({ 1: [6, 6], 2: [6, 6], 3: [16, 16], 4: [16, 16], 5: [26, 26] })
    world.pipeline('2', 'success').settle()
    expect(etasIn(world)[2]).toEqual([6, 6])
  })

  test('is a range, without the shortest and the longest tenth', () => {
    const durations = [90, 1, ...Array.from({ length: 8 }, (_, index) => 12 + index)]
    expect(etasIn(worldAfter(durations).enter(1).settle())).toEqual({ 1: [12, 19] })
  })

  test('is that of the builds that took longer, where it takes long already; unknown where none did', () => {
    const world = worldAfter([10, 20]).enter(1).settle().after(15)
    expect(etasIn(world)).toEqual({ 1: [5, 5] })
    expect(etasIn(world.after(6))).toEqual({ 1: undefined })
  })

  test('counts retries, and not the time for which a green build waited for those before it', () => {
    const world = worldAfter([]).enter(1, 2).settle().after(10).pipeline('2', 'success').settle().after(1)
    world.pipeline('1', 'failed').settle().after(10).pipeline('1', 'success').settle()
    expect(world.record.recent.map(({ testedMs = 0 }) => testedMs / minute)).toEqual([10, 21])
  })

  test('of a batch is that of its build', () => {
    const batch = { most: 2, waitMs: 0 }
    const world = worldAfter([10], { land: 'push', batch, speculate: { least: 1, most: 1 } })
      .enter(1, 2, 3, 4, 5)
      .settle()
    expect(etasIn(world)).toEqual({ 1: [10, 10], 2: [10, 10], 3: [20, 20], 4: [20, 20], 5: [30, 30] })
  })
})
