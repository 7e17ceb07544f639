// `list` commands: a table, a JSON document, or with --follow a line each.
import type { Command } from 'commander'
import { listOf } from '../output/table.ts'
import { plain, printAs, printJson, printLines } from '../output/terminal-text.ts'
import { follow, type ReadPage, upTo } from './follow.ts'
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
