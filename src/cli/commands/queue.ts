// `bellhop queue …`: inspects and manages the jobs of a running bot.
import { Argument, Command, Option } from 'commander'
import { type JobSummary, jobStates } from '../../admin/api/jobs.ts'
import type { BulkResponse, QueueResponse } from '../../admin/api/routes/queue.ts'
import { queueNames } from '../../queue/queue-names.ts'
import type { NamedRef } from '../../rules/explain/ref-name.ts'
import { count as counted } from '../../rules/language/values/wording.ts'
import { createAdminClient } from '../admin/admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin/admin-options.ts'
import { describeMergeRequest } from '../admin/describe.ts'
import { drain, withTimeout } from '../admin/drain.ts'
import { createProgress } from '../output/progress.ts'
import { listOf, tableOf } from '../output/table.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { UsageError } from '../user-error.ts'

interface JobsFlags extends AdminFlags {
  state: string
  limit: string
}
interface PauseFlags extends AdminFlags {
  project?: string
  why?: string
}
interface BulkFlags extends AdminFlags {
  all?: true
  apply?: true
  state?: string
  why?: string
}

const queueName = () => new Argument('<queue>', 'which queue').choices(queueNames)

export function queue(): Command {
  const command = new Command()
  const add = (name: string, about: string) => withAdmin(command.command(name).description(about))
  const addWithReason = (name: string, about: string) => add(name, about).option('--why <reason>', 'for the audit log')
  add('status', 'show how many jobs are in each state, and what is paused').action(status)
  add('jobs', 'list jobs of a queue, newest first')
    .addArgument(queueName())
    .addOption(new Option('--state <state>', 'state of the jobs').choices(jobStates).default('failed'))
    .option('--limit <number>', 'number of jobs', '20')
    .action(jobs)
  for (const [verb, about] of [
    ['pause', 'start no more jobs, of all or of one project; deliveries are still accepted'],
    ['resume', 'start jobs again'],
  ] as const)
    addWithReason(verb, about)
      .option('--project <id or path>', 'only this project')
      .action((flags: PauseFlags) => pause(verb, flags))
  withTimeout(addWithReason('drain', 'pause everything and wait for running jobs, before maintenance')).action(drain)
  addWithReason('retry', 'enqueue failed jobs again')
    .addArgument(queueName())
    .argument('[id]', 'one job')
    .option('--all', 'all failed jobs')
    .action(retry)
  addWithReason('promote', 'run a delayed job now').addArgument(queueName()).argument('<id>', 'the job').action(promote)
  addWithReason('discard', 'delete a job, or all jobs in one state')
    .addArgument(queueName())
    .argument('[id]', 'one job')
    .addOption(new Option('--state <state>', 'all in this state').choices(['waiting', 'delayed', 'failed']))
    .option('--apply', 'delete them; without it jobs of a state are only counted')
    .addHelpText(
      'after',
      '\nA deleted job does not run. A sweep repairs that for state rules, but not for rules with on:.',
    )
    .action(discard)
  return command
}

async function status(flags: AdminFlags): Promise<void> {
  const response = (await createAdminClient(flags).get('/queue')) as QueueResponse
  const states = ['waiting', 'active', 'delayed', 'failed', 'completed']
  const rows = response.queues.map(({ queue: name, counts, paused }) => [
    ...[name, ...states.map((state) => counts[state] ?? 0)],
    paused ? 'yes' : 'no',
  ])
  const pausedProjects = response.pausedProjects.map(
    ({ at, by, why, ...ref }) =>
      `${describeMergeRequest(ref)} is paused since ${at} by ${plain(by)}${why === undefined ? '' : `: ${plain(why)}`}`,
  )
  printAs(flags.format, response, () => [tableOf(['queue', ...states, 'paused'], rows), ...pausedProjects])
}

async function jobs(of: string, flags: JobsFlags): Promise<void> {
  const query = new URLSearchParams({ state: flags.state, limit: flags.limit })
  const response = (await createAdminClient(flags).get(`/queue/${of}/jobs?${query}`)) as { items: JobSummary[] }
  const rows = response.items.map(({ addedAt, id, mergeRequest: on, attempts, failure = '' }) => [
    ...[addedAt, id, on === undefined ? '' : describeMergeRequest(on)],
    ...[attempts, failure],
  ])
  printAs(flags.format, response, () => [
    listOf(['added', 'id', 'subject', 'attempts', 'failure'], rows, `No ${flags.state} jobs in ${of}.`),
  ])
}

async function pause(verb: 'pause' | 'resume', { project, why, ...flags }: PauseFlags): Promise<void> {
  const response = (await createAdminClient(flags).post(`/queue/${verb}`, { project, why })) as Partial<NamedRef> & {
    enqueued?: number
  }
  const { enqueued = 0, project: id, path } = response
  const what = id === undefined ? 'Everything' : path === undefined ? `Project ${id}` : plain(path)
  const waited =
    enqueued === 0
      ? ''
      : ` ${counted(enqueued, 'merge request that waited is', 'merge requests that waited are')} evaluated now.`
  printAs(flags.format, response, () => [`${what} is ${verb}d.${waited}`])
}

async function retry(of: string, id: string | undefined, flags: BulkFlags): Promise<void> {
  if (id !== undefined) return changeOne(of, id, 'retry', 'is enqueued again', flags)
  if (flags.all !== true) throw new UsageError('Name a job, or use --all.')
  const count = await changeAll(`/queue/${of}/retry-failed`, {}, flags)
  printAs(flags.format, { count }, () => [`${count} enqueued again.`])
}

function promote(of: string, id: string, flags: BulkFlags): Promise<void> {
  return changeOne(of, id, 'promote', 'runs now', flags)
}

async function discard(of: string, id: string | undefined, flags: BulkFlags): Promise<void> {
  const { state, format } = flags
  if (id !== undefined) return changeOne(of, id, 'discard', 'is deleted', flags)
  if (state === undefined) throw new UsageError('Name a job, or use --state.')
  const path = `/queue/${of}/discard`
  if (flags.apply !== true) {
    const counted = (await createAdminClient(flags).post(path, { state })) as BulkResponse
    const { count, more } = counted
    return printAs(format, counted, () => [`${count}${more ? ' and more' : ''} would be deleted: use --apply.`])
  }
  const count = await changeAll(path, { state, dry_run: false }, flags)
  printAs(format, { count }, () => [`${count} deleted.`])
}

async function changeOne(of: string, id: string, verb: string, outcome: string, flags: BulkFlags): Promise<void> {
  const path = `/queue/${of}/jobs/${encodeURIComponent(id)}/${verb}`
  const response = await createAdminClient(flags).post(path, { why: flags.why })
  printAs(flags.format, response, () => [`Job ${plain(id)} ${outcome}.`])
}

/** Repeats while there are more, at most 100 times: jobs may fail again meanwhile. */
async function changeAll(path: string, body: object, { why, ...flags }: BulkFlags): Promise<number> {
  const admin = createAdminClient(flags)
  const progress = createProgress(process.stderr)
  let count = 0
  for (let turn = 0; turn < 100; turn += 1) {
    const done = (await admin.post(path, { ...body, why })) as BulkResponse
    count += done.count
    if (!done.more || done.count === 0) break
    progress.show(`${count} of ${count + done.remaining}`, count / (count + done.remaining))
  }
  progress.end()
  return count
}
