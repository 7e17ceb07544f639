// `bellhop queue …`: inspects and manages the jobs of a running bot.
import { Command } from 'commander'
import type { JobSummary } from '../../admin/api/jobs.ts'
import type { RunOperation } from '../../admin/api/route.ts'
import type { BulkResponse, QueueResponse } from '../../admin/api/routes/queue.ts'
import type { NamedRef } from '../../rules/facts/definition/subject-ref.ts'
import { count as counted } from '../../rules/language/values/wording.ts'
import { describeMergeRequest } from '../admin/describe.ts'
import { drain } from '../admin/drain.ts'
import { type AdminFlags, limitOption, printCommand, routeCommand } from '../admin/route-command.ts'
import { createProgress } from '../output/progress.ts'
import { listOf, tableOf } from '../output/table.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { UsageError } from '../user-error.ts'

interface JobFlags extends AdminFlags {
  queue: string
  id?: string
  state: string
  all?: true
  apply?: true
}

export function queue(): Command {
  const retried = { name: 'retry', about: 'Enqueues failed jobs again.', args: { id: '[id]' }, perform: retry }
  const discarded = {
    name: 'discard',
    about: 'Discards a job, or all jobs in one state, without running them.',
    args: { id: '[id]' },
    perform: discard,
  }
  return new Command()
    .addCommand(printCommand('show_queue', { name: 'status', lines: statusLines }))
    .addCommand(printCommand('list_jobs', { name: 'jobs', lines: jobLines }).addOption(limitOption()))
    .addCommand(printCommand('pause', { name: 'pause', lines: (each: Changed) => [`${nameOf(each)} is paused.`] }))
    .addCommand(printCommand('resume', { name: 'resume', lines: resumeLines }))
    .addCommand(drain())
    .addCommand(routeCommand('retry_failed', retried).option('--all', 'all failed jobs'))
    .addCommand(
      printCommand('promote_job', { name: 'promote', lines: (_, { id }: { id: string }) => [jobLine(id, 'runs now')] }),
    )
    .addCommand(
      routeCommand('discard_jobs', discarded)
        .option('--apply', 'delete them; without it jobs of a state are only counted')
        .addHelpText('after', aboutDiscard),
    )
}

const aboutDiscard = '\nA deleted job does not run. A sweep repairs that for state rules, but not for rules with on:.'

function statusLines({ queues, pausedProjects }: QueueResponse): string[] {
  const states = ['waiting', 'active', 'delayed', 'failed', 'completed']
  const rows = queues.map(({ queue: name, counts, paused }) => [
    name,
    ...states.map((state) => counts[state] ?? 0),
    paused ? 'yes' : 'no',
  ])
  const projects = pausedProjects.map(
    ({ at, by, why, ...ref }) =>
      `${describeMergeRequest(ref)} is paused since ${at} by ${plain(by)}${why === undefined ? '' : `: ${plain(why)}`}`,
  )
  return [tableOf(['queue', ...states, 'paused'], rows), ...projects]
}

function jobLines({ items }: { items: JobSummary[] }, { queue: of, state }: JobFlags): string[] {
  const rows = items.map(({ addedAt, id, mergeRequest: on, attempts, failure = '' }) => [
    addedAt,
    id,
    on === undefined ? '' : describeMergeRequest(on),
    attempts,
    failure,
  ])
  return [listOf(['added', 'id', 'subject', 'attempts', 'failure'], rows, `No ${state} jobs in ${of}.`)]
}

/** Without a project it is everything. */
type Changed = Partial<NamedRef>

const nameOf = ({ project, path }: Changed) =>
  project === undefined ? 'Everything' : path === undefined ? `Project ${project}` : plain(path)

function resumeLines({ enqueued = 0, ...of }: Changed & { enqueued?: number }): string[] {
  const waited =
    enqueued === 0
      ? ''
      : ` ${counted(enqueued, 'merge request that waited is', 'merge requests that waited are')} evaluated now.`
  return [`${nameOf(of)} is resumed.${waited}`]
}

const jobLine = (id: string, outcome: string) => `Job ${plain(id)} ${outcome}.`

async function retry(call: RunOperation, given: JobFlags): Promise<void> {
  if (given.id !== undefined) return changeOne(call, 'retry_job', given, 'is enqueued again')
  if (given.all !== true) throw new UsageError('Name a job, or use --all.')
  const count = await changeAll(call, 'retry_failed', given)
  printAs(given.format, { count }, () => [`${count} enqueued again.`])
}

async function discard(call: RunOperation, given: JobFlags): Promise<void> {
  if (given.id !== undefined) return changeOne(call, 'discard_job', given, 'is deleted')
  if (given.state === undefined) throw new UsageError('Name a job, or use --state.')
  if (given.apply !== true) {
    const found = await call<BulkResponse>('discard_jobs', given)
    const { count, more } = found
    return printAs(given.format, found, () => [`${count}${more ? ' and more' : ''} would be deleted: use --apply.`])
  }
  const count = await changeAll(call, 'discard_jobs', { ...given, dry_run: false })
  printAs(given.format, { count }, () => [`${count} deleted.`])
}

async function changeOne(call: RunOperation, operation: string, given: JobFlags, outcome: string): Promise<void> {
  const response = await call(operation, given)
  printAs(given.format, response, () => [jobLine(given.id ?? '', outcome)])
}

/** Repeats while there are more, at most 100 times: jobs may fail again meanwhile. */
async function changeAll(call: RunOperation, operation: string, given: object): Promise<number> {
  const progress = createProgress()
  let count = 0
  for (let turn = 0; turn < 100; turn += 1) {
    const done = await call<BulkResponse>(operation, given)
    count += done.count
    if (!done.more || done.count === 0) break
    progress.show(`${count} of ${count + done.remaining}`, count / (count + done.remaining))
  }
  progress.end()
  return count
}
