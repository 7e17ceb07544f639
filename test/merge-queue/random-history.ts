// Random histories of a merge queue, and what must be true of each plan in them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Landing } from '../../src/merge-queue/types.ts'
import { minute, QueueWorld } from './queue-world.ts'

const mostTurns = 300
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
        'manual' as const,
        'skipped' as const,
        'none' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('push' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete_branch' as const), place: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('push_to_branch' as const), place: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse_branch' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('lose_head' as const, 'find_head' as const), iid }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete_target' as const, 'restore_target' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('priority' as const), iid },
      priority: fc.integer({ min: -1_000, max: 1_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose_response' as const), landed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('time' as const), minutes: fc.integer({ min: 1, max: 60 }) }) },
  // The process ends after so many steps.
  { weight: 6, arbitrary: fc.record({ do: fc.constant('plan' as const), steps: fc.nat(3) }) },
)
type HistoryEvent = typeof event extends fc.Arbitrary<infer T> ? T : never

const settings = fc.record({
  land: fc.constantFrom('accept' as const, 'push' as const),
  speculate: fc.record({ least: fc.integer({ min: 1, max: 3 }), most: fc.integer({ min: 3, max: 6 }) }),
  batch: fc.record({ most: fc.integer({ min: 1, max: 4 }), waitMs: fc.constantFrom(0, 5 * minute) }),
  retries: fc.nat(2),
  conflicts: fc.subarray(['1+2', '3+4', '2+5', '6+7']),
})

export const history = fc.record({ settings, events: fc.array(event, { maxLength: 60, size: 'max' }) })
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/**
 * Lives through a history and then lets all pipelines be green: every entry lands or leaves. Throws where a plan breaks
 * the invariant. Returns the number of events and plans.
 */
export function live({ settings: given, events }: History): number {
  const world = new QueueWorld(given)
  for (const each of events) happen(world, each)
  const requested = world.entries.map((entry) => entry.iid)
  restoreTarget(world)
  resume(world.restart())
  world.nextLanding = 'works'
  world.refusesNextBranch = false
  world.entries = world.entries.map((entry) => ({ ...entry, frozen: false }))
  let turns = 0
  for (; turns < mostTurns && world.entries.some((entry) => !isRemoved(world, entry.iid)); turns += 1) {
    for (const branch of world.branches.values()) branch.pipeline = 'success'
    if (check(world) === 0) world.after(1).restart()
  }
  for (const each of requested)
    assert.ok(world.target?.tree.includes(`+${each}@`) || isRemoved(world, each), `!${each} waits: ${world.chain()}`)
  assert.equal(world.record.paused, undefined)
  return events.length + turns
}

/** The target of a world whose target was deleted. */
const deleted = new WeakMap<QueueWorld, NonNullable<QueueWorld['target']>>()

function restoreTarget(world: QueueWorld): void {
  world.target ??= deleted.get(world)
}

function resume(world: QueueWorld): void {
  const { paused: _, ...record } = world.record
  world.record = record
}

const isRemoved = (world: QueueWorld, each: number) => world.record.removals.some(({ member }) => member.iid === each)

function happen(world: QueueWorld, given: HistoryEvent): void {
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
      if (world.target !== undefined) world.pushToTarget()
      break
    case 'delete_branch':
      world.branches.delete(branch() ?? 0)
      break
    case 'push_to_branch':
      world.pushToBranch(branch() ?? 0)
      break
    case 'refuse_branch':
      world.refusesNextBranch = true
      break
    case 'lose_head':
      world.late.add(given.iid)
      break
    case 'find_head':
      world.late.delete(given.iid)
      break
    case 'restart':
      world.restart()
      break
    case 'resume':
      resume(world)
      break
    case 'delete_target':
      if (world.target !== undefined) deleted.set(world, world.target)
      world.target = undefined
      break
    case 'restore_target':
      restoreTarget(world)
      break
    case 'priority':
      world.change(given.iid, { priority: given.priority })
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

/** Plans once, and compares what lands with what was tested. Returns the number of steps. */
function check(world: QueueWorld, steps = Number.POSITIVE_INFINITY): number {
  const planned = world.plan()
  assert.deepEqual(world.plan(), planned)
  const before = world.record.builds.length
  for (const step of planned.steps) if (step.do === 'land') checkLanding(world, step.landing)
  const count = world.step(steps, planned)
  const { builds, window } = world.record
  // A divided batch is two builds, and a narrower window ends no build that runs.
  assert.ok(builds.length <= Math.max(before, window, 2), `${before} builds became ${builds.length}`)
  const numbers = builds.flatMap(({ attempts }) => attempts.map(({ number }) => number))
  assert.equal(new Set(numbers).size, numbers.length)
  assert.ok(builds.every(({ attempts }) => attempts.length <= world.settings.retries + 1))
  return count
}

/** The invariant: a green tree, built on exactly the target's, of the requested heads. */
function checkLanding({ branches, entries, target }: QueueWorld, landing: Landing): void {
  const tested = [...branches.values()].filter(({ tree, onto }) => tree === landing.tree && onto === target?.tree)
  assert.ok(
    tested.some(({ pipeline }) => pipeline === 'success'),
    `${landing.tree} on ${target?.tree} is not green`,
  )
  const added = landing.members.map(({ iid, head }) => `+${iid}@${head}`).join('')
  assert.equal(landing.tree, `${target?.tree}${added}`)
  for (const { iid, head } of landing.members)
    assert.ok(
      entries.some((entry) => entry.iid === iid && entry.head === head && !entry.frozen),
      `!${iid} must not land at ${head}`,
    )
}
