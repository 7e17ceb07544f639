// The workers of several shards share one concurrency.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedConcurrency } from '../../../src/queue/bullmq/shared-concurrency.ts'

test('never runs more than the total, and lets one shard use all of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 }),
      async (total, jobs) => {
        const shared = sharedConcurrency(total)
        const members = Array.from({ length: 4 }, () => {
          const member = shared.join()
          const state = { allowed: total, most: 0, jobs: 0 }
          member.onChange((allowed) => {
            state.allowed = allowed
          })
          return { member, state }
        })
        let running = 0
        let most = 0
        await Promise.all(
          jobs.map((shard) => {
            const { member, state } = members[shard] as (typeof members)[number]
            state.jobs += 1
            return member.run(async () => {
              most = Math.max(most, ++running)
              await new Promise((resolve) => setImmediate(resolve))
              running -= 1
              state.jobs -= 1
            })
          }),
        )
        expect(most).toBe(Math.min(total, jobs.length))
        // Idle again, each may use all.
        for (const { state } of members) expect(state.allowed).toBe(total)
      },
    ),
  )
})

test('a worker may have what it has and what is free, and always one', async () => {
  const shared = sharedConcurrency(3)
  const allowed: number[] = []
  const [a, b] = [shared.join(), shared.join()]
  a.onChange((jobs) => {
    allowed[0] = jobs
  })
  b.onChange((jobs) => {
    allowed[1] = jobs
  })
  const ends: (() => void)[] = []
  const start = (member: typeof a) => member.run(() => new Promise<void>((resolve) => ends.push(resolve)))
  const first = start(a)
  expect(allowed).toEqual([3, 2])
  const more = [start(a), start(a)]
  expect(allowed).toEqual([3, 1])
  const waiting = start(b)
  expect(allowed).toEqual([3, 1])
  await new Promise((resolve) => setImmediate(resolve))
  expect(ends).toHaveLength(3)
  ends[0]?.()
  await first
  await new Promise((resolve) => setImmediate(resolve))
  expect(ends).toHaveLength(4)
  for (const end of ends) end()
  await Promise.all([...more, waiting])
  expect(allowed).toEqual([3, 3])
})
