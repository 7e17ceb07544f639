// The responses about merge queues, and what they say of a record and its entries.
import * as z from 'zod'
import type { MergeQueueEntry, MergeQueueRef } from '../../journal/types.ts'
import { isSame, membersOf } from '../../merge-queue/mutable-plan.ts'
import { type Eta, queueProgress } from '../../merge-queue/progress.ts'
import { etaText, waitText } from '../../merge-queue/progress-text.ts'
import type { Attempt, Build, Entry, EntryRef, Landing, MergeQueueRecord } from '../../merge-queue/types.ts'
import { pauseDetails, pauseText, removalDetails, removalText } from '../../merge-queue/words.ts'
import { count, nextPage, time } from './response-schemas.ts'

export const entryStates = ['testing', 'waiting', 'frozen', 'removed'] as const
type EntryCounts = Record<(typeof entryStates)[number], number>

export const buildStates = ['preparing', 'testing', 'failed', 'landing'] as const

/** How many entries are in each state. */
export function countEntries(
  { builds, removals }: Pick<MergeQueueRecord, 'builds' | 'removals'>,
  entries: readonly Entry[],
): EntryCounts {
  const counts: EntryCounts = { testing: 0, waiting: 0, frozen: 0, removed: 0 }
  const tested = membersOf(builds)
  for (const entry of entries) {
    const isIn = (members: readonly EntryRef[]) => members.some((member) => isSame(member, entry))
    if (isIn(removals.map(({ member }) => member))) counts.removed += 1
    else if (isIn(tested)) counts.testing += 1
    else counts[entry.frozen ? 'frozen' : 'waiting'] += 1
  }
  return counts
}

export function buildState({ landing }: MergeQueueRecord, build: Build, index: number): (typeof buildStates)[number] {
  const isLanding = index === 0 && landing?.members.some((member) => build.members.some((each) => isSame(each, member)))
  if (isLanding) return 'landing'
  if (build.commit === undefined) return 'preparing'
  return build.attempts.every(({ failed }) => failed !== undefined) ? 'failed' : 'testing'
}

function attemptState({ commit, failed }: Attempt): 'preparing' | 'testing' | NonNullable<Attempt['failed']> {
  return failed ?? (commit === undefined ? 'preparing' : 'testing')
}

const pauseReasons = Object.keys(pauseText) as (keyof typeof pauseText)[]
const removalReasons = Object.keys(removalText) as (keyof typeof removalText)[]
const commit = z.string()
const entryRef = z.object({ project: z.int(), iid: z.int(), head: commit })
const paused = z
  .object({ reason: z.enum(pauseReasons), text: z.string(), since: time })
  .nullable()
  .describe('Why nothing lands until somebody resumes it.')

const summary = {
  project: z.int(),
  target: z.string().describe('The target branch.'),
  name: z.string().optional().describe('Its name in the rule file; absent while it has no entries.'),
  paused,
  window: count.describe('How many builds may run at once.'),
  builds: count,
  entries: z.object(Object.fromEntries(entryStates.map((state) => [state, count])) as Record<Entries, typeof count>),
  lastLanding: time.optional(),
  removals: z.array(time).describe('When merge requests were removed last, the newest first.'),
}
type Entries = (typeof entryStates)[number]
const queueSummary = z.object(summary)
export type MergeQueueSummary = z.output<typeof queueSummary>

export const listResponse = z.object({ items: z.array(queueSummary), next: nextPage })
export type MergeQueuesResponse = z.output<typeof listResponse>

const eta = z
  .object({ from: time, to: time, text: z.string() })
  .optional()
  .describe('When it will probably land, by the durations of past builds; absent where nobody knows.')
const build = z.object({
  state: z.enum(buildStates),
  eta,
  members: z.array(entryRef),
  base: commit.optional().describe('What it is built on: the target, or the build before it.'),
  commit: commit.optional(),
  attempts: z.array(
    z.object({
      number: z.int().describe('Also the end of the name of its branch.'),
      state: z.enum(['preparing', 'testing', 'pipeline_failed', 'pipeline_skipped', 'pipeline_timeout']),
      commit: commit.optional(),
      since: time.optional().describe('When its branch was there.'),
      passed: time.optional().describe('When its pipeline was successful.'),
      link: z.string().optional().describe('Its pipeline.'),
    }),
  ),
})
const waiting = entryRef.extend({
  since: time,
  priority: z.number(),
  frozen: z.boolean().describe('A freeze keeps it from landing.'),
  first: z.boolean().describe('An operator moved it to the front.'),
  conflicts: z.array(z.int()).describe('The merge requests before it that it conflicts with: it waits for them.'),
  position: z.int().describe('Among all that are tested or wait, from 1.'),
  waitsFor: z.string().describe('In words.'),
  eta,
})
const removal = entryRef.extend({
  reason: z.enum(removalReasons),
  text: z.string(),
  at: time,
  link: z.string().optional().describe('The pipeline that failed.'),
})
const landing = z.object({ members: z.array(entryRef), since: time.describe('When it was decided.') })
const landed = landing.extend({ at: time, commit: commit.describe('The tested commit.') })

