// `bellhop queue drain`: pauses everything and waits for running jobs.
import { setTimeout as delay } from 'node:timers/promises'
import { Command, Option } from 'commander'
import type { JobSummary } from '../../admin/api/jobs.ts'
import type { RunOperation } from '../../admin/api/route.ts'
import type { QueueResponse } from '../../admin/api/routes/queue.ts'
import { createProgress } from '../output/progress.ts'
import { plain, printAs } from '../output/terminal-text.ts'
import { argument } from '../settings/argument.ts'
import { period } from '../settings/setting-values.ts'
import { createAdminClient } from './admin-client.ts'
import { describeMergeRequest } from './describe.ts'
import { type AdminFlags, withAdmin } from './route-command.ts'

interface DrainFlags extends AdminFlags {
  /** In milliseconds. */
  timeout: number
  why?: string
}

const pollEveryMs = 300

export function drain(): Command {
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
