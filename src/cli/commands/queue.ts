// `bellhop queue status|jobs|pause|resume|drain|retry|promote|discard`: what waits, runs and failed, and what to do about it.
import Table from 'cli-table3'
import { Argument, Command, Option } from 'commander'
import type { BulkAnswer, QueueAnswer } from '../../admin/routes/queue.ts'
import type { JobAnswer } from '../../admin/shown-jobs.ts'
import { type AdminClient, createAdminClient } from '../admin-client.ts'
import { type AdminFlags, withAdmin } from '../admin-options.ts'
import { createProgress } from '../backtest/progress.ts'
import { drain, withTimeout } from '../desk/drain.ts'
import { plain, printJson as print } from '../terminal-text.ts'
import { UserError } from '../user-error.ts'

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
  do?: true
  state?: string
  why?: string
}

const lanes = ['deliveries', 'mergeRequests', 'ruleChanges', 'sweeps', 'timers', 'notices']
const lane = () => new Argument('<lane>', 'which line of jobs').choices(lanes)
const reason = (command: Command) => command.option('--why <reason>', 'for the audit log')

/** Subcommands over the admin API of a running bot. */
export function queue(): Command {
  const command = new Command('queue').description('see, pause, resume, drain, retry, promote and discard the work of a running bot')
  command.addCommand(withAdmin(new Command('status').description('how many jobs are in each state, and what is paused')).action(status))
  command.addCommand(
    withAdmin(new Command('jobs').description('jobs of a lane, newest first').addArgument(lane()))
      .addOption(new Option('--state <state>', 'in which state').choices(['waiting', 'delayed', 'failed', 'active']).default('failed'))
      .option('--limit <number>', 'how many', '20')
      .action(jobs),
  )
  for (const [verb, about] of [
    ['pause', 'begin no more work: all of it, or of one project’s merge requests; deliveries are still taken'],
    ['resume', 'go on with it'],
  ] as const)
    command.addCommand(
      reason(withAdmin(new Command(verb).description(about)).option('--project <id>', 'only this project')).action((flags: PauseFlags) =>
        pause(verb, flags),
      ),
    )
  command.addCommand(
    reason(
      withTimeout(withAdmin(new Command('drain').description('before maintenance: pause everything, and wait until what runs has ended'))),
    ).action(drain),
  )
  command.addCommand(
    reason(withAdmin(new Command('retry').description('put failed jobs back in line').addArgument(lane()).argument('[id]', 'one job')))
      .option('--all', 'all that failed')
      .action(retry),
  )
  command.addCommand(
    reason(
      withAdmin(new Command('promote').description('let a delayed job run at once').addArgument(lane()).argument('<id>', 'the job')),
    ).action(promote),
  )
  command.addCommand(
    reason(
      withAdmin(
        new Command('discard').description('drop a job, or all that are in one state').addArgument(lane()).argument('[id]', 'one job'),
      ),
    )
      .addOption(new Option('--state <state>', 'all in this state').choices(['waiting', 'delayed', 'failed']))
      .option('--do', 'drop them; without it those of a state are only counted')
      .addHelpText(
        'after',
        '\nWhat a dropped job would have done is not done. A sweep makes good state rules, but not events that rules with on: wait for.',
      )
      .action(discard),
  )
  return command
}

async function status(flags: AdminFlags): Promise<void> {
  const answer = (await createAdminClient(flags).get('/queue')) as QueueAnswer
  if (flags.format === 'json') return print(answer)
  const states = ['waiting', 'active', 'delayed', 'failed', 'completed']
  const table = new Table({ head: ['lane', ...states, ''], style: { head: [], border: [], compact: true } })
  for (const each of answer.lanes) table.push([each.lane, ...states.map((state) => each.counts[state] ?? 0), each.paused ? 'paused' : ''])
  const paused = answer.pausedProjects.map(
    ({ project, at, by, why }) => `project ${project} is paused since ${at} by ${plain(by)}${why === undefined ? '' : `: ${plain(why)}`}\n`,
  )
  process.stdout.write(`${table.toString()}\n${paused.join('')}`)
}

