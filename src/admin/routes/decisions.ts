// Decisions: what the rules said about a merge request, with the trace that explains it, and what came of each call.
import { z } from 'zod'
import { byId, integer, nothing, paged, withoutUndefined } from '../inputs.ts'
import { ok, refuse, route } from '../route.ts'
import * as shapes from '../shapes.ts'

const unknownDecision = 'There is no decision of that id.'

export const decisionRoutes = [
  route({
    name: 'list_decisions',
    method: 'get',
    path: '/decisions',
    scope: 'read',
    doc: 'Decisions, newest first: all, or those on one merge request.',
    params: nothing,
    input: z.strictObject({
      service: z.string().max(200).optional(),
      project: integer.optional(),
      iid: integer.optional(),
      ...paged,
    }),
    answers: { 200: shapes.page(shapes.decision) },
    async handle({ input }, { journal }) {
      const { service, project, iid, ...rest } = withoutUndefined(input)
      const named = [service, project, iid].filter((each) => each !== undefined).length
      if (service !== undefined && project !== undefined && iid !== undefined)
        return ok(await journal.decisions({ ...rest, mergeRequest: { service, project, iid } }))
      if (named === 0) return ok(await journal.decisions(rest))
      // Half a name is refused: the answer to another question would look like the one to this.
      return refuse(400, 'A merge request is named by service, project and iid together.')
    },
  }),
  route({
    name: 'show_decision',
    method: 'get',
    path: '/decisions/{id}',
    scope: 'read',
    doc: 'One decision.',
    params: byId,
    input: nothing,
    answers: { 200: shapes.decision },
    refusals: { 404: unknownDecision },
    async handle({ params }, { journal }) {
      const decision = await journal.decision(params.id)
      return decision === undefined ? refuse(404, unknownDecision) : ok(decision)
    },
  }),
]
