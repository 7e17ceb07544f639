// The filter and list options of the admin commands.
import { type Command, Option } from 'commander'
import { argument } from '../settings/argument.ts'
import { positive } from '../settings/setting-values.ts'

export interface FilterFlags {
  project?: string
  iid?: string
  since?: string
  until?: string
}
export interface ListFlags extends FilterFlags {
  limit: number
  follow?: true
}

export function withFilter(command: Command): Command {
  return command
    .option(
      '--project <id or path>',
      'only those of this project, of a merge request such as hotel/app!12, or of an issue such as "hotel/app#12"',
    )
    .option('--iid <number>', 'with --project: only those of this merge request')
    .addOption(new Option('--since <time>', 'since 2026-11-21T10:00Z, or for 90m, 2h, 7d').argParser(argument(time)))
    .addOption(new Option('--until <time>', 'before this time').argParser(argument(time)))
}

export function withList(command: Command): Command {
  return withFilter(command)
    .addOption(new Option('--limit <number>', 'at most this many').argParser(argument(positive)).default(20))
    .option('--follow', 'print new ones until Ctrl-C; with --format json one document a line')
}

export function queryOf(flags: FilterFlags, others: Record<string, string | undefined> = {}): URLSearchParams {
  const { project, iid, since, until } = flags
  const all = { project, iid, since, until, ...others }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value)
  return query
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function time(text: string): string {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = number === undefined ? Date.parse(text) : Date.now() - Number(number) * (unitMs[unit] ?? 0)
  if (Number.isNaN(ms)) throw new Error('a time such as 2026-11-21T10:00Z, or 2h')
  return new Date(ms).toISOString()
}
