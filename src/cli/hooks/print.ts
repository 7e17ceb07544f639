// Prints the outcome of each project as a table with totals, or as JSON.
import { words } from '../../rules/explain/explain.ts'
import { count } from '../../rules/language/values/wording.ts'
import { tableOf } from '../output/table.ts'
import { printJson, printLines } from '../output/terminal-text.ts'
import type { ProjectOutcome } from './in-parallel.ts'
import type { Targets } from './targets.ts'

interface OutcomeReport {
  outcomes: readonly ProjectOutcome[]
  failed: Targets['failed']
  format: 'text' | 'json'
  dryRun: boolean
  notes: readonly string[]
}

/** The result of projects that need nothing: only counted. */
export const upToDate = 'up_to_date'

export function printOutcomes({ outcomes, failed, format, dryRun, notes }: OutcomeReport): void {
  if (format === 'json') {
    const projects = outcomes.map(({ bad, ...rest }) => ({ ...rest, ok: bad !== true }))
    printJson({ dry_run: dryRun, projects, not_found: failed, totals: totalsOf(outcomes), notes })
    return
  }
  const ofProjects = outcomes.every(({ project }) => project !== undefined)
  const shown = outcomes.filter(({ result, details }) => result !== upToDate || details.length > 0)
  const rows = shown.map(({ path, result, details }) => [path, words(result), details.join('; ')])
  const lines = rows.length === 0 ? [] : [tableOf([ofProjects ? 'project' : 'of', 'hook', 'details'], rows)]
  const totals = Object.entries(totalsOf(outcomes)).map(([result, number]) => `${number} ${words(result)}`)
  lines.push(
    `${count(outcomes.length, ofProjects ? 'project' : 'hook')}${totals.length === 0 ? '' : `: ${totals.join(', ')}`}`,
    ...notes,
  )
  if (dryRun) lines.push('Nothing was changed (--dry-run).')
  printLines(lines)
}

function totalsOf(outcomes: readonly ProjectOutcome[]): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const { result } of outcomes) totals[result] = (totals[result] ?? 0) + 1
  return totals
}
