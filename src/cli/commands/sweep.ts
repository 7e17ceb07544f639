// `bellhop sweep PROJECT|GROUP`: makes a running bot find what lost hooks missed.
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { RunOperation } from '../../admin/api/route.ts'
import type { SweepRecord, SweptProject } from '../../journal/types.ts'
import { type NamedRef, refName } from '../../rules/facts/definition/subject-ref.ts'
import { count } from '../../rules/language/values/wording.ts'
import { describeMergeRequest } from '../admin/describe.ts'
import { type AdminFlags, routeCommand } from '../admin/route-command.ts'
import { createProgress, plain, printAs } from '../output/terminal-text.ts'
import { UserError } from '../user-error.ts'

interface Flags extends AdminFlags {
  dryRun?: true
}

const help = `
Every open merge request is evaluated on its present state, every open issue where a rule is for issues, and what changed since the
last sweep. This repairs state rules; lost events of rules with on: stay lost. The bot also sweeps at its start and on a schedule.

Examples:
  $ bellhop sweep hotel/app
  $ bellhop sweep hotel --dry-run --format json`

const pollEveryMs = 300

export function sweep(): Command {
  return routeCommand('start_sweep', { name: 'sweep', args: { of: '<project-or-group>' }, perform })
    .option('--dry-run', 'only list what would be evaluated')
    .addHelpText('after', help)
}

async function perform(call: RunOperation, { dryRun, format, ...given }: Flags): Promise<void> {
  const { id } = await call<SweepRecord>('start_sweep', { ...given, dry_run: dryRun })
  const progress = createProgress()
  let lastReason = ''
  let record: SweepRecord
  for (;;) {
    record = await call<SweepRecord>('show_sweep', { id })
    if (record.state === 'done' || record.state === 'failed') break
    const { projects, projectsInAll = 0, reason } = record
    progress.show(
      `${projects.length} of ${count(projectsInAll, 'project')}, ${enqueuedIn(projects)} enqueued`,
      projects.length / Math.max(1, projectsInAll),
    )
    if (reason !== undefined && reason !== lastReason) process.stderr.write(`bellhop: waiting: ${plain(reason)}\n`)
    lastReason = reason ?? lastReason
    await delay(pollEveryMs)
  }
  progress.end()
  const isEmpty = record.state === 'failed' && record.projects.length === 0
  if (format === 'json' || !isEmpty) printAs(format, record, () => linesOf(record))
  if (record.state === 'failed') throw new UserError(plain(record.reason ?? 'the sweep failed'))
  if (record.notAllFound === true || record.projects.some(({ failed, left }) => failed !== undefined || left))
    process.exitCode = 1
}

function linesOf({ projects, dryRun, calls, notAllFound }: SweepRecord): string[] {
  const looked = projects.reduce((sum, each) => sum + each.looked, 0)
  const does = dryRun ? 'to be enqueued' : 'enqueued'
  const lines = projects.flatMap((each) => [
    `${plain(refName(each))}: ${formatProject(each, does)}`,
    ...each.enqueued.map((of) => mergeRequestLine({ project: each.project, path: each.path, ...of })),
  ])
  if (notAllFound === true) lines.push('not all projects were found: sweep the subgroups one by one')
  return [
    ...lines,
    `${count(projects.length, 'project')}, ${looked} read, ${enqueuedIn(projects)} ${does}, ${count(calls, 'API call')}`,
  ]
}

function formatProject({ looked, enqueued, left, skipped, failed }: SweptProject, does: string): string {
  if (failed !== undefined) return `failed: ${plain(failed)}`
  if (skipped !== undefined) return `skipped: ${plain(skipped)}`
  const rest = left ? '; incomplete: sweep it again' : ''
  return `${looked} read, ${enqueued.length} ${does}${rest}`
}

function mergeRequestLine(of: NamedRef): string {
  return `  ${describeMergeRequest(of)}${of.url === undefined ? '' : plain(`  ${of.url}`)}`
}

function enqueuedIn(projects: readonly SweptProject[]): number {
  return projects.reduce((sum, each) => sum + each.enqueued.length, 0)
}
