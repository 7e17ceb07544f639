// Prints a list as a table, a JSON document, or with --follow a line each.
import { listOf } from '../output/table.ts'
import { plain, printAs, printJson, printLines } from '../output/terminal-text.ts'
import type { AdminFlags } from './admin-options.ts'
import { follow, type ReadPage, upTo } from './follow.ts'
import type { ListFlags } from './list-options.ts'

export async function showList<T extends { id: string }>(
  flags: AdminFlags & ListFlags,
  read: ReadPage<T>,
  head: readonly string[],
  rowOf: (each: T) => string[],
  none: string,
): Promise<void> {
  if (flags.follow === true) {
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    for await (const each of follow(read, flags.limit, stop.signal)) {
      if (flags.format === 'json') printJson(each, 0)
      else printLines([rowOf(each).map(plain).join('  ')])
    }
    return
  }
  const page = await upTo(flags.limit, read)
  printAs(flags.format, page, () => [listOf(head, page.items.map(rowOf), none)])
}
