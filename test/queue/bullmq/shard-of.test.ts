// Which shard a job belongs to.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shardOf, shardOfSchedule } from '../../../src/queue/bullmq/shard-of.ts'

const text = fc.string({ minLength: 1 })
const shards = fc.integer({ min: 1, max: 64 })

test('everything about one project is in one shard, whatever its key, delay or priority', () => {
  fc.assert(
    fc.property(fc.nat(), text, text, shards, (project, one, other, count) => {
      const first = shardOf({ data: { project, iid: 1 }, deduplicationKey: one }, count)
      expect(shardOf({ data: { project, iid: 2, more: other }, deduplicationKey: other }, count)).toBe(first)
      expect(first).toBeGreaterThanOrEqual(0)
      expect(first).toBeLessThan(count)
    }),
  )
})

test('an id is always in one shard, and so is a deduplication key without a project', () => {
  fc.assert(
    fc.property(text, fc.jsonValue(), fc.jsonValue(), shards, (id, one, other, count) => {
      expect(shardOf({ id, data: one }, count)).toBe(shardOf({ id, data: other, deduplicationKey: 'x' }, count))
      const [first, second] = ['a', 'b'].map((n) => shardOf({ data: { n }, deduplicationKey: id }, count))
      expect(first).toBe(second)
      expect(shardOfSchedule(id, count)).toBe(shardOfSchedule(id, count))
    }),
  )
})

test('stays as it is from version to version: jobs that wait are where this looks for them', () => {
  const projects = [1, 2, 3, 4, 5, 278_964].map((project) => shardOf({ data: { project } }, 16))
  expect(projects).toEqual([14, 3, 4, 1, 7, 15])
  expect(shardOf({ id: 'b1946ac9', data: {} }, 16)).toBe(3)
  expect(shardOf({ data: {}, deduplicationKey: 'sweep' }, 16)).toBe(15)
  expect(shardOfSchedule('sweep', 16)).toBe(5)
})

test('projects, and jobs without id and key, are spread over all shards', () => {
  const counted = (place: (n: number) => number) => {
    const counts = Array.from({ length: 8 }, () => 0)
    for (let n = 0; n < 8_000; n += 1) counts[place(n)] = (counts[place(n)] ?? 0) + 1
    return counts
  }
  for (const count of counted((project) => shardOf({ data: { project } }, 8)))
    expect(Math.abs(count - 1_000)).toBeLessThan(150)
  const seen = new Set(Array.from({ length: 500 }, () => shardOf({ data: 'a text' }, 8)))
  expect(seen.size).toBe(8)
})