async function jobs(of: string, flags: JobsFlags): Promise<void> {
  const query = new URLSearchParams({ state: flags.state, limit: flags.limit })
  const answer = (await createAdminClient(flags).get(`/queue/${of}/jobs?${query}`)) as { items: JobAnswer[] }
  if (flags.format === 'json') return print(answer)
  const table = new Table({ head: ['added', 'id', 'about', 'attempts', 'failure'], style: { head: [], border: [], compact: true } })
  for (const { addedAt, id, about, attempts, failure = '' } of answer.items)
    table.push([addedAt, plain(id), about === undefined ? '' : `${about.project}!${about.iid}`, attempts, plain(failure)])
  process.stdout.write(`${table.toString()}\n`)
}

async function pause(verb: 'pause' | 'resume', { project, why, ...flags }: PauseFlags): Promise<void> {
  const answer = (await createAdminClient(flags).post(`/queue/${verb}`, { project, why })) as { woken?: number }
  if (flags.format === 'json') return print(answer)
  const what = project === undefined ? 'Everything' : `Project ${plain(project)}`
  const woken = answer.woken === undefined ? '' : ` ${answer.woken} merge requests were held back, and are judged now.`
  process.stdout.write(`${what} is ${verb}d.${woken}\n`)
}

async function retry(of: string, id: string | undefined, { all, why, ...flags }: BulkFlags): Promise<void> {
  const admin = createAdminClient(flags)
  if (id !== undefined)
    return one(admin, `/queue/${of}/jobs/${encodeURIComponent(id)}/retry`, `Job ${plain(id)} is in line again.`, why, flags)
  if (all !== true) throw new UserError('Name a job, or say --all.', { exitCode: 2 })
  const count = await bulk(admin, `/queue/${of}/retry-failed`, { why })
  if (flags.format === 'json') return print({ count })
  process.stdout.write(`${count} in line again.\n`)
}

function promote(of: string, id: string, { why, ...flags }: BulkFlags): Promise<void> {
  const admin = createAdminClient(flags)
  return one(admin, `/queue/${of}/jobs/${encodeURIComponent(id)}/promote`, `Job ${plain(id)} runs at once.`, why, flags)
}

async function discard(of: string, id: string | undefined, { state, why, do: really, ...flags }: BulkFlags): Promise<void> {
  const admin = createAdminClient(flags)
  if (id !== undefined) return one(admin, `/queue/${of}/jobs/${encodeURIComponent(id)}/discard`, `Job ${plain(id)} is dropped.`, why, flags)
  if (state === undefined) throw new UserError('Name a job, or say --state.', { exitCode: 2 })
  if (really !== true) {
    const counted = (await admin.post(`/queue/${of}/discard`, { state })) as BulkAnswer
    if (flags.format === 'json') return print(counted)
    return void process.stdout.write(`${counted.count}${counted.more ? ' and more' : ''} would be dropped. With --do they are.\n`)
  }
  const count = await bulk(admin, `/queue/${of}/discard`, { state, why, dry_run: false })
  if (flags.format === 'json') return print({ count })
  process.stdout.write(`${count} dropped.\n`)
}

async function one(admin: AdminClient, path: string, said: string, why: string | undefined, { format }: AdminFlags): Promise<void> {
  const answer = await admin.post(path, { why })
  if (format === 'json') return print(answer)
  process.stdout.write(`${said}\n`)
}

/** As many times as there are more. What fails again meanwhile is not tried for ever. */
async function bulk(admin: AdminClient, path: string, body: object): Promise<number> {
  const progress = createProgress(process.stderr)
  let count = 0
  for (let turn = 0; turn < 100; turn += 1) {
    const done = (await admin.post(path, body)) as BulkAnswer
    count += done.count
    if (!done.more || done.count === 0) break
    progress.show(`${count} of ${count + done.left}`, count / (count + done.left))
  }
  progress.end()
  return count
}
