// What came of each project, as a table with a line of totals, or as JSON.
import Table from 'cli-table3'
import { count } from '../../rules/wording.ts'
import { plain, printJson } from '../terminal-text.ts'
import type { ProjectOutcome } from './in-parallel.ts'
import type { Targets } from './targets.ts'

interface Printed {
  outcomes: readonly ProjectOutcome[]
  failed: Targets['failed']
  format: 'text' | 'json'
  dryRun: boolean
  notes: readonly string[]
}

/** The result of a project where all is well already: thousands of them are told by their number alone. */
export const asItShouldBe = 'as it should be'

export function printOutcomes({ outcomes, failed, format, dryRun, notes }: Printed): void {
  if (format === 'json') {
    const projects = outcomes.map(({ bad, ...rest }) => ({ ...rest, ok: bad !== true }))
    printJson({ dry_run: dryRun, projects, not_found: failed, totals: totalsOf(outcomes), notes })
    return
  }
  const told = outcomes.filter(({ result, details }) => result !== asItShouldBe || details.length > 0)
  const lines = told.length === 0 ? [] : [table(told)]
  const totals = Object.entries(totalsOf(outcomes)).map(([result, number]) => `${number} ${result}`)
  lines.push(`${count(outcomes.length, 'project')}${totals.length === 0 ? '' : `: ${totals.join(', ')}`}`, ...notes)
  if (dryRun) lines.push('Nothing was changed: --dry-run.')
  process.stdout.write(`${lines.join('\n')}\n`)
}

function totalsOf(outcomes: readonly ProjectOutcome[]): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const { result } of outcomes) totals[result] = (totals[result] ?? 0) + 1
  return totals
}

function table(outcomes: readonly ProjectOutcome[]): string {
  const rows = new Table({ head: ['project', 'hook', 'what'], style: { head: [], border: [] } })
  for (const { path, result, details } of outcomes) rows.push([plain(path), result, details.map(plain).join('; ')])
  return rows.toString()
}
