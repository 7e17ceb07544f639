// The bot of `serve` without its server: sweeps once, works until nothing is due, and sums up what was done.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Bot } from '../../bot/bot.ts'
import { logName } from '../../bot/reporting/names.ts'
import { askTokenScope } from '../../bot/service/bot-token.ts'
import { mergeRequestOf } from '../../bot/service/job-handler.ts'
import type { RunSweep } from '../../bot/sweep/run-once.ts'
import { NothingToSweep } from '../../bot/sweep/sweep-projects.ts'
import { createClient } from '../../client/create-client.ts'
import type { Journal } from '../../journal/journal.ts'
import { QueueNotSettled } from '../../queue/errors.ts'
import { allSettled } from '../../queue/settled.ts'
import type { JobQueue } from '../../queue/types.ts'
import { createProgress } from '../output/terminal-text.ts'
import { openBot } from '../server/start-bellhop.ts'
import { stopSignal } from '../server/stop-signal.ts'
import { orUserError } from '../service/connect.ts'
import { serviceFetch } from '../service/service-fetch.ts'
import type { Config } from '../settings/settings.ts'
import { UserError } from '../user-error.ts'
import { decidedSince, type RunSubject, type RunSummary, summaryOf, wouldDo } from './summary.ts'

interface RunOptions extends Pick<RunSummary, 'dryRun' | 'forgotten'> {
  /** A project or group; undefined: all projects. */
  of: string | undefined
  forMs: number
  log: Logger
}

/** For jobs that run when the time is over. */
const stopWithinMs = 10_000
const mostFailures = 20

/** Throws UserError where nothing was done. */
export async function runOnce(config: Config, { of, forMs, log, ...given }: RunOptions): Promise<RunSummary> {
  const fetch = serviceFetch(config, process.env)
  const until = Date.now() + forMs
  await checkToken(config, fetch)
  const service = { token: () => config.serviceToken, fetch }
  // A rate limit holds single calls, as long as the run may take.
  const options = { log, service, withoutServer: true, retryDelays: { callMs: forMs } }
  const { bot, queue, journal, close } = await openBot(config, options).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UserError(`${reason} Or delete the folder of --journal: then nothing is remembered.`, { cause })
  })
  const progress = createProgress()
  const began = new Date().toISOString()
  try {
    const failedBefore = await failedJobs(bot)
    let sweep: RunSweep | undefined
    const subjects: RunSubject[] = []
    const work = async (): Promise<undefined> => {
      const onProject = ({ path = '' }: { path?: string }) => progress.show(path, 0)
      sweep = await sweepOrUserError(bot, { of, dryRun: given.dryRun, onProject })
      if (given.dryRun) {
        subjects.push(...(await tryOut(bot, sweep)))
        return undefined
      }
      // After all events are known: nothing may be evaluated by an older memory.
      bot.start('worker')
      await allSettled(queuesOf(bot), until)
      return undefined
    }
    const over = delay(forMs, 'the time of --for is over', { ref: false })
    const stopped = await Promise.race([
      work().catch(ifUnsettled),
      over,
      stopSignal().then((signal) => `got ${signal}`),
    ])
    await bot.stop(stopWithinMs)
    if (given.dryRun) return summaryOf({ ...given, sweep, subjects, failures: [], stopped })
    await sweep?.finish()
    const failures = await failuresOf(bot, journal, failedBefore)
    return summaryOf({ ...given, sweep, subjects: await decidedSince(journal, began), failures, stopped })
  } finally {
    progress.end()
    await bot.stop(stopWithinMs)
    await queue.close()
    await close()
  }
}

/** A token that is rejected, or may only read, must not begin anything. */
async function checkToken(config: Config, fetch: typeof globalThis.fetch | undefined): Promise<void> {
  const { serviceUrl: baseUrl, serviceToken: token, serviceTokenKind: tokenKind } = config
  const client = createClient({ baseUrl, token, tokenKind, fetch })
  await orUserError(() => client.users.current({}))
  const { is, reason } = await askTokenScope(client)
  if (is === 'too_narrow') throw new UserError(`The token may only read: ${reason}. It needs the scope api.`)
}

function sweepOrUserError(bot: Bot, request: Parameters<Bot['sweepOnce']>[0]): Promise<RunSweep> {
  return orUserError(() => bot.sweepOnce(request)).catch((error: unknown) => {
    if (error instanceof NothingToSweep) throw new UserError(error.message, { cause: error })
    throw error
  })
}

function ifUnsettled(error: unknown): string {
  if (error instanceof QueueNotSettled) return error.message
  throw error
}

const queuesOf = (bot: Bot) => Object.values(bot.queues) as JobQueue<unknown>[]

async function failedJobs(bot: Bot): Promise<Map<string, number>> {
  const counts = queuesOf(bot).map(async (each) => [each.name, (await each.counts()).failed] as const)
  return new Map(await Promise.all(counts))
}

/** A sentence for each job that failed in this run, or is tried again in the next one. */
async function failuresOf(bot: Bot, journal: Journal, before: ReadonlyMap<string, number>): Promise<string[]> {
  const found: string[] = []
  for (const each of queuesOf(bot)) {
    const failed = (await each.counts()).failed - (before.get(each.name) ?? 0)
    const retried = await each.list(['delayed'], 0, mostFailures)
    const jobs = [
      ...(await each.list(['failed'], 0, Math.min(failed, mostFailures))),
      ...retried.filter(({ attempts }) => attempts > 0),
    ]
    for (const { data, failure = 'it failed' } of jobs) {
      const { project, iid } = mergeRequestOf(data)
      const what =
        project === undefined ? `A job of ${each.name}` : await logName(journal, { project, ...(iid && { iid }) })
      found.push(`${what}: ${failure}`)
    }
  }
  return found
}

async function tryOut(bot: Bot, { projects }: RunSweep): Promise<RunSubject[]> {
  const subjects: RunSubject[] = []
  for (const { project, path, enqueued } of projects)
    for (const { iid } of enqueued) {
      const tried = await bot.dryRun({ project, iid })
      const name = path === undefined ? {} : { path }
      subjects.push(wouldDo({ project, iid }, name, tried))
    }
  return subjects
}
