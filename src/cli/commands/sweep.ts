// `bellhop sweep PROJECT|GROUP`: lets a running bot look anew at what it may have missed.
import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import type { SweepRecord, SweptProject } from '../../journal/types.ts'
import { createAdminClient } from '../admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin-options.ts'
import { createProgress } from '../backtest/progress.ts'
import { plain, printJson } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'

interface Flags extends AdminFlags {
  dryRun?: true
}

const help = `
Every open merge request is judged again on its present state, and what changed since the last sweep as well. State rules come to the end
that they would have come to; events that rules with on: wait for are not made up. The bot itself sweeps at its start and on a schedule.

Examples:
  $ bellhop sweep hotel/app
  $ bellhop sweep hotel --dry-run --format json`

const pollEveryMs = 300

/** Exit 0 when all was swept, 1 when something could not be read or the bot not be reached, 2 for wrong usage. */
export function sweep(): Command {
  const command = new Command('sweep')
    .description('let a running bot judge all open merge requests of a project or group again')
    .argument('<project-or-group>', 'id or full path, such as hotel/app')
    .option('--dry-run', 'only say which merge requests would be judged')
  return withAdmin(command).addHelpText('after', help).action(perform)
}

async function perform(of: string, { dryRun, format, ...connection }: Flags): Promise<void> {
  const admin = createAdminClient(connection)
  const query = new URLSearchParams({ of, dry_run: String(dryRun === true) })
  const { id } = (await admin.post(`/sweeps?${query}`)) as SweepRecord
  const progress = createProgress(process.stderr)
  let said = ''
  let record: SweepRecord
  for (;;) {
    record = (await admin.get(`/sweeps/${encodeURIComponent(id)}`)) as SweepRecord
    if (record.state === 'done' || record.state === 'failed') break
    const { projects, projectsInAll = 0, reason } = record
    progress.show(
      `${projects.length} of ${projectsInAll} projects, ${wokenIn(projects)} woken`,
      projects.length / Math.max(1, projectsInAll),
    )
    if (reason !== undefined && reason !== said) process.stderr.write(`bellhop: it waits: ${plain(reason)}\n`)
    said = reason ?? said
    await delay(pollEveryMs)
  }
  progress.end()
  if (format === 'json') printJson(record)
  else
    process.stdout.write(
      linesOf(record)
        .map((line) => `${line}\n`)
        .join(''),
    )
  if (record.state === 'failed') throw new UserError(plain(record.reason ?? 'the sweep failed'), { exitCode: 1 })
  if (record.notAllFound === true || record.projects.some(({ failed, left }) => failed !== undefined || left)) process.exitCode = 1
}

function linesOf({ projects, dryRun, calls, notAllFound }: SweepRecord): string[] {
  const looked = projects.reduce((sum, each) => sum + each.looked, 0)
  const does = dryRun ? 'would be woken' : 'woken'
  const lines = projects.map((each) => `${plain(each.path ?? String(each.project))}: ${sayProject(each, does)}`)
  if (notAllFound === true) lines.push('not all of its projects were found: sweep the groups inside it by themselves')
  return [...lines, `${projects.length} projects, ${looked} merge requests looked at, ${wokenIn(projects)} ${does}, ${calls} API calls`]
}

function sayProject({ looked, woken, left, skipped, failed }: SweptProject, does: string): string {
  if (failed !== undefined) return `could not be swept: ${plain(failed)}`
  if (skipped !== undefined) return `skipped: ${plain(skipped)}`
  const iids = woken.map(({ iid }) => `!${iid}`).join(' ')
  const rest = left ? '; not to its end: sweep it again' : ''
  return `${looked} looked at, ${woken.length} ${does}${iids === '' ? '' : `: ${iids}`}${rest}`
}

function wokenIn(projects: readonly SweptProject[]): number {
  return projects.reduce((sum, each) => sum + each.woken.length, 0)
}
