// Builds the flow: receive → intake → evaluate.
import { readOnlyJournal } from '../journal/journal.ts'
import { asError } from '../queue/errors.ts'
import { allSettled } from '../queue/settled.ts'
import type { QueueWorker } from '../queue/types.ts'
import type { Freeze } from '../rules/language/values/freezes.ts'
import type { NewRuleLimit } from '../rules/types.ts'
import { createRuleTrials } from './backtest/backtest.ts'
import type { BotOptions } from './bot-options.ts'
import type { Context } from './context.ts'
import { createAnswerCache } from './evaluation/answers.ts'
import { createDryRun } from './evaluation/dry-run.ts'
import { changeFreeze, readFreezeOf } from './evaluation/freezes.ts'
import { allowNewRules, newRuleLimitOf, newRuleMarks } from './evaluation/new-rule-counts.ts'
import { createPausedProjects } from './evaluation/paused-projects.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createReplays } from './intake/replay.ts'
import { createCompareContent } from './merge-queue/git/compare-content.ts'
import { createGitIdentity, createOpenRepository } from './merge-queue/git/open-repository.ts'
import type { NotificationContent } from './notifications/notification.ts'
import { createNotifier, notify } from './notifications/notify.ts'
import { createOutboundPosts } from './notifications/outbound-posts.ts'
import { createBotQueues, unsharedMergeRequests } from './queues.ts'
import { createReceiver, logSweepNotQueued } from './receiver.ts'
import { createRuleCache } from './rule-files/read-rule-file.ts'
import { createRuleFiles } from './rule-files/rule-files.ts'
import { createBotUserLookup } from './service/bot-token.ts'
import { type RunRequest, sweepOnce } from './sweep/run-once.ts'
import { createSweepJobs } from './sweep/sweep-jobs.ts'
import { logJobError, startWorkers } from './workers.ts'

export type Bot = ReturnType<typeof createBot>

/** Nothing runs until `start`. */
export function createBot(options: BotOptions) {
  const { backend, operator, log, readTokenExpiry } = options
  const context = createContext(options)
  const { now, queues } = context
  const dryContext = contextOfDryRuns(context)
  const posts = createOutboundPosts(context)
  const notifier = createNotifier(context, posts)
  // What a sweep enqueues does not count against the share of a project.
  const unshared = { ...queues, mergeRequests: unsharedMergeRequests(backend, now) }
  const sweeping = { ...context, queues: unshared }
  const sweeps = createSweepJobs(sweeping)
  const receiver = createReceiver({ ...options, sweepEveryMs: operator.sweep.everyMs }, queues)
  const dryRun = createDryRun(dryContext)
  let workers: QueueWorker[] = []
  let stopHousekeeping = () => {}

  return {
    ...receiver,
    queues,
    notify: (content: NotificationContent, key: string) => notify(context, content, key),
    /** To be called with each new condition of the service. */
    onServiceCondition: notifier.outages.onCondition,
    /** Starts the workers, and the receiver unless only they are wanted. */
    start(only?: 'worker'): void {
      if (only !== 'worker') receiver.capacity.start()
      workers = startWorkers(context, options, { notifier, posts, sweeps })
      if (operator.postNotification !== undefined)
        notifier.outages.resume().catch((error: unknown) => logJobError(log, asError(error)))
      if (operator.sweep.everyMs > 0) sweeps.enqueue('start').catch(logSweepNotQueued(log))
      const scheduleSweeps = () => sweeps.keepSchedule(operator.sweep.everyMs)
      stopHousekeeping = startHousekeeping(context, scheduleSweeps, readTokenExpiry)
    },
    replay: createReplays(context),
    dryRun,
    ruleTrials: createRuleTrials(dryContext, dryRun),
    paused: createPausedProjects(context),
    ruleFiles: context.rules,
    /** The limit on a project's rules as last read; undefined if none applies. Costs no call. */
    async newRuleLimit(project: number): Promise<NewRuleLimit | undefined> {
      const rules = await context.rules.known(project)
      if (rules === undefined) return undefined
      const { marks } = await context.journal.load({ project, iid: 0 }, newRuleMarks)
      // Looking at the limit makes no rule older.
      return newRuleLimitOf(dryContext, project, rules, marks)
    },
    allowNewRules: (project: number) => allowNewRules(context, project),
    freezes: {
      last: (project: number) => readFreezeOf(context, project),
      change: (project: number, freeze: Freeze) => changeFreeze(context, project, freeze),
    },
    /** Queues a sweep of a project or group; its record in the journal shows the progress. */
    sweep: sweeps.request,
    /** For a bot without hooks: finds what is to be done, at once and only now. */
    sweepOnce: (request: RunRequest) => sweepOnce(sweeping, request),
    /** Resolves when every delivery and merge request in the queues has been processed. */
    async settled(): Promise<void> {
      const { sweeps, deliveries, mergeRequests, mergeQueues, ruleChanges } = queues
      await allSettled([sweeps, deliveries, mergeRequests, mergeQueues, ruleChanges])
    },
    /** Waits for running jobs at most so long, then releases them. */
    async stop(withinMs: number): Promise<void> {
      stopHousekeeping()
      await receiver.capacity.stop()
      await Promise.all(workers.splice(0).map((worker) => worker.stop(withinMs)))
    },
  }
}

function createContext(options: BotOptions): Context {
  const { client, token, state, operator, now, log, git } = options
  const botUser = createBotUserLookup(client, token)
  const identity = createGitIdentity(botUser, git.serviceUrl)
  const openRepository = createOpenRepository({ ...git, token, identity })
  const compareContent = createCompareContent({ openRepository, now, log })
  const withoutRules: Omit<Context, 'rules'> = {
    client,
    journal: options.journal,
    queues: createBotQueues(options.backend, now),
    botUser,
    service: { state, answers: createAnswerCache(now), openRepository, compareContent },
    operator,
    now,
    log,
    counting: options.counting,
  }
  return { ...withoutRules, rules: createRuleFiles(withoutRules, createRuleCache()) }
}

/** Stores nothing, counts nothing and notifies nobody. */
function contextOfDryRuns(context: Context): Context {
  const { journal, operator, rules } = context
  const dry: Context = {
    ...context,
    journal: readOnlyJournal(journal),
    operator: { ...operator, postNotification: undefined },
    counting: undefined,
  }
  return { ...dry, rules: createRuleFiles(dry, rules.cache) }
}
