// `bellhop queue …`: inspects and manages the jobs of a running bot.
import { setTimeout as delay } from 'node:timers/promises'
import { Command, Option } from 'commander'
import type { JobSummary } from '../../admin/api/jobs.ts'
import type { RunOperation } from '../../admin/api/route.ts'
import type { BulkResponse, QueueResponse } from '../../admin/api/routes/queue.ts'
import type { NamedRef } from '../../rules/facts/definition/subject-ref.ts'
import { count as counted } from '../../rules/language/values/wording.ts'
import { createAdminClient } from '../admin/admin-client.ts'
import { describeMergeRequest } from '../admin/describe.ts'
import { type AdminFlags, limitOption, printCommand, routeCommand, withAdmin } from '../admin/route-command.ts'
import { listOf, tableOf } from '../output/table.ts'
import { createProgress, plain, printAs } from '../output/terminal-text.ts'
import { argument, period } from '../settings/setting.ts'
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
    .addCommand(
      printCommand('allow_new_rules', {
        name: 'allow-new-rules',
        args: { project: '<project>' },
        lines: (each: Changed) => [`The rules of ${nameOf(each)} are new no longer. It is swept.`],
      }),
    )
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

interface DrainFlags extends AdminFlags {
  /** In milliseconds. */
  timeout: number
  why?: string
}

const pollEveryMs = 300

function drain(): Command {
  return withAdmin(new Command('drain'))
    .description('Pauses everything and waits for running jobs, before maintenance.')
    .option('--why <why>', 'The reason, for the audit log.')
    .addOption(
      new Option('--timeout <time>', 'how long to wait, such as 90s or 5m; 0 only checks')
        .argParser(argument(period))
        .default(300_000, '5m'),
    )
    .addHelpText(
      'after',
      '\nExit code 0 when nothing runs, else 1. Deliveries are still accepted; jobs stay paused until bellhop queue resume.',
    )
    .action(perform)
}

/** Pauses everything, and waits. Exit code 1 if something still runs at the end. */
async function perform({ timeout, why, format, ...connection }: DrainFlags): Promise<void> {
  const call = createAdminClient(connection)
  const until = performance.now() + timeout
  await call('pause', { why })
  const progress = createProgress()
  let atFirst = 0
  let queues: QueueResponse['queues']
  for (;;) {
    ;({ queues } = await call<QueueResponse>('show_queue'))
    const running = countOf(queues, 'active')
    atFirst ||= running
    if (running === 0 || performance.now() >= until) break
    const where = queues.flatMap(({ queue, counts: { active = 0 } }) => (active > 0 ? [`${queue} ${active}`] : []))
    progress.show(`still running: ${where.join(', ')}`, 1 - running / atFirst)
    await delay(Math.min(pollEveryMs, Math.max(0, until - performance.now())))
  }
  progress.end()
  const drained = countOf(queues, 'active') === 0
  const running = await runningIn(call, queues)
  const waiting = countOf(queues, 'waiting') + countOf(queues, 'delayed')
  printAs(format, { drained, running, waiting }, () => linesOf(drained, running, waiting))
  if (!drained) process.exitCode = 1
}

function countOf(queues: QueueResponse['queues'], state: string): number {
  return queues.reduce((sum, { counts }) => sum + (counts[state] ?? 0), 0)
}

/** Some jobs of each queue. */
async function runningIn(call: RunOperation, queues: QueueResponse['queues']): Promise<JobSummary[]> {
  const running: JobSummary[] = []
  for (const { queue, counts } of queues)
    if ((counts.active ?? 0) > 0)
      running.push(...(await call<{ items: JobSummary[] }>('list_jobs', { queue, state: 'active' })).items)
  return running
}

/** `running`: the jobs that did not end in time. */
function linesOf(drained: boolean, running: readonly JobSummary[], waiting: number): string[] {
  const still = running.map(
    ({ queue, id, mergeRequest: of }) =>
      `still running: ${queue} ${plain(id)}${of === undefined ? '' : ` of ${describeMergeRequest(of)}`}`,
  )
  const end = drained ? 'Nothing runs' : 'Timed out'
  return [...still, `${end}; waiting jobs: ${waiting}. Everything is paused until bellhop queue resume.`]
}
