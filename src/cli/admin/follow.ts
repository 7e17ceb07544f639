// --follow: yields the newest items of a list, then new ones as they come.
import { setTimeout as delay } from 'node:timers/promises'
import type { JournalPage } from '../../journal/types.ts'

export type ReadPage<T> = (limit: number, after?: string) => Promise<JournalPage<T>>

const pageSize = 200
/** So many, because items may come late or at the same moment. */
const rememberedIds = 5_000

/** Oldest first; `read` gives the newest first. */
export async function* follow<T extends { id: string }>(
  read: ReadPage<T>,
  limit: number,
  signal: AbortSignal,
  everyMs = 1_000,
): AsyncGenerator<T> {
  const seen = new Set<string>()
  const first = await read(pageSize)
  // Remembers more than is shown, so that older ones do not look new later.
  for (const { id } of first.items) seen.add(id)
  yield* (await upTo(limit, read, first)).items.toReversed()
  while (!signal.aborted) {
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
    const fresh = signal.aborted ? [] : await unseen(read, seen)
    for (const { id } of fresh) seen.add(id)
    for (const id of seen) if (seen.size > rememberedIds) seen.delete(id)
    yield* fresh
  }
}

/** Reads on while a whole page is new. Oldest first. */
async function unseen<T extends { id: string }>(read: ReadPage<T>, seen: ReadonlySet<string>): Promise<T[]> {
  const fresh: T[] = []
  for (let after: string | undefined; ; ) {
    const { items, next } = await read(pageSize, after)
    const found = items.filter(({ id }) => !seen.has(id))
    fresh.push(...found)
    if (found.length < pageSize || next === undefined) return fresh.reverse()
    after = next
  }
}

export async function upTo<T>(limit: number, read: ReadPage<T>, first?: JournalPage<T>): Promise<JournalPage<T>> {
  const page = first ?? (await read(Math.min(limit, pageSize)))
  const items = page.items.slice(0, limit)
  let { next } = page
  while (next !== undefined && items.length < limit) {
    const more = await read(Math.min(limit - items.length, pageSize), next)
    items.push(...more.items)
    next = more.next
  }
  return { items, next }
}
