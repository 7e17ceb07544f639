// Random histories of a merge queue, and what must be true of each plan in them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { PipelineStatus } from '../../src/merge-queue/observed.ts'
import type { Landing } from '../../src/merge-queue/types.ts'
import { minute, QueueWorld } from './queue-world.ts'

const mostTurns = 300
const iid = fc.integer({ min: 1, max: 9 })
const place = fc.nat(9)
const status = fc.constantFrom<PipelineStatus>(
  ...(['success', 'success', 'success', 'failed', 'running', 'manual', 'skipped', 'none'] as const),
)

/** What happens to a world so often among all events; a counterexample shows its name and fields. */
const event = <F extends object>(
  weight: number,
  name: string,
  fields: { [N in keyof F]: fc.Arbitrary<F[N]> },
  happen: (world: QueueWorld, given: F) => unknown,
) => ({
  weight,
  arbitrary: fc.record(fields).map((given) => ({
    happen: (world: QueueWorld) => void happen(world, given as F),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(given)}`,
  })),
})

/** The number of a branch of the queue. */
const branchAt = ({ branches }: QueueWorld, place: number) =>
  [...branches.keys()].at(place % Math.max(1, branches.size)) ?? 0

const anything = fc.oneof(
  event(4, 'enter', { iid }, (world, { iid }) => {
    const isThere = world.entries.some((entry) => entry.iid === iid) || world.target?.tree.includes(`+${iid}@`)
    if (!isThere) world.enter(iid)
  }),
  event(1, 'leave', { iid }, (world, { iid }) => world.leave(iid)),
  event(1, 'new head', { iid }, (world, { iid }) => world.change(iid, { head: `h${iid}-${world.now}` })),
  event(1, 'freeze', { iid }, (world, { iid }) =>
    world.change(iid, { frozen: !world.entries.find((entry) => entry.iid === iid)?.frozen }),
  ),
  event(8, 'pipeline', { place, status }, (world, { place, status: pipeline }) =>
    Object.assign(world.branches.get(branchAt(world, place)) ?? {}, { pipeline }),
  ),
  event(1, 'push', {}, (world) => world.target && world.pushToTarget()),
  event(1, 'delete branch', { place }, (world, { place }) => world.branches.delete(branchAt(world, place))),
  event(1, 'push to branch', { place }, (world, { place }) => world.pushToBranch(branchAt(world, place))),
  event(1, 'refuse branch', {}, (world) => Object.assign(world, { refusesNextBranch: true })),
  event(1, 'lose or find head', { iid, isLost: fc.boolean() }, (world, { iid, isLost }) =>
    isLost ? world.late.add(iid) : world.late.delete(iid),
  ),
  event(1, 'restart', {}, (world) => world.restart()),
  event(1, 'resume', {}, resume),
  event(1, 'delete or restore target', { isGone: fc.boolean() }, (world, { isGone }) => {
    if (!isGone) return restoreTarget(world)
    if (world.target !== undefined) deleted.set(world, world.target)
    world.target = undefined
  }),
  event(1, 'priority', { iid, priority: fc.integer({ min: -1_000, max: 1_000 }) }, (world, { iid, priority }) =>
    world.change(iid, { priority }),
  ),
  event(1, 'lose response', { isLanded: fc.boolean() }, (world, { isLanded }) =>
    Object.assign(world, { nextLanding: isLanded ? 'is_lost_but_landed' : 'is_lost' }),
  ),
  event(2, 'time', { minutes: fc.integer({ min: 1, max: 60 }) }, (world, { minutes }) => world.after(minutes)),
  // The process ends after so many steps.
  event(6, 'plan', { steps: fc.nat(3) }, (world, { steps }) => check(world, steps)),
)

const settings = fc.record({
  land: fc.constantFrom('accept' as const, 'push' as const),
  speculate: fc.oneof(
    fc.constant('auto' as const),
    fc.record({ least: fc.integer({ min: 1, max: 3 }), most: fc.integer({ min: 3, max: 6 }) }),
  ),
  batch: fc.record({ most: fc.integer({ min: 1, max: 4 }), waitMs: fc.constantFrom(0, 5 * minute) }),
  retries: fc.constantFrom(0, 1, 2, 'auto' as const),
  timeoutMs: fc.constantFrom(90 * minute, 'auto' as const),
  conflicts: fc.subarray(['1+2', '3+4', '2+5', '6+7']),
})

export const history = fc.record({ settings, events: fc.array(anything, { maxLength: 60, size: 'max' }) })
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/**
 * Lives through a history and then lets all pipelines be green: every entry lands or leaves. Throws where a plan breaks
 * the invariant. Returns the number of events and plans.
 */
export function live({ settings: given, events }: History): number {
  const world = new QueueWorld(given)
  for (const { happen } of events) happen(world)
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
  const { retries } = world.settings
  assert.ok(builds.every(({ attempts }) => attempts.length <= (retries === 'auto' ? 4 : retries) + 1))
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
