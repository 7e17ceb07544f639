// The memory and the past of a merge request, an issue or the project, for `bellhop explain --bellhop` and `backtest`.
import * as z from 'zod'
import { type Journal, lastOpenState, type OpenState } from '../../../journal/journal.ts'
import { entryState } from '../../../merge-queue/entry-state.ts'
import { acceptMemory } from '../../../rules/actions/definition/accept-memory.ts'
import { shownRef } from '../../../rules/facts/definition/subject-ref.ts'
import type { DecideInput, Memory, MergeRequestRef, Occurrence } from '../../../rules/types.ts'
import { integer, optionalProject, project, refOf, subjects } from '../inputs.ts'
import { object, partly, time } from '../response-schemas.ts'
import { getRoute, ok } from '../route.ts'

const memoryResponse = z.object({
  memory: object<Memory>().describe('With the pushes to the named branch.'),
  events: z.array(partly<Occurrence>(z.looseObject({ id: z.string() }))).describe('Those that are pending.'),
  mergeRequestPipelines: z.boolean(),
  queueEntry: object<NonNullable<DecideInput['queueEntry']>>()
    .optional()
    .describe('What the merge queue says of it: its position, or why it left.'),
})
export type MemoryResponse = z.output<typeof memoryResponse>

export const memoryRoutes = subjects.map(({ of, a, path, params: taken, subject }) =>
  getRoute(of === 'issue' ? 'show_issue_memory' : 'show_memory', `${path}/memory`, {
    subject,
    withoutNames: true,
    doc: `Shows the memory and the pending events of ${a}${of === 'issue' ? '' : '; iid 0 is the project itself'}.`,
    params: taken,
    input: z.strictObject({
      source_project: optionalProject,
      source_branch: z.string().min(1).max(2000).optional(),
    }),
    responses: { 200: memoryResponse },
    async handle({ params, input: { source_project: source, source_branch: branch } }, { journal, now }) {
      const ref = refOf({ ...params, subject })
      const pending = await journal.events.pending(ref)
      const memory = (await journal.mergeRequests.memory(ref)) ?? { rules: {}, pushes: [] }
      return ok<MemoryResponse>({
        memory: {
          ...memory,
          pushes:
            source === undefined || branch === undefined ? [] : await journal.pushes.list({ project: source, branch }),
        },
        events: pending.flatMap(({ deliveryId: id, event, replay }) =>
          replay === undefined ? [{ id, event: shownRef(event) }] : [],
        ),
        mergeRequestPipelines: (await journal.marks.read(ref.project, 'merge request pipelines')) !== undefined,
        queueEntry: await stateOfEntry(journal, ref, memory, now()),
      })
    },
  }),
)

const lastOpen = z.object({ at: time, head: z.string().nullable(), facts: z.record(z.string(), z.unknown()) })
/** The facts when it was last evaluated open; null if no stored decision saw it open. */
const pastResponse = z.object({ lastOpen: partly<OpenState>(lastOpen).nullable() })
export type PastResponse = z.output<typeof pastResponse>

export const pastRoutes = subjects.map(({ of, a, path, subject }) =>
  getRoute(of === 'issue' ? 'show_issue_past' : 'show_past', `${path}/past`, {
    subject,
    withoutNames: true,
    doc: `Shows the facts of ${a} when it was last evaluated open.`,
    params: z.object({ project, iid: integer }),
    responses: { 200: pastResponse },
    async handle({ params }, { journal }) {
      return ok<PastResponse>({ lastOpen: await lastOpenState(journal, refOf({ ...params, subject })) })
    },
  }),
)

async function stateOfEntry(
  journal: Pick<Journal, 'mergeQueues'>,
  { project, iid }: MergeRequestRef,
  memory: Memory,
  now: number,
): Promise<MemoryResponse['queueEntry']> {
  const { queued } = acceptMemory(memory)
  if (queued === undefined) return undefined
  const { target, sha: head } = queued
  const queue = { project, target }
  const [record, entries] = await Promise.all([journal.mergeQueues.find(queue), journal.mergeQueues.entries(queue)])
  return record && entryState(record, entries, { entry: { iid, head }, target, now })
}
