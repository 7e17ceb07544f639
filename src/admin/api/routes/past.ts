// The facts of a merge request when it was last evaluated open: for `bellhop backtest --bellhop`.
import * as z from 'zod'
import type { DecisionRecord, Journal } from '../../../journal/types.ts'
import type { Json, MergeRequestRef } from '../../../rules/types.ts'
import { integer, project } from '../inputs.ts'
import { ok, route } from '../route.ts'

/** Null if no stored decision saw it open. */
export interface PastResponse {
  lastOpen: OpenState | null
}

export interface OpenState {
  /** ISO 8601: when it was evaluated. */
  at: string
  head: string | null
  /** By name; only those that its rules needed. */
  facts: Record<string, Json>
}

// A decision has the traces of all rules. Few follow the end of a merge request, so the first page mostly suffices.
const PAGE = 20

export const pastRoutes = [
  route({
    name: 'show_past',
    withoutNames: true,
    path: '/merge-requests/{project}/{iid}/past',
    doc: 'Shows the facts of a merge request when it was last evaluated open.',
    params: z.object({ project, iid: integer }),
    responses: {
      200: z.object({
        lastOpen: z
          .object({ at: z.iso.datetime(), head: z.string().nullable(), facts: z.record(z.string(), z.unknown()) })
          .nullable(),
      }),
    },
    async handle({ params }, { journal, service }) {
      const response: PastResponse = { lastOpen: await lastOpenState(journal, { service, ...params }) }
      return ok(response)
    },
  }),
]

/** Found by the state that was evaluated, not by time: the clocks of the bot and the service differ. */
async function lastOpenState(journal: Journal, mergeRequest: MergeRequestRef): Promise<OpenState | null> {
  let after: string | undefined
  do {
    const page = await journal.decisions({ mergeRequest, limit: PAGE, ...(after === undefined ? {} : { after }) })
    const found = page.items.find(wasOpen)
    if (found !== undefined) return { at: found.at, head: found.head, facts: found.facts ?? {} }
    after = page.next
  } while (after !== undefined)
  return null
}

const wasOpen = ({ facts }: DecisionRecord) => facts?.state === 'opened'
