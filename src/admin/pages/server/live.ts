// Tells an open list how many newer items there are, by server-sent events. The list works without it.
import { setTimeout as delay } from 'node:timers/promises'
import type { Response } from 'express'
import type { JournalPage } from '../../../journal/types.ts'

export interface LiveOptions {
  /** Aborted when the process shuts down. */
  stopping: AbortSignal
  everyMs: number
  /** After so long the browser reconnects, which checks its session again. */
  atMostMs: number
  /** So many pages at once in this process; others have to be reloaded. */
  connections: number
}

export const liveDefaults: Omit<LiveOptions, 'stopping'> = { everyMs: 3_000, atMostMs: 10 * 60_000, connections: 50 }

/** From this on the count is shown as "or more". */
const mostCounted = 50

/** Responds with such a count; `list` returns items newest first, or undefined once the user is logged out. */
export function createLive({ stopping, everyMs, atMostMs, connections }: LiveOptions) {
  let open = 0
  return async (
    response: Response,
    newest: string | undefined,
    list: (limit: number) => Promise<JournalPage<{ id: string }> | undefined>,
  ) => {
    // After 204 a browser does not reconnect.
    if (open >= connections || stopping.aborted) return void response.status(204).end()
    open += 1
    const over = AbortSignal.any([stopping, AbortSignal.timeout(atMostMs), closed(response)])
    try {
      response.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
      response.write('retry: 10000\n\n')
      for (let last = 0; !over.aborted; await delay(everyMs, undefined, { signal: over }).catch(() => undefined)) {
        const listed = await list(mostCounted)
        if (listed === undefined) return
        const { items } = listed
        const at = items.findIndex(({ id }) => id === newest)
        const count = at < 0 ? items.length : at
        // A comment stops proxies from closing an idle connection.
        response.write(count === last ? ':\n\n' : `data: ${JSON.stringify({ count, many: count >= mostCounted })}\n\n`)
        last = count
      }
    } finally {
      open -= 1
      response.end()
    }
  }
}

function closed(response: Response): AbortSignal {
  const over = new AbortController()
  response.once('close', () => over.abort())
  return over.signal
}
