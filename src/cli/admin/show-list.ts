// Prints a list as a table, a JSON document, or with --follow a line each.
import Table from 'cli-table3'
import { plain, printJson } from '../output/terminal-text.ts'
import type { AdminFlags } from './admin-options.ts'
import { follow, type ReadPage, upTo } from './follow.ts'
import type { ListFlags } from './list-options.ts'

export async function showList<T extends { id: string }>(
  flags: AdminFlags & ListFlags,
  read: ReadPage<T>,
  head: readonly string[],
  rowOf: (each: T) => string[],
): Promise<void> {
  const cells = (each: T) => rowOf(each).map(plain)
  if (flags.follow === true) {
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    for await (const each of follow(read, flags.limit, stop.signal)) {
      if (flags.format === 'json') printJson(each, 0)
      else process.stdout.write(`${cells(each).join('  ')}\n`)
    }
    return
  }
  const page = await upTo(flags.limit, read)
  if (flags.format === 'json') return printJson(page)
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } })
  for (const each of page.items) table.push(cells(each))
  process.stdout.write(`${table.toString()}\n`)
}
