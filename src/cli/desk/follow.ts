// --follow: what is new in a list, as it comes, until Ctrl-C.
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '../../journal/types.ts'

const everyMs = 1_000
/** So that what comes late, or at one and the same moment, is not missed. */
const rememberedIds = 5_000

/** Gives what was not there before, oldest first. `read` gives the newest first. Ends when the signal comes. */
export async function* follow<T extends { id: string }>(read: () => Promise<Page<T>>, signal: AbortSignal): AsyncGenerator<T> {
  const seen = new Set<string>()
  for (let first = true; !signal.aborted; first = false) {
    const { items } = await read()
    const fresh = items.filter(({ id }) => !seen.has(id)).reverse()
    for (const each of fresh) {
      seen.add(each.id)
      if (!first) yield each
    }
    for (const id of seen) if (seen.size > rememberedIds) seen.delete(id)
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Every page until there are so many. */
export async function upTo<T>(limit: number, read: (limit: number, after: string | undefined) => Promise<Page<T>>): Promise<Page<T>> {
  const items: T[] = []
  for (let after: string | undefined; ; ) {
    const page = await read(Math.min(limit - items.length, 200), after)
    items.push(...page.items)
    after = page.next
    if (after === undefined) return { items }
    if (items.length >= limit) return { items, next: after }
  }
}
