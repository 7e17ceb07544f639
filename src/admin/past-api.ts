// What a running bot saw of a merge request when it last judged it open: for `bellhop backtest --bellhop`. Reads only.
import { Router } from 'express'
import { z } from 'zod'
import type { DecisionRecord, Journal } from '../journal/types.ts'
import type { Json, MergeRequestRef } from '../rules/types.ts'
import { authenticate } from './authenticate.ts'

export interface PastApiOptions {
  journal: Journal
  /** The service's name in refs. */
  service: string
  token: string | undefined
}

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

const place = z.object({ project: z.coerce.number().int().positive(), iid: z.coerce.number().int().positive() })
// A decision holds the traces of all rules. After its end hardly anything is decided about it, so the first page most often tells.
const PAGE = 20

/** `GET /admin/api/merge-requests/:project/:iid/past`. 401 without the token, 400 for what is not understood. */
export function pastApi({ journal, service, token }: PastApiOptions): Router {
  const router = Router()
  router.use('/admin/api/merge-requests', authenticate(token))
  router.get('/admin/api/merge-requests/:project/:iid/past', async (request, response) => {
    const of = place.safeParse(request.params)
    if (!of.success) return void response.status(400).json({ error: z.prettifyError(of.error) })
    const answer: PastAnswer = { seen: await lastSeenOpen(journal, { service, ...of.data }) }
    response.json(answer)
  })
  return router
}

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
