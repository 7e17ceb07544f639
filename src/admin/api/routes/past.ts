// The facts of a merge request or an issue when it was last evaluated open: for `bellhop backtest --bellhop`.
import * as z from 'zod'
import { lastOpenState, type OpenState } from '../../../journal/last-open-state.ts'
import { integer, project, refOf, subjects } from '../inputs.ts'
import { ok, route } from '../route.ts'

/** Null if no stored decision saw it open. */
export interface PastResponse {
  lastOpen: OpenState | null
}

export const pastRoutes = subjects.map(({ of, a, path, subject }) =>
  route({
    name: of === 'issue' ? 'show_issue_past' : 'show_past',
    path: `${path}/past`,
    subject,
    withoutNames: true,
    doc: `Shows the facts of ${a} when it was last evaluated open.`,
    params: z.object({ project, iid: integer }),
    responses: {
      200: z.object({
        lastOpen: z
          .object({ at: z.iso.datetime(), head: z.string().nullable(), facts: z.record(z.string(), z.unknown()) })
          .nullable(),
      }),
    },
    async handle({ params }, { journal }) {
      return ok<PastResponse>({ lastOpen: await lastOpenState(journal, refOf({ ...params, subject })) })
    },
  }),
)
