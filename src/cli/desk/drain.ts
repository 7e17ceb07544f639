// `bellhop queue drain`: before maintenance, begins nothing more and waits until what runs has ended.
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { QueueAnswer } from '../../admin/routes/queue.ts'
import type { JobAnswer } from '../../admin/shown-jobs.ts'
import { type AdminClient, createAdminClient } from '../admin-client.ts'
import type { AdminFlags } from '../admin-options.ts'
import { createProgress } from '../backtest/progress.ts'
import { period } from '../setting-texts.ts'
import { plain, printJson } from '../terminal-text.ts'

export interface DrainFlags extends AdminFlags {
  /** In milliseconds. */
  timeout: number
  why?: string
}

/** What `--format json` prints. */
export interface DrainAnswer {
  drained: boolean
  /** What has not ended in time, some of each lane. */
  running: JobAnswer[]
  /** Jobs that wait or are delayed until it is resumed. */
  waiting: number
}

const pollEveryMs = 300

/** The option for how long it waits. */
export function withTimeout(command: Command): Command {
  return command
    .addOption(
      new Option('--timeout <time>', 'how long it waits, such as 90s or 5m; 0 only looks').argParser(milliseconds).default(300_000, '5m'),
    )
    .addHelpText(
      'after',
      '\nExit 0 when nothing runs, 1 when something still does. Deliveries are still taken; all stays paused until bellhop queue resume.',
    )
}

/** Pauses everything, and waits. Exit code 1 where something still runs at the end. */
export async function drain({ timeout, why, format, ...connection }: DrainFlags): Promise<void> {
  const admin = createAdminClient(connection)
  const until = performance.now() + timeout
  await admin.post('/queue/pause', { why })
  const progress = createProgress(process.stderr)
  let atFirst = 0
  let lanes: QueueAnswer['lanes']
  for (;;) {
    ;({ lanes } = (await admin.get('/queue')) as QueueAnswer)
    const running = countOf(lanes, 'active')
    atFirst ||= running
    if (running === 0 || performance.now() >= until) break
    const where = lanes.flatMap(({ lane, counts: { active = 0 } }) => (active > 0 ? [`${lane} ${active}`] : []))
    progress.show(`still running: ${where.join(', ')}`, 1 - running / atFirst)
    await delay(Math.min(pollEveryMs, Math.max(0, until - performance.now())))
  }
  progress.end()
  const drained = countOf(lanes, 'active') === 0
  const answer: DrainAnswer = {
    drained,
    running: drained ? [] : await runningIn(admin, lanes),
    waiting: countOf(lanes, 'waiting') + countOf(lanes, 'delayed'),
  }
  if (format === 'json') printJson(answer)
  else process.stdout.write(`${linesOf(answer).join('\n')}\n`)
  if (!drained) process.exitCode = 1
}

function countOf(lanes: QueueAnswer['lanes'], state: string): number {
  return lanes.reduce((sum, { counts }) => sum + (counts[state] ?? 0), 0)
}

async function runningIn(admin: AdminClient, lanes: QueueAnswer['lanes']): Promise<JobAnswer[]> {
  const running: JobAnswer[] = []
  for (const { lane, counts } of lanes)
    if ((counts.active ?? 0) > 0) running.push(...((await admin.get(`/queue/${lane}/jobs?state=active`)) as { items: JobAnswer[] }).items)
  return running
}

function linesOf({ drained, running, waiting }: DrainAnswer): string[] {
  const still = running.map(
    ({ lane, id, about }) => `still running: ${lane} ${plain(id)}${about === undefined ? '' : ` of ${about.project}!${about.iid}`}`,
  )
  const end = drained ? 'Nothing runs any more' : 'The time is over'
  return [...still, `${end}; jobs that wait: ${waiting}. Everything is paused: bellhop queue resume goes on.`]
}

function milliseconds(text: string): number {
  try {
    return period(text)
  } catch (error) {
    throw new InvalidArgumentError(`expected ${error instanceof Error ? error.message : 'a time'}`)
  }
}
