// What a queue chooses whose settings are `auto`, by its own past.
import { fixed } from '../../src/merge-queue/automatic.ts'
import { emptyRecord } from '../../src/merge-queue/plan.ts'
import { defaultSettings } from '../../src/merge-queue/simulator/compare.ts'
import type { MergeQueueRecord, PastLanding, Removal } from '../../src/merge-queue/types.ts'
import { minute, QueueWorld } from './queue-world.ts'

const tree = { commit: 'c', tree: 't' }
const landing: PastLanding = { ...tree, since: 0, at: 100, by: 'accept', members: [], from: tree }
/** After so many landings, the newest first. */
const after = (count: number, of: (index: number) => Partial<PastLanding>, more: Partial<MergeQueueRecord> = {}) => ({
  ...emptyRecord(),
  recent: Array.from({ length: count }, (_, index) => ({ ...landing, ...of(index) })),
  ...more,
})
const chosen = (record: MergeQueueRecord) => fixed(defaultSettings, record)

test('numbers of the rule file stay as they are', () => {
  const stated = { ...defaultSettings, speculate: { least: 2, most: 4 }, retries: 0, timeoutMs: minute }
  expect(fixed(stated, emptyRecord())).toEqual({ ...stated, retries: { least: 0, most: 0 } })
  const speculate = { least: 3, most: 'auto' as const }
  expect(fixed({ ...stated, speculate }, emptyRecord()).speculate).toEqual({ least: 3, most: 32 })
})

test('a build runs for each of up to 32 entries', () => {
  const iids = Array.from({ length: 40 }, (_, index) => index + 1)
  const builds = (count: number) =>
    new QueueWorld({ speculate: 'auto' }).enter(...iids.slice(0, count)).settle().branches.size
  expect([3, 40].map(builds)).toEqual([3, 32])
})

describe('a pipeline may take', () => {
  const timeout = (...of: Parameters<typeof after>) => chosen(after(...of)).timeoutMs / minute

  test('90 minutes, until ten have landed', () => {
    expect(timeout(9, () => ({ testedMs: minute }))).toBe(90)
  })
  test('twice as long as nearly all of the last ones, but 10 minutes at least', () => {
    expect(timeout(40, (index) => ({ testedMs: (index === 0 ? 200 : 30) * minute }))).toBe(60)
    expect(timeout(10, () => ({ testedMs: minute }))).toBe(10)
  })
  test('longer, once one was stopped since the last landing', () => {
    const removal: Removal = { member: { iid: 1, head: 'h' }, reason: 'pipeline_timeout', at: 200 }
    const before = { ...removal, at: 50 }
    expect(timeout(10, () => ({ testedMs: 30 * minute }), { removals: [removal], removed: [removal, before] })).toBe(
      240,
    )
  })
})

describe('a red build is repeated', () => {
  const failsUntilRemoved = (world: QueueWorld) => {
    let fails = 0
    for (; world.log.length === 0; fails += 1) world.pipeline('1', 'failed').settle()
    return fails
  }
  const queue = () => new QueueWorld({ retries: 'auto', speculate: 'auto' })

  test('more often, the more pipelines failed by chance', () => {
    const often = Object.assign(queue(), { record: after(50, (index) => (index % 10 === 0 ? { failures: 1 } : {})) })
    expect([queue(), often].map((world) => failsUntilRemoved(world.enter(1).settle()))).toEqual([3, 4])
  })
  test('only once, where those behind it fail as well', () => {
    const world = queue().enter(1, 2, 3).settle().pipeline('2', 'failed').pipeline('3', 'failed').settle()
    expect(failsUntilRemoved(world)).toBe(2)
  })
  test('as often as it may, where one behind it is green', () => {
    const world = queue().enter(1, 2, 3).settle().pipeline('2', 'failed').pipeline('3', 'success').settle()
    expect(failsUntilRemoved(world)).toBe(3)
  })
  test('and what lands says how often it failed before', () => {
    const world = queue().enter(1).settle().pipeline('1', 'failed').settle().pipeline('1', 'success').settle()
    expect(world.record.recent).toMatchObject([{ failures: 1 }])
  })
})
