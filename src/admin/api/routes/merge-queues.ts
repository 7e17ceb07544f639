// Merge queues: what is tested, what waits, what landed; pause, resume, remove an entry and move it to the front.
import * as z from 'zod'
import type { MergeQueueRef } from '../../../journal/types.ts'
import { moveToFront, pauseQueue, removeEntry, resumeQueue } from '../../../merge-queue/operate.ts'
import { emptyRecord } from '../../../merge-queue/plan.ts'
import type { EntryRef, MergeQueueRecord } from '../../../merge-queue/types.ts'
import { type Freeze, freezeEnd, isFrozen, readFreeze } from '../../../rules/language/values/freezes.ts'
import type { AdminContext } from '../../admin-context.ts'
import { integer, optionalProject, project, wholeNumber, why } from '../inputs.ts'
import {
  describeQueue,
  listResponse,
  type MergeQueueSummary,
  type MergeQueuesResponse,
  queueResponse,
  summarize,
} from '../merge-queue-responses.ts'
import { names } from '../response-schemas.ts'
import { accepted, getRoute, ok, postRoute, type Reply, refuse } from '../route.ts'

const oneQueue = z.object({ project, target: z.string().describe('The target branch.') })
const done = z.object({ done: z.boolean(), project: z.int(), iid: z.int().optional(), ...names })
const noQueue = 'There is no merge queue of that target branch: no merge request entered it. List the merge queues.'

const queuePath = '/merge-queues/{project}/{target}'

export const mergeQueueRoutes = [
  getRoute('list_merge_queues', '/merge-queues', {
    doc: 'Lists the merge queues that had an entry, by project and target branch.',
    input: z.strictObject({
      project: optionalProject,
      limit: wholeNumber(1, 200).default(50),
      after: wholeNumber(1, 10_000).optional().describe('`next` of the previous page.'),
    }),
    responses: { 200: listResponse },
    async handle({ input: { project, limit, after = 0 } }, context) {
      const all = (await context.journal.mergeQueues.all())
        .filter((each) => project === undefined || each.project === project)
        .sort((a, b) => a.project - b.project || a.target.localeCompare(b.target))
      const items = await Promise.all(all.slice(after, after + limit).map((queue) => readSummary(context, queue)))
      const shown = after + items.length
      return ok<MergeQueuesResponse>({ items, next: shown < all.length ? String(shown) : undefined })
    },
  }),
  getRoute('show_merge_queue', queuePath, {
    doc: 'Shows a merge queue: its builds, waiting and removed entries, and its last landings.',
    params: oneQueue,
    responses: { 200: queueResponse },
    errors: { 404: noQueue },
    async handle({ params: queue }, context) {
      const { record, entries } = await readQueue(context, queue)
      if (record === undefined && entries.length === 0) return undefined
      const freeze = await context.freezes.last(queue.project)
      const isNow = isFrozen(freeze, new Date(context.now()).toISOString())
      return ok({ ...describeQueue(queue, record ?? unplanned, entries, context.now()), freeze: isNow ? freeze : null })
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
  freezeRoute('freeze', '', {
    doc: 'Freezes a project: nothing merges until then, with a queue or without. Tests go on.',
    input: z.strictObject({
      until: z.string().describe('A time such as `2026-12-01T09:00Z`, or `90m`, `2h` or `7d` from now.'),
      reason: z.string().max(5_000).optional().describe('For the notes of merge requests, and the audit log.'),
      except: z.string().max(5_000).optional().describe('Labels, with commas between: what has one of them merges.'),
    }),
    freeze: readFreeze,
  }),
  freezeRoute('end_freeze', '/end', {
    doc: 'Ends the freeze of a project.',
    input: z.strictObject({ why }),
    freeze: (_, by, at) => ({ until: at, except: [], by, at }),
  }),
]

/** A queue that was never planned: the plan raises the window to what the rules say. */
const unplanned = emptyRecord()

async function readQueue({ journal }: AdminContext, queue: MergeQueueRef) {
  const [record, entries] = await Promise.all([journal.mergeQueues.find(queue), journal.mergeQueues.entries(queue)])
  return { record, entries }
}

async function readSummary(context: AdminContext, queue: MergeQueueRef): Promise<MergeQueueSummary> {
  const { record = unplanned, entries } = await readQueue(context, queue)
  return summarize(queue, record, entries)
}

function changeRoute(
  name: string,
  verb: string,
  doc: string,
  change: (record: MergeQueueRecord, now: number) => MergeQueueRecord,
) {
  return postRoute(name, `${queuePath}/${verb}`, 'manage', {
    doc,
    params: oneQueue,
    responses: { 202: done },
    input: z.strictObject({ why }),
    errors: { 404: noQueue },
    async handle({ params: queue }, context) {
      const { record, entries } = await readQueue(context, queue)
      if (record === undefined && entries.length === 0) return undefined
      return changeQueue(context, queue, (before) => change(before, context.now()))
    },
  })
}

function freezeRoute<I extends z.ZodObject>(
  name: string,
  verb: string,
  {
    freeze,
    ...given
  }: { doc: string; input: I; freeze(input: z.output<I>, by: string, at: string): Freeze | undefined },
) {
  return postRoute(name, `/projects/{project}/freeze${verb}`, 'manage', {
    ...given,
    params: z.object({ project }),
    responses: { 202: done.extend({ until: z.string() }) },
    async handle({ params: { project }, input, by }, { freezes, now }) {
      const at = new Date(now()).toISOString()
      const changed = freeze(input, by, at)
      if (changed === undefined) return refuse(400, `until: ${freezeEnd}.`)
      const last = await freezes.last(project)
      // A comment has the time of the service, which may be ahead.
      await freezes.change(project, {
        ...changed,
        at: last !== undefined && Date.parse(last.at) > now() ? last.at : at,
      })
      return accepted({ done: true, project, until: changed.until })
    },
  })
}

function entryRoute(
  name: string,
  verb: string,
  doc: string,
  change: (record: MergeQueueRecord, entry: EntryRef, now: number) => MergeQueueRecord,
) {
  return postRoute(name, `${queuePath}/${verb}`, 'manage', {
    doc,
    params: oneQueue,
    responses: { 202: done },
    input: z.strictObject({ iid: integer, why }),
    errors: { 404: 'The merge request is not in that merge queue: show the queue to see which are.' },
    async handle({ params: queue, input: { iid } }, context) {
      const entry = (await context.journal.mergeQueues.entries(queue)).find((each) => each.iid === iid)
      if (entry === undefined) return undefined
      const { head } = entry
      return changeQueue(context, queue, (before) => change(before, { iid, head }, context.now()), iid)
    },
  })
}

async function changeQueue(
  { journal, wakeMergeQueue, countMergeQueue }: AdminContext,
  queue: MergeQueueRef,
  change: (record: MergeQueueRecord) => MergeQueueRecord,
  iid?: number,
): Promise<Reply> {
  let removed = 0
  await journal.mergeQueues.change(queue, (before = unplanned) => {
    const after = change(before)
    removed = after.removals.length - before.removals.length
    return after
  })
  if (removed > 0) countMergeQueue({ is: 'removed', reason: 'by_operator' })
  // The queue writes the note of a removal before the merge request is evaluated, which forgets it.
  await wakeMergeQueue(queue, removed > 0 ? undefined : iid)
  return accepted({ done: true, project: queue.project, iid })
}
