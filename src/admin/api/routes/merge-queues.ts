// Merge queues: what is tested, what waits, what landed; pause, resume, remove an entry and move it to the front.
import * as z from 'zod'
import type { MergeQueueEntry, MergeQueueRef } from '../../../journal/types.ts'
import { moveToFront, pauseQueue, removeEntry, resumeQueue } from '../../../merge-queue/operate.ts'
import { emptyRecord } from '../../../merge-queue/plan.ts'
import type { Build, EntryRef, Landing, MergeQueueRecord } from '../../../merge-queue/types.ts'
import { pauseText, removalText } from '../../../merge-queue/words.ts'
import type { AdminContext } from '../../admin-context.ts'
import { integer, optionalProject, project, wholeNumber, why } from '../inputs.ts'
import { nextPage } from '../known-projects.ts'
import {
  attemptState,
  buildState,
  buildStates,
  countEntries,
  entryStates,
  waitingEntries,
} from '../merge-queue-view.ts'
import { count, time } from '../response-schemas.ts'
import { accepted, ok, type Reply, refuse, route } from '../route.ts'

const pauseReasons = Object.keys(pauseText) as (keyof typeof pauseText)[]
const removalReasons = Object.keys(removalText) as (keyof typeof removalText)[]
const commit = z.string()
const entryRef = z.object({ project: z.int(), iid: z.int(), head: commit })
const paused = z
  .object({ reason: z.enum(pauseReasons), text: z.string(), since: time })
  .nullable()
  .describe('Why nothing lands until somebody resumes it.')

const summary = {
  ...{ project: z.int(), target: z.string().describe('The target branch.') },
  name: z.string().optional().describe('Its name in the rule file; absent while it has no entries.'),
  paused,
  window: count.describe('How many builds may run at once.'),
  builds: count,
  entries: z.object(Object.fromEntries(entryStates.map((state) => [state, count])) as Record<Entries, typeof count>),
  lastLanding: time.optional(),
}
type Entries = (typeof entryStates)[number]
const queueSummary = z.object(summary)
export type MergeQueueSummary = z.output<typeof queueSummary>

const listResponse = z.object({ items: z.array(queueSummary), next: nextPage })
export type MergeQueuesResponse = z.output<typeof listResponse>

const build = z.object({
  state: z.enum(buildStates),
  members: z.array(entryRef),
  base: commit.optional().describe('What it is built on: the target, or the build before it.'),
  commit: commit.optional(),
  attempts: z.array(
    z.object({
      number: z.int().describe('Also the end of the name of its branch.'),
      state: z.enum(['preparing', 'testing', 'pipeline_failed', 'pipeline_timeout']),
      commit: commit.optional(),
      since: time.optional().describe('When its branch was there.'),
    }),
  ),
})
const waiting = entryRef.extend({
  since: time,
  priority: z.number(),
  frozen: z.boolean().describe('A freeze keeps it from landing.'),
  first: z.boolean().describe('An operator moved it to the front.'),
  conflicts: z.array(z.int()).describe('The merge requests before it that it conflicts with: it waits for them.'),
})
const removal = entryRef.extend({
  ...{ reason: z.enum(removalReasons), text: z.string(), at: time },
  link: z.string().optional().describe('The pipeline that failed.'),
})
const landing = z.object({ members: z.array(entryRef), since: time.describe('When it was decided.') })
const landed = landing.extend({ at: time, commit: commit.describe('The tested commit.') })

const queueResponse = z.object({
  ...summary,
  builds: z.array(build).describe('In the order of landing, each on top of the one before it.'),
  landing: landing.nullable().describe('A landing whose outcome is not known yet.'),
  waiting: z.array(waiting).describe('In the order in which they are tested.'),
  removed: z.array(removal).describe('Each until its evaluation has taken it out.'),
  landed: z.array(landed).describe('The last 50, newest first.'),
})
export type MergeQueueResponse = z.output<typeof queueResponse>