const freeze = z.object({
  until: time,
  reason: z.string().optional(),
  except: z.array(z.string()).describe('Labels: what has one of them merges.'),
  by: z.string(),
  at: time,
})

export const queueResponse = z.object({
  ...summary,
  freeze: freeze.nullable().describe('The freeze of its project: nothing merges until then.'),
  builds: z.array(build).describe('In the order of landing, each on top of the one before it.'),
  landing: landing.nullable().describe('A landing whose outcome is not known yet.'),
  waiting: z.array(waiting).describe('In the order in which they are tested.'),
  removed: z.array(removal).describe('The last ones, newest first.'),
  landed: z.array(landed).describe('The last 50, newest first.'),
})
export type MergeQueueResponse = z.output<typeof queueResponse>

const removalsOf = ({ removals, removed = [] }: MergeQueueRecord) => [...removals.toReversed(), ...removed]

/** One line of the list. */
export function summarize(
  { project, target }: MergeQueueRef,
  record: MergeQueueRecord,
  entries: readonly MergeQueueEntry[],
): MergeQueueSummary {
  const [newest] = entries.toSorted((a, b) => b.since - a.since)
  const [last] = record.recent
  return {
    project,
    target,
    window: record.window,
    builds: record.builds.length,
    name: newest?.queue,
    paused: describePause(record),
    entries: countEntries(record, entries),
    lastLanding: last && iso(last.at),
    removals: removalsOf(record).map(({ at }) => iso(at)),
  }
}

/** All of one merge queue. */
export function describeQueue(
  queue: MergeQueueRef,
  record: MergeQueueRecord,
  entries: readonly MergeQueueEntry[],
  now: number,
): Omit<MergeQueueResponse, 'freeze'> {
  const { project } = queue
  const all = queueProgress(record, entries, now)
  const ref = ({ iid, head }: EntryRef) => ({ project, iid, head })
  const describeLanding = ({ members, since }: Landing) => ({ members: members.map(ref), since: iso(since) })
  return {
    ...summarize(queue, record, entries),
    builds: record.builds.map((each, index) => describeBuild(record, each, index, { ref, all, now })),
    landing: record.landing === undefined ? null : describeLanding(record.landing),
    waiting: all
      .filter(({ progress }) => progress.build === undefined)
      .map((each) => ({ ...ref(each.entry), ...describeWaiting(record, each, now) })),
    removed: removalsOf(record).map(({ member, reason, at, link, words }) => {
      return { ...ref(member), reason, text: removalDetails({ reason, words }), at: iso(at), link }
    }),
    landed: record.recent.map((each) => ({ ...describeLanding(each), at: iso(each.at), commit: each.commit })),
  }
}

function describeBuild(
  record: MergeQueueRecord,
  each: Build,
  index: number,
  { ref, all, now }: { ref: (member: EntryRef) => z.output<typeof entryRef>; all: readonly Placed[]; now: number },
): MergeQueueResponse['builds'][number] {
  const placed = all.find(({ entry }) => each.members.some((member) => isSame(member, entry)))
  return {
    state: buildState(record, each, index),
    members: each.members.map(ref),
    eta: describeEta(placed?.progress.eta, now),
    base: each.base?.commit,
    commit: each.commit,
    attempts: each.attempts.map((attempt) => {
      const { number, commit, since, passed, link } = attempt
      const [made, ended] = [since, passed].map((at) => (at === undefined ? undefined : iso(at)))
      return { number, state: attemptState(attempt), commit, since: made, passed: ended, link }
    }),
  }
}

type Placed = ReturnType<typeof queueProgress>[number]

function describeWaiting({ first = [] }: MergeQueueRecord, { entry, progress }: Placed, now: number) {
  const { since, priority, frozen } = entry
  const { position, waitsFor, eta } = progress
  return {
    since: iso(since),
    priority,
    frozen,
    first: first.some((each) => isSame(each, entry)),
    position,
    conflicts: waitsFor.flatMap((each) => (each.is === 'conflict' ? each.with : [])),
    waitsFor: waitText(waitsFor),
    eta: describeEta(eta, now),
  }
}

const describeEta = (eta: Eta | undefined, now: number) =>
  eta && { from: iso(eta.from), to: iso(eta.to), text: etaText(eta, now) }

function describePause({ paused: is }: MergeQueueRecord): MergeQueueSummary['paused'] {
  return is === undefined ? null : { reason: is.reason, text: pauseDetails(is), since: iso(is.since) }
}

const iso = (ms: number) => new Date(ms).toISOString()
