// Whatever happens to a merge queue: it lands only what was tested, comes to rest, and starves nobody.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plan } from '../../src/merge-queue/plan.ts'
import { minute, QueueWorld } from './queue-world.ts'

const iid = fc.integer({ min: 1, max: 9 })
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('enter' as const), iid }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), iid }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('new_head' as const), iid }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), iid }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pipeline' as const),
      place: fc.nat(9),
      status: fc.constantFrom(
        'success' as const,
        'success' as const,
        'success' as const,
        'failed' as const,
        'running' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('push' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete_branch' as const), place: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose_response' as const), landed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('time' as const), minutes: fc.integer({ min: 1, max: 60 }) }) },
  // The process ends after so many steps.
  { weight: 6, arbitrary: fc.record({ do: fc.constant('plan' as const), steps: fc.nat(3) }) },
)
type Happening = typeof event extends fc.Arbitrary<infer T> ? T : never

const settings = fc.record({
  land: fc.constantFrom('accept' as const, 'push' as const),
  speculate: fc.record({ least: fc.integer({ min: 1, max: 3 }), most: fc.integer({ min: 3, max: 6 }) }),
  batch: fc.record({ most: fc.integer({ min: 1, max: 4 }), waitMs: fc.constantFrom(0, 5 * minute) }),
  retries: fc.nat(2),
  conflicts: fc.subarray(['1+2', '3+4', '2+5', '6+7']),
})

function happen(world: QueueWorld, given: Happening): void {
  const branch = () =>
    [...world.branches.keys()].at('place' in given ? given.place % Math.max(1, world.branches.size) : 0)
  switch (given.do) {
    case 'enter':
      if (!world.entries.some((entry) => entry.iid === given.iid) && !world.target?.tree.includes(`+${given.iid}@`))
        world.enter(given.iid)
      break
    case 'leave':
      world.leave(given.iid)
      break
    case 'new_head':
      world.change(given.iid, { head: `h${given.iid}-${world.now}` })
      break
    case 'freeze':
      world.change(given.iid, { frozen: !world.entries.find((entry) => entry.iid === given.iid)?.frozen })
      break
    case 'pipeline': {
      const found = world.branches.get(branch() ?? 0)
      if (found !== undefined) found.pipeline = given.status
      break
    }
    case 'push':
      world.pushToTarget()
      break
    case 'delete_branch':
      world.branches.delete(branch() ?? 0)
      break
    case 'lose_response':
      world.nextLanding = given.landed ? 'is_lost_but_landed' : 'is_lost'
      break
    case 'time':
      world.after(given.minutes)
      break
    case 'plan':
      check(world, given.steps)
  }
}

/** Plans once, and holds what lands against what was tested. */
function check(world: QueueWorld, steps = Number.POSITIVE_INFINITY): number {
  const observed = world.observe()
  const [one, other] = [0, 1].map(() => plan(world.record, observed, world.settings, world.now))
  expect(one).toEqual(other)
  const before = world.record.builds.length
  const green = new Set(
    [...world.branches.values()].flatMap(({ pipeline, tree, onto }) =>
      pipeline === 'success' ? [`${onto}>${tree}`] : [],
    ),
  )
  for (const step of one?.steps ?? [])
    if (step.do === 'land' && world.record.landing === undefined) {
      expect(green).toContain(`${world.target?.tree}>${step.landing.tree}`)
      for (const member of step.landing.members)
        expect(world.entries.some((entry) => entry.head === member.head && !entry.frozen)).toBe(true)
    }
  const count = world.step(steps)
  const { builds, window } = world.record
  // A divided batch is two builds, and a narrower window ends no build that runs.
  expect(builds.length).toBeLessThanOrEqual(Math.max(before + 1, window, 2))
  const numbers = builds.flatMap(({ attempts }) => attempts.map(({ number }) => number))
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(builds.every(({ attempts }) => attempts.length <= world.settings.retries + 1)).toBe(true)
  return count
}

test('only tested trees land, from the heads that were requested, and everything lands or leaves once all is green', () => {
  fc.assert(
    fc.property(settings, fc.array(event, { maxLength: 60 }), (given, events) => {
      const world = new QueueWorld(given)
      for (const each of events) happen(world, each)
      const requested = world.entries.map((entry) => entry.iid)
      const { paused: _, ...record } = world.record
      world.record = record
      world.nextLanding = 'works'
      world.entries = world.entries.map((entry) => ({ ...entry, frozen: false }))
      for (let turn = 0; turn < 300 && world.entries.some(({ iid: each }) => !isRemoved(world, each)); turn += 1) {
        for (const branch of world.branches.values()) branch.pipeline = 'success'
        if (check(world) === 0) world.after(1)
      }
      for (const each of requested)
        expect(
          world.target?.tree.includes(`+${each}@`) || isRemoved(world, each),
          `!${each} waits: ${world.chain()}`,
        ).toBe(true)
      expect(world.record.paused).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})

const isRemoved = (world: QueueWorld, each: number) => world.record.removals.some(({ member }) => member.iid === each)