const oneQueue = z.object({ project, target: z.string() })
const done = z.object({ done: z.boolean() })
const noQueue = 'There is no merge queue of that target branch: no merge request entered it.'
const noEntry = 'The merge request is not in that merge queue.'

export const mergeQueueRoutes = [
  route({
    name: 'list_merge_queues',
    path: '/merge-queues',
    doc: 'Lists the merge queues that had an entry, by project and target branch.',
    input: z.strictObject({
      project: optionalProject,
      limit: wholeNumber(1, 200).default(50),
      after: wholeNumber(1, 10_000).optional().describe('`next` of the previous page.'),
    }),
    responses: { 200: listResponse },
    async handle({ input: { project, limit, after = 0 } }, context) {
      const all = (await context.journal.mergeQueues(context.service))
        .filter((each) => project === undefined || each.project === project)
        .sort((a, b) => a.project - b.project || a.target.localeCompare(b.target))
      const items = await Promise.all(all.slice(after, after + limit).map((queue) => readSummary(context, queue)))
      const shown = after + items.length
      const response: MergeQueuesResponse = { items, ...(shown < all.length ? { next: String(shown) } : {}) }
      return ok(response)
    },
  }),
  route({
    name: 'show_merge_queue',
    path: '/merge-queues/{project}/{target}',
    doc: 'Shows a merge queue: its builds, waiting and removed entries, and its last landings.',
    params: oneQueue,
    responses: { 200: queueResponse },
    errors: { 404: noQueue },
    async handle({ params }, context) {
      const queue = { service: context.service, ...params }
      const { record, entries } = await readQueue(context, queue)
      if (record === undefined && entries.length === 0) return refuse(404, noQueue)
      return ok(describeQueue(queue, record ?? unplanned, entries, context.now()))
    },
  }),
  changeRoute('pause_merge_queue', 'pause', 'Pauses a merge queue: it lands and builds nothing.', pauseQueue),
  changeRoute(
    'resume_merge_queue',
    'resume',
    'Resumes a merge queue: what it has not landed is built anew.',
    resumeQueue,
  ),
  entryRoute(
    'remove_merge_queue_entry',
    'remove',
    'Removes a merge request from a merge queue, for its present head.',
    removeEntry,
  ),
  entryRoute(
    'move_merge_queue_entry',
    'front',
    'Moves a merge request before all that are not tested yet.',
    moveToFront,
  ),
]

/** A queue that was never planned: the plan raises the window to what the rules say. */
const unplanned = emptyRecord({ speculate: { least: 1, most: 1 } })

async function readQueue({ journal }: AdminContext, queue: MergeQueueRef) {
  const [record, entries] = await Promise.all([journal.mergeQueue(queue), journal.mergeQueueEntries(queue)])
  return { record, entries }
}

async function readSummary(context: AdminContext, queue: MergeQueueRef): Promise<MergeQueueSummary> {
  const { record = unplanned, entries } = await readQueue(context, queue)
  return summarize(queue, record, entries)
}

function summarize(
  { project, target }: MergeQueueRef,
  record: MergeQueueRecord,
  entries: readonly MergeQueueEntry[],
): MergeQueueSummary {
  const [newest] = entries.toSorted((a, b) => b.since - a.since)
  const [last] = record.recent
  return {
    ...{ project, target, window: record.window, builds: record.builds.length },
    ...(newest === undefined ? {} : { name: newest.queue }),
    ...{ paused: describePause(record), entries: countEntries(record, entries) },
    ...(last === undefined ? {} : { lastLanding: iso(last.at) }),
  }
}

