// Builds the flow: receive → intake → evaluate.
import { readOnlyJournal } from '../journal/read-only-journal.ts'
import { asError } from '../queue/errors.ts'
import type { QueueWorker } from '../queue/types.ts'
import { createRuleTrials } from './backtest/rule-trials.ts'
import type { Bot, BotOptions } from './bot-options.ts'
import { createDryRun } from './evaluation/dry-run.ts'
import type { EvaluateOptions } from './evaluation/evaluate.ts'
import { createHeavyProjects } from './evaluation/heavy-projects.ts'
import { createKeptAnswers } from './evaluation/kept-answers.ts'
import { createNewRuleCounter, newRuleMarks } from './evaluation/new-rule-counts.ts'
import { createPausedProjects } from './evaluation/paused-projects.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createReplays } from './intake/replay.ts'
import { changeEntry } from './merge-queue/entry-calls.ts'
import { createCompareContent } from './merge-queue/git/compare-content.ts'
import { createGitIdentity, createOpenRepository } from './merge-queue/git/open-repository.ts'
import type { MergeQueueOptions } from './merge-queue/merge-queue-options.ts'
import { createChats } from './notifications/chats.ts'
import { createHookCheck } from './notifications/disabled-hooks.ts'
import { createNotifier, type Notifier } from './notifications/notify.ts'
import { createOutboundPosts } from './notifications/outbound-posts.ts'
import { watchTokenExpiry } from './notifications/token-expiry.ts'
import { type BotQueues, createBotQueues, unsharedMergeRequests } from './queues.ts'
import { createReceiver, logSweepNotQueued } from './receiver.ts'
import { enqueueOpen } from './rule-changes/enqueue-open.ts'
import { createRuleFiles, type RuleFiles } from './rule-files/rule-files.ts'
import { type BotUserLookup, createBotUserLookup } from './service/bot-user.ts'
import { createSweepJobs, type SweepJobs } from './sweep/sweep-jobs.ts'
import { logJobError, startWorkers } from './workers.ts'

/** Nothing runs until `start`. */
export function createBot(options: BotOptions): Bot {
  const { client, backend, journal, offLabel, counting, log } = options
  const now = options.clock.now
  const queues = createBotQueues(backend, now)
  const { deliveries, mergeRequests, ruleChanges } = queues
  const posts = createOutboundPosts({ journal, restMs: 6 * options.retryDelays.outageMs, now })
  const notifier = createNotifier({
    client,
    state: options.state,
    journal,
    notifications: queues.notifications,
    posts,
    now,
    log,
    afterMs: options.retryDelays.notifyAfterMs,
    post: options.postNotification,
  })
  const { ruleFiles, dryRunRuleFiles } = createBotRuleFiles(options, notifier)
  const sweeps = createSweeps(options, queues, ruleFiles, notifier)
  const botUser = createBotUserLookup(client, options.token)
  const chats = createChats({
    ...{ queue: queues.chats, journal, posts, chats: options.chats ?? [], counting, log },
  })
  const openRepository = createOpenRepository({
    ...options.git,
    ...{ token: options.token, identity: createGitIdentity(botUser, options.git.serviceUrl) },
  })
  const compareContent = createCompareContent({ openRepository, now, log })
  const paused = createPausedProjects(journal, [mergeRequests, ruleChanges])
  const evaluation: EvaluateOptions = {
    paused,
    mergeRequests,
    client,
    changeEntry: (call, beforeRequest) =>
      changeEntry({ client, journal, mergeQueues: queues.mergeQueues, now, log }, call, beforeRequest),
    postToChat: chats.enqueue,
    journal,
    ruleFiles,
    scheduledEvaluations: queues.scheduledEvaluations,
    heavyProjects: createHeavyProjects(now),
    notify: notifier.notify,
    botUser,
    offLabel,
    counting,
    now,
    log,
    enqueueOpen: (project, rules) =>
      enqueueOpen({ client, journal, mergeRequests, ruleChanges, ruleFiles, log }, project, rules),
    newRuleCounter: createNewRuleCounter({ journal, now }),
    kept: createKeptAnswers(),
    compareContent,
  }
  const mergeQueue: MergeQueueOptions = {
    ...{ client, journal, ruleFiles, botUser, mergeRequests, paused, counting, now, log },
    ...{ landingCheck: evaluation, openRepository, compareContent, notify: notifier.notify },
    mergeQueues: queues.mergeQueues,
  }
  const receiver = createReceiver(options, queues)
  let workers: QueueWorker[] = []
  let stopHousekeeping = () => {}
  let stopTokenWatch = () => {}

  function startWork(): void {
    workers = startWorkers(options, { queues, evaluation, notifier, chats, sweeps, mergeQueue })
    if (options.postNotification !== undefined)
      notifier.outages.resume().catch((error: unknown) => logJobError(log, asError(error)))
    if (options.sweep.everyMs > 0) sweeps.enqueue('start').catch(logSweepNotQueued(log))
    stopHousekeeping = startHousekeeping({
      ...{ journal, now, log, deliveries, mergeRequests, bodyRetentionMs: options.bodyRetentionMs },
      ...{ mergeQueues: queues.mergeQueues, scheduledEvaluations: queues.scheduledEvaluations },
      scheduleSweeps: () => sweeps.keepSchedule(options.sweep.everyMs),
    })
    const read = options.readTokenExpiry
    if (read !== undefined)
      stopTokenWatch = watchTokenExpiry({ journal, read, notify: notifier.notify, counting, now, log })
  }

  return {
    ...receiver,
    queues,
    notify: notifier.notify,
    onServiceCondition: notifier.outages.onCondition,
    start(only) {
      if (only !== 'worker') receiver.capacity.start()
      startWork()
    },
    replay: createReplays({ journal, deliveries, mergeRequests, now, log }),
    ...createDryRuns(options, dryRunRuleFiles, botUser),
    paused,
    ruleFiles,
    newRuleLimit: shownNewRuleLimit(options, ruleFiles),
    sweep: sweeps.request,
    async settled() {
      for (const each of [queues.sweeps, deliveries, mergeRequests, queues.mergeQueues, ruleChanges])
        await each.settled()
    },
    async stop(withinMs) {
      stopHousekeeping()
      stopTokenWatch()
      await receiver.capacity.stop()
      await Promise.all(workers.splice(0).map((worker) => worker.stop(withinMs)))
    },
  }
}

