// The options of lists that the desk's commands have in common.
import { type Command, InvalidArgumentError, Option } from 'commander'

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

/** Which of them: by project, merge request and time. */
export function withFilter(command: Command): Command {
  return command
    .option('--project <id>', 'only those of one project')
    .option('--iid <number>', 'only those of one merge request of that project')
    .addOption(new Option('--since <time>', 'from then on: 2026-11-21T10:00Z, or 90m, 2h, 7d ago').argParser(time))
    .addOption(new Option('--until <time>', 'before then').argParser(time))
}

export function withList(command: Command): Command {
  return withFilter(command)
    .addOption(new Option('--limit <number>', 'how many at most').argParser(count).default(20))
    .option('--follow', 'then go on with what comes, until Ctrl-C; with --format json one document a line')
}

/** The query of these flags; others are given beside. */
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
  if (Number.isNaN(ms)) throw new InvalidArgumentError('expected a time such as 2026-11-21T10:00Z, or 2h')
  return new Date(ms).toISOString()
}

function count(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1 to 99999')
  return Number(text)
}
