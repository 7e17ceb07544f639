// What a running bot saw of a merge request when it last judged it open: for `bellhop backtest --bellhop`.
import * as z from 'zod'
import type { DecisionRecord, Journal } from '../../journal/types.ts'
import type { Json, MergeRequestRef } from '../../rules/types.ts'
import { integer, nothing } from '../inputs.ts'
import { ok, route } from '../route.ts'

/** The answer: null where no decision on it is kept that saw it open. */
export interface PastAnswer {
  seen: SeenOpen | null
}

export interface SeenOpen {
  /** ISO 8601: when it was judged. */
  at: string
  /** The head that was judged. */
  head: string | null
  /** By name; only those that its rules had made the bot read. */
  facts: Record<string, Json>
}

// A decision holds the traces of all rules. After its end hardly anything is decided about it, so the first page most often tells.
const PAGE = 20

export const pastRoutes = [
  route({
    name: 'show_past',
    method: 'get',
    path: '/merge-requests/{project}/{iid}/past',
    scope: 'read',
    doc: 'What was seen of a merge request when it was last judged open.',
    params: z.object({ project: integer, iid: integer }),
    input: nothing,
    answers: {
      200: z.object({
        seen: z.object({ at: z.iso.datetime(), head: z.string().nullable(), facts: z.record(z.string(), z.unknown()) }).nullable(),
      }),
    },
    async handle({ params }, { journal, service }) {
      const answer: PastAnswer = { seen: await lastSeenOpen(journal, { service, ...params }) }
      return ok(answer)
    },
  }),
]

/** By the state that it saw, not by the time: the bot's clock and the service's are two. */
async function lastSeenOpen(journal: Journal, mergeRequest: MergeRequestRef): Promise<SeenOpen | null> {
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