/** The rule files, and the same for dry runs, which store nothing. */
function createBotRuleFiles(
  options: BotOptions,
  notifier: Notifier,
): { ruleFiles: RuleFiles; dryRunRuleFiles: RuleFiles } {
  const { client, journal, operatorFiles, policy, counting, log } = options
  const shared = {
    client,
    operatorFiles,
    policy,
    now: options.clock.now,
    log,
    ruleCache: options.ruleCache,
  }
  const ruleFiles = createRuleFiles({
    ...shared,
    journal,
    counting,
    onBroken: ({ project, projectPath = '', path, blob, problems }) =>
      notifier.notify(
        { kind: 'rule_file_broken', about: { project, projectPath, path, blob, problems } },
        JSON.stringify([project, path, blob ?? problems]),
      ),
  })
  return { ruleFiles, dryRunRuleFiles: createRuleFiles({ ...shared, journal: readOnlyJournal(journal) }) }
}

function createDryRuns(
  { client, journal, offLabel, clock: { now } }: BotOptions,
  ruleFiles: RuleFiles,
  botUser: BotUserLookup,
): Pick<Bot, 'dryRun' | 'ruleTrials'> {
  const shared = { client, ruleFiles, offLabel, now }
  const dryRun = createDryRun({ ...shared, journal: readOnlyJournal(journal), botUser })
  return { dryRun, ruleTrials: createRuleTrials({ ...shared, journal, dryRun }) }
}

/** Looking at the limit makes no rule older. */
function shownNewRuleLimit({ journal, clock }: BotOptions, ruleFiles: RuleFiles): Bot['newRuleLimit'] {
  const counter = createNewRuleCounter({ journal: readOnlyJournal(journal), now: clock.now })
  return async (project) => {
    const rules = await ruleFiles.known(project)
    if (rules === undefined) return undefined
    const { marks } = await journal.load({ project, iid: 0 }, newRuleMarks)
    return counter.state(project, rules, marks)
  }
}

function createSweeps(options: BotOptions, queues: BotQueues, ruleFiles: RuleFiles, notifier: Notifier): SweepJobs {
  const { client, journal, state, operatorFiles, retryDelays, readDisabledHook, counting, log } = options
  const now = options.clock.now
  return createSweepJobs(
    {
      client,
      journal,
      ruleChanges: queues.ruleChanges,
      ruleFiles,
      operatorFiles,
      retryDelays,
      counting,
      now,
      log,
      mergeQueues: queues.mergeQueues,
      scheduledEvaluations: queues.scheduledEvaluations,
      mergeRequests: unsharedMergeRequests(options.backend, now),
      calls: options.sweep.calls,
      checkHook:
        readDisabledHook && createHookCheck({ journal, read: readDisabledHook, notify: notifier.notify, now, log }),
    },
    queues.sweeps,
    async () => (await state.check(client)) !== 'fine',
  )
}
