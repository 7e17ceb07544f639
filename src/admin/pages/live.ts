// Tells a list that is open in a browser how much is newer than what it shows, by server-sent events. The list works without.
import type { Response } from 'express'
import type { Page } from '../../journal/types.ts'

export interface LiveOptions {
  /** Nothing is told any more: the process ends. */
  stopping: AbortSignal
  everyMs: number
  /** Then the browser asks anew, and whether it is still logged in is looked at. */
  atMostMs: number
  /** At once, in this process; whoever is beyond that has to load the page again. */
  connections: number
}

export const usualLive: Omit<LiveOptions, 'stopping'> = { everyMs: 3_000, atMostMs: 10 * 60_000, connections: 50 }

/** More than that is "many". */
const MOST = 50

/** Answers a request with such events; `list` gives the newest, first, or undefined when whoever asked is logged out. */
export function createLive({ stopping, everyMs, atMostMs, connections }: LiveOptions) {
  let open = 0
  return async (response: Response, newest: string | undefined, list: (limit: number) => Promise<Page<{ id: string }> | undefined>) => {
    // After 204 a browser asks no more.
    if (open >= connections || stopping.aborted) return void response.status(204).end()
    open += 1
    const over = AbortSignal.any([stopping, AbortSignal.timeout(atMostMs), closed(response)])
    try {
      response.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
      response.write('retry: 10000\n\n')
      for (let last = 0; !over.aborted; await pause(everyMs, over)) {
        const listed = await list(MOST)
        if (listed === undefined) return
        const { items } = listed
        const at = items.findIndex(({ id }) => id === newest)
        const count = at < 0 ? items.length : at
        // A comment keeps proxies from closing what seems to be dead.
        response.write(count === last ? ':\n\n' : `data: ${JSON.stringify({ count, many: count >= MOST })}\n\n`)
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

function pause(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      over.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    over.addEventListener('abort', end)
    if (over.aborted) end()
  })
}
