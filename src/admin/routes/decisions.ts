// Decisions: what the rules said about a merge request, with the trace that explains it, and what came of each call.
import * as z from 'zod'
import { decisionOutcomes } from '../../journal/decision-outcome.ts'
import type { DecisionRecord, DeliveryRecord, Replay } from '../../journal/types.ts'
import { byId, integer, nothing, paged, within, withoutUndefined } from '../inputs.ts'
import { ok, refuse, route } from '../route.ts'
import * as shapes from '../shapes.ts'

export const unknownDecision = 'There is no decision of that id.'

/** What is answered for one decision, beside the decision itself. */
export type DecisionAnswer = DecisionRecord & {
  /** Who had it judged again. */
  replays: Replay[]
  /** The deliveries whose events it settled, as far as they are kept: of very many the first 50. */
  from: Pick<DeliveryRecord, 'id' | 'receivedAt' | 'event' | 'header'>[]
}
const mostDeliveries = 50

export const decisionRoutes = [
  route({
    name: 'list_decisions',
    method: 'get',
    path: '/decisions',
    scope: 'read',
    doc: 'Decisions, newest first.',
    params: nothing,
    input: z.strictObject({
      service: z.string().max(200).optional().describe('Of a merge request; the one that Bellhop works for where it is absent.'),
      project: integer.optional(),
      iid: integer.optional().describe('Of a merge request of that project.'),
      delivery: z.string().min(1).max(5000).optional().describe('One whose events it settled, or that was replayed.'),
      rule: z.string().min(1).max(500).optional().describe('The name of a rule that held.'),
      outcome: z
        .enum(decisionOutcomes)
        .optional()
        .describe(
          'What came of it: a call was done; nothing was to do; something is held back or waits; a call was refused, or its effect is unknown.',
        ),
      evaluation: z.string().min(1).max(200).optional(),
      ...within,
      ...paged,
    }),
    answers: { 200: shapes.page(shapes.decision) },
    async handle({ input }, { journal, service: own }) {
      const { service, project, iid, ...rest } = withoutUndefined(input)
      // Half a name is refused: the answer to another question would look like the one to this.
      if (project === undefined && (iid !== undefined || service !== undefined))
        return refuse(400, 'A merge request is named by project and iid together (and by its service, where there are several).')
      if (project === undefined) return ok(await journal.decisions(rest))
      const of = { service: service ?? own, project }
      return ok(await journal.decisions({ ...rest, ...(iid === undefined ? { project: of } : { mergeRequest: { ...of, iid } }) }))
    },
  }),
  route({
    name: 'show_decision',
    method: 'get',
    path: '/decisions/{id}',
    scope: 'read',
    doc: 'One decision, the deliveries that led to it, and who replayed it.',
    params: byId,
    input: nothing,
    answers: { 200: shapes.decision },
    refusals: { 404: unknownDecision },
    async handle({ params: { id } }, { journal }) {
      const decision = await journal.decision(id)
      if (decision === undefined) return refuse(404, unknownDecision)
      const from: DecisionAnswer['from'] = []
      for (const each of decision.deliveries.slice(0, mostDeliveries)) {
        const delivery = await journal.delivery(each)
        if (delivery === undefined) continue
        const { id: name, receivedAt, header, event } = delivery
        from.push({ id: name, receivedAt, header, ...(event === undefined ? {} : { event }) })
      }
      const answer: DecisionAnswer = { ...decision, replays: await journal.replays({ of: 'decision', id }), from }
      return ok(answer)
    },
  }),
]
