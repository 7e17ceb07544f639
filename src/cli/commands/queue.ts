// `bellhop queue …`: inspects and manages the jobs of a running bot.
import Table from 'cli-table3'
import { Argument, Command, Option } from 'commander'
import type { JobSummary } from '../../admin/api/jobs.ts'
import type { BulkResponse, QueueResponse } from '../../admin/api/routes/queue.ts'
import { type AdminClient, createAdminClient } from '../admin/admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin/admin-options.ts'
import { drain, withTimeout } from '../admin/drain.ts'
import { createProgress } from '../output/progress.ts'
import { plain, printJson as print } from '../output/terminal-text.ts'
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

const queues = ['deliveries', 'mergeRequests', 'ruleChanges', 'sweeps', 'timers', 'notices']
const queueName = () => new Argument('<queue>', 'which queue').choices(queues)

export function queue(): Command {
  const command = new Command()
  const add = (name: string, about: string) => withAdmin(command.command(name).description(about))
  const addWithReason = (name: string, about: string) => add(name, about).option('--why <reason>', 'for the audit log')
  add('status', 'show how many jobs are in each state, and what is paused').action(status)
  add('jobs', 'list jobs of a queue, newest first')
    .addArgument(queueName())
    .addOption(
      new Option('--state <state>', 'state of the jobs')
        .choices(['waiting', 'delayed', 'failed', 'active'])
        .default('failed'),
    )
    .option('--limit <number>', 'number of jobs', '20')
    .action(jobs)
  for (const [verb, about] of [
    ['pause', 'start no more jobs, of all or of one project; deliveries are still accepted'],
    ['resume', 'start jobs again'],
  ] as const)
    addWithReason(verb, about)
      .option('--project <id>', 'only this project')
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
  const answer = (await createAdminClient(flags).get('/queue')) as QueueResponse
  if (flags.format === 'json') return print(answer)
  const states = ['waiting', 'active', 'delayed', 'failed', 'completed']
  const table = new Table({ head: ['queue', ...states, ''], style: { head: [], border: [], compact: true } })
  for (const each of answer.queues)
    table.push([each.queue, ...states.map((state) => each.counts[state] ?? 0), each.paused ? 'paused' : ''])
  const paused = answer.pausedProjects.map(
    ({ project, at, by, why }) =>
      `project ${project} is paused since ${at} by ${plain(by)}${why === undefined ? '' : `: ${plain(why)}`}\n`,
  )
  process.stdout.write(`${table.toString()}\n${paused.join('')}`)
}

async function jobs(of: string, flags: JobsFlags): Promise<void> {
  const query = new URLSearchParams({ state: flags.state, limit: flags.limit })
  const answer = (await createAdminClient(flags).get(`/queue/${of}/jobs?${query}`)) as { items: JobSummary[] }
  if (flags.format === 'json') return print(answer)
  const table = new Table({
    head: ['added', 'id', 'merge request', 'attempts', 'failure'],
    style: { head: [], border: [], compact: true },
  })
  for (const { addedAt, id, mergeRequest: of, attempts, failure = '' } of answer.items)
    table.push([addedAt, plain(id), of === undefined ? '' : `${of.project}!${of.iid}`, attempts, plain(failure)])
  process.stdout.write(`${table.toString()}\n`)
}

async function pause(verb: 'pause' | 'resume', { project, why, ...flags }: PauseFlags): Promise<void> {
  const answer = (await createAdminClient(flags).post(`/queue/${verb}`, { project, why })) as { enqueued?: number }
  if (flags.format === 'json') return print(answer)
  const what = project === undefined ? 'Everything' : `Project ${plain(project)}`
  const enqueued =
    answer.enqueued === undefined ? '' : ` ${answer.enqueued} merge requests that waited are evaluated now.`
  process.stdout.write(`${what} is ${verb}d.${enqueued}\n`)
}

async function retry(of: string, id: string | undefined, { all, why, ...flags }: BulkFlags): Promise<void> {
  const admin = createAdminClient(flags)
  if (id !== undefined)
    return one(
      admin,
      `/queue/${of}/jobs/${encodeURIComponent(id)}/retry`,
      `Job ${plain(id)} is enqueued again.`,
      why,
      flags,
    )
  if (all !== true) throw new UsageError('Name a job, or use --all.')
  const count = await bulk(admin, `/queue/${of}/retry-failed`, { why })
  if (flags.format === 'json') return print({ count })
  process.stdout.write(`${count} enqueued again.\n`)
}

function promote(of: string, id: string, { why, ...flags }: BulkFlags): Promise<void> {
  const admin = createAdminClient(flags)
  return one(admin, `/queue/${of}/jobs/${encodeURIComponent(id)}/promote`, `Job ${plain(id)} runs now.`, why, flags)
}

async function discard(of: string, id: string | undefined, { state, why, apply, ...flags }: BulkFlags): Promise<void> {
  const admin = createAdminClient(flags)
  if (id !== undefined)
    return one(admin, `/queue/${of}/jobs/${encodeURIComponent(id)}/discard`, `Job ${plain(id)} is deleted.`, why, flags)
  if (state === undefined) throw new UsageError('Name a job, or use --state.')
  if (apply !== true) {
    const counted = (await admin.post(`/queue/${of}/discard`, { state })) as BulkResponse
    if (flags.format === 'json') return print(counted)
    return void process.stdout.write(
      `${counted.count}${counted.more ? ' and more' : ''} would be deleted: use --apply.\n`,
    )
  }
  const count = await bulk(admin, `/queue/${of}/discard`, { state, why, dry_run: false })
  if (flags.format === 'json') return print({ count })
  process.stdout.write(`${count} deleted.\n`)
}

async function one(
  admin: AdminClient,
  path: string,
  said: string,
  why: string | undefined,
  { format }: AdminFlags,
): Promise<void> {
  const answer = await admin.post(path, { why })
  if (format === 'json') return print(answer)
  process.stdout.write(`${said}\n`)
}

/** Repeats while there are more, at most 100 times: jobs may fail again meanwhile. */
async function bulk(admin: AdminClient, path: string, body: object): Promise<number> {
  const progress = createProgress(process.stderr)
  let count = 0
  for (let turn = 0; turn < 100; turn += 1) {
    const done = (await admin.post(path, body)) as BulkResponse
    count += done.count
    if (!done.more || done.count === 0) break
    progress.show(`${count} of ${count + done.remaining}`, count / (count + done.remaining))
  }
  progress.end()
  return count
}
