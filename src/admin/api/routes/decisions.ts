// Decisions on merge requests and issues, with the trace that explains each and the outcome of its calls.
import * as z from 'zod'
import type { Journal } from '../../../journal/journal.ts'
import type { DecisionRecord, DeliveryRecord, Replay, ReplayRef } from '../../../journal/types.ts'
import { decisionOutcomes, mergeIn, type Receipt, receiptOf } from '../../../rules/explain/decision-outcome.ts'
import {
  decisionId,
  deliveryId,
  ofProject,
  pagination,
  projectOrMergeRequest,
  readFilter,
  references,
  timeRange,
} from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { getRoute, ok, refuse } from '../route.ts'

export const unknownDecision =
  'There is no decision with that id: it is wrong, or the decision is no longer stored (BELLHOP_HISTORY_DAYS).'

export type DecisionResponse = Omit<DecisionRecord, 'replayOf'> & {
  /** `stored`: what was replayed can be shown. */
  replayOf?: (ReplayRef & { stored: boolean })[]
  replays: Replay[]
  /** The author of the merge request, as last read. */
  author?: string
  /** Of a merge. */
  receipt?: Receipt
  /** The first 50 deliveries whose events it processed, as far as they are stored. */
  triggeredBy: Pick<DeliveryRecord, 'id' | 'receivedAt' | 'event' | 'header'>[]
}
const mostDeliveries = 50

export const decisionRoutes = [
  getRoute('list_decisions', '/decisions', {
    doc: 'Lists decisions, newest first.',
    input: z.strictObject({
      project: projectOrMergeRequest,
      ...ofProject,
      delivery: deliveryId
        .max(5000)
        .optional()
        .describe('A delivery that triggered it, or was replayed.')
        .register(references, { to: 'delivery' }),
      rule: z.string().min(1).max(500).optional().describe('The name of a rule that matched.'),
      outcome: z
        .enum(decisionOutcomes)
        .optional()
        .describe(
          'Whether a call was done, there was nothing to do, something is held back or waits, or a call failed or its effect is unknown.',
        ),
      evaluation: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('The id of an evaluation, which may be shortened to four characters.')
        .register(references, { to: 'evaluation' }),
      ...timeRange,
      ...pagination,
    }),
    responses: { 200: schemas.page(schemas.decision) },
    async handle({ input }, { journal }) {
      const filter = readFilter(input)
      return typeof filter === 'string' ? refuse(400, filter) : ok(await journal.decisions.list(filter))
    },
  }),
  getRoute('show_decision', '/decisions/{id}', {
    doc: 'Shows a decision, the deliveries that triggered it, and its replays.',
    params: z.object({ id: decisionId }),
    responses: { 200: schemas.decision },
    errors: { 404: unknownDecision },
    async handle({ params: { id } }, { journal }) {
      const decision = await journal.decisions.find(id)
      if (decision === undefined) return undefined
      const triggeredBy: DecisionResponse['triggeredBy'] = []
      for (const each of decision.deliveries.slice(0, mostDeliveries)) {
        const delivery = await journal.deliveries.find(each)
        if (delivery === undefined) continue
        const { receivedAt, header, event } = delivery
        triggeredBy.push({ id: each, receivedAt, header, event })
      }
      const { replayOf } = decision
      const [subject] = await journal.mergeRequests.known(decision.mergeRequest)
      return ok<DecisionResponse>({
        ...decision,
        replayOf: replayOf && (await withStored(replayOf, journal)),
        replays: await journal.decisions.replays(id),
        triggeredBy,
        receipt: receiptOf(decision, await landedOf(decision, journal)),
        author: subject?.origin?.author,
      })
    },
  }),
]

/** What its merge queue landed of it, as long as the queue remembers. */
async function landedOf({ mergeRequest: { project, iid }, head, target, ...of }: DecisionRecord, journal: Journal) {
  if (mergeIn(of)?.call.to !== 'queue' || target === undefined) return undefined
  const { recent = [] } = (await journal.mergeQueues.find({ project, target })) ?? {}
  const landed = recent.find(({ members }) => members.some((each) => each.iid === iid && each.head === head))
  // Without git a commit stands for its tree.
  return landed?.tree === landed?.commit ? { commit: landed?.commit } : landed
}

function withStored(replays: readonly ReplayRef[], journal: Journal) {
  const isStored = async ({ of, id }: ReplayRef) =>
    (await (of === 'delivery' ? journal.deliveries : journal.decisions).find(id)) !== undefined
  return Promise.all(replays.map(async (each) => ({ ...each, stored: await isStored(each) })))
}