function describeQueue(
  queue: MergeQueueRef,
  record: MergeQueueRecord,
  entries: readonly MergeQueueEntry[],
  now: number,
): MergeQueueResponse {
  const { project } = queue
  const ref = ({ iid, head }: EntryRef) => ({ project, iid, head })
  const describeLanding = ({ members, since }: Landing) => ({ members: members.map(ref), since: iso(since) })
  return {
    ...summarize(queue, record, entries),
    builds: record.builds.map((each, index) => describeBuild(record, each, index, ref)),
    landing: record.landing === undefined ? null : describeLanding(record.landing),
    waiting: waitingEntries(record, entries, now).map(({ entry, isFirst, conflicts }) => ({
      ...{ ...ref(entry), since: iso(entry.since), priority: entry.priority, frozen: entry.frozen },
      ...{ first: isFirst, conflicts: conflicts.map(({ iid }) => iid) },
    })),
    removed: record.removals.map(({ member, reason, at, link }) => ({
      ...{ ...ref(member), reason, text: removalText[reason], at: iso(at) },
      ...(link === undefined ? {} : { link }),
    })),
    landed: record.recent.map((each) => ({ ...describeLanding(each), at: iso(each.at), commit: each.commit })),
  }
}

function describeBuild(
  record: MergeQueueRecord,
  each: Build,
  index: number,
  ref: (member: EntryRef) => z.output<typeof entryRef>,
): MergeQueueResponse['builds'][number] {
  return {
    ...{ state: buildState(record, each, index), members: each.members.map(ref) },
    ...(each.base === undefined ? {} : { base: each.base.commit }),
    ...(each.commit === undefined ? {} : { commit: each.commit }),
    attempts: each.attempts.map((attempt) => ({
      ...{ number: attempt.number, state: attemptState(attempt) },
      ...(attempt.commit === undefined ? {} : { commit: attempt.commit }),
      ...(attempt.since === undefined ? {} : { since: iso(attempt.since) }),
    })),
  }
}

function describePause({ paused: is }: MergeQueueRecord): MergeQueueSummary['paused'] {
  return is === undefined ? null : { reason: is.reason, text: pauseText[is.reason], since: iso(is.since) }
}

const iso = (ms: number) => new Date(ms).toISOString()

function changeRoute(
  name: string,
  verb: string,
  doc: string,
  change: (record: MergeQueueRecord, now: number) => MergeQueueRecord,
) {
  return route({
    ...{ name, method: 'post', scope: 'manage', path: `/merge-queues/{project}/{target}/${verb}`, doc },
    params: oneQueue,
    input: z.strictObject({ why }),
    responses: { 202: done },
    errors: { 404: noQueue },
    async handle({ params }, context) {
      const queue = { service: context.service, ...params }
      const { record, entries } = await readQueue(context, queue)
      if (record === undefined && entries.length === 0) return refuse(404, noQueue)
      return changeQueue(context, queue, (before) => change(before, context.now()))
    },
  })
}

function entryRoute(
  name: string,
  verb: string,
  doc: string,
  change: (record: MergeQueueRecord, entry: EntryRef, now: number) => MergeQueueRecord,
) {
  return route({
    ...{ name, method: 'post', scope: 'manage', path: `/merge-queues/{project}/{target}/${verb}`, doc },
    params: oneQueue,
    input: z.strictObject({ iid: integer, why }),
    responses: { 202: done },
    errors: { 404: noEntry },
    async handle({ params, input: { iid } }, context) {
      const queue = { service: context.service, ...params }
      const entry = (await context.journal.mergeQueueEntries(queue)).find((each) => each.iid === iid)
      if (entry === undefined) return refuse(404, noEntry)
      const { head } = entry
      return changeQueue(context, queue, (before) => change(before, { iid, head }, context.now()), iid)
    },
  })
}

async function changeQueue(
  { journal, wakeMergeQueue }: AdminContext,
  queue: MergeQueueRef,
  change: (record: MergeQueueRecord) => MergeQueueRecord,
  iid?: number,
): Promise<Reply> {
  await journal.changeMergeQueue(queue, (before = unplanned) => change(before))
  await wakeMergeQueue(queue, iid)
  return accepted({ done: true })
}
