// `list` commands: a table, a JSON document, or with --follow a line each.

import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { JournalPage } from '../../journal/types.ts'
import { listOf } from '../output/table.ts'
import { plain, printAs, printJson, printLines } from '../output/terminal-text.ts'
import { limitOption, routeCommand } from './route-command.ts'

interface ListCommand<T> {
  head: readonly string[]
  row: (each: T) => string[]
  none: string
}

export function listCommand<T extends { id: string }>(operation: string, { head, row, none }: ListCommand<T>): Command {
  return routeCommand<{ limit: number; follow?: true }>(operation, {
    name: 'list',
    async perform(call, given) {
      const read: ReadPage<T> = (limit, after) => call(operation, { ...given, limit, after })
      if (given.follow !== true) {
        const page = await upTo(given.limit, read)
        return printAs(given.format, page, () => [listOf(head, page.items.map(row), none)])
      }
      const stop = new AbortController()
      process.once('SIGINT', () => stop.abort())
      for await (const each of follow(read, given.limit, stop.signal)) {
        if (given.format === 'json') printJson(each, 0)
        else printLines([row(each).map(plain).join('  ')])
      }
    },
  })
    .addOption(limitOption())
    .option('--follow', 'print new ones until Ctrl-C; with --format json one document a line')
}

type ReadPage<T> = (limit: number, after?: string) => Promise<JournalPage<T>>

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
