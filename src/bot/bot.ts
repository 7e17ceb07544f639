// Puts the flow together: receive → intake → evaluate, over one queue and one journal, for one hosting service (DESIGN §2).
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import type { PostNotice } from '../client/post-notice.ts'
import type { Journal } from '../journal/types.ts'
import { asError, JobOfNewerVersion, JobTakenOver } from '../queue/errors.ts'
import { fairLane } from '../queue/fair-lane.ts'
import type { FailedJob, JobHandler, Lane, LaneWorker, Queue } from '../queue/types.ts'
import type { RuleFileInForce } from '../rules/decide.ts'
import { createBrake } from './brake.ts'
import type { Counting } from './counting.ts'
import { createLookAtHook, type ReadDisabledHook } from './disabled-hooks.ts'
import { createDryRun } from './dry-run.ts'
import { createEvaluate } from './evaluate.ts'
import { createIntake } from './intake.ts'
import { createJob } from './job.ts'
import type { MergeRequestJob } from './merge-request-job.ts'
import { type Patience, usualPatience } from './patience.ts'
import { createPatternAllowance } from './pattern-allowance.ts'
import { createPausedProjects, type PausedProjects } from './paused-projects.ts'
import type { OperatorPolicy } from './policy-file.ts'
import { type DeliveryJob, type HookRoutes, type ReceiveOptions, receive } from './receive.ts'
import { rememberSelf } from './remember-self.ts'
import type { RememberedRules } from './remembered-rules.ts'
import { createReplays, type Replays } from './replay.ts'
import { createRuleChangeNote } from './rule-change-note.ts'
import { spread } from './rule-change-spread.ts'
import { createRuleFiles, type RuleFiles, type RulesInForce } from './rule-files.ts'
import { createRuleForms } from './rule-forms.ts'
import type { HookSecrets } from './secrets.ts'
import { senderOfDelivery, senderOfMergeRequest } from './senders.ts'
import type { ServiceState } from './service-state.ts'
import { createStoreRoom, type RoomLimits, type StoreRoom } from './store-room.ts'
import { createSweepJobs, type SweepJob, type SweepJobs, type SweepReason, sweepAttempts } from './sweep-jobs.ts'
import { createTelling, type NoticeJob, noticeAttempts, type Telling } from './telling.ts'
import { createTimerHandler, type TimerJob } from './timers.ts'
import { usualBodyKeptMs, withoutBody } from './without-body.ts'

export interface BotOptions {
  /** The service's name in refs, lanes and logs: letters, digits, dots and dashes. */
  service: string
  client: Client
  /** The client's token as it is now: a new one may be another user's. */
  token: () => string
  queue: Queue
  journal: Journal
  /** What the client tells of the service. */
  state: ServiceState
  secrets: HookSecrets
  /** What the secrets of single projects' hooks are derived from, newest first. */
  masterKeys: readonly string[]
  /** From which address a delivery comes, for the log; its peer's when absent. */
  addressOf?: ReceiveOptions['addressOf']
  /** When deliveries are turned down. */
  roomLimits: RoomLimits
  operatorFiles: readonly RuleFileInForce[]
  policy: OperatorPolicy
  /** What this process remembers of rule files, for all of its bots; the bot's own when absent. */
  rememberedRules?: RememberedRules
  /** Names the code that runs, and all that it runs on: what one process read from a rule file is for all that are of the same code and have the same token. Absent: each reads for itself. */
  code?: string
  /** How many merge requests are evaluated at once. */
  concurrency: number
  /** The label that makes Bellhop leave a merge request alone. */
  offLabel: string
  /** How long raw bodies are kept; a day when absent. */
  bodyKeptMs?: number
  /** How often it sweeps, in milliseconds; 0: never, also not at the start. And how many calls one sweep may take. */
  sweep: { everyMs: number; calls: number }
  clock: { now: () => number }
  /** The usual one when absent. */
  patience?: Patience
  /** Told of what happens. */
  counting?: Counting
  /** Tells an operator what went wrong; nobody is told when absent. */
  postNotice?: PostNotice
  /** Nobody is told of disabled hooks when absent. */
  readDisabledHook?: ReadDisabledHook | undefined
  log: Logger
}

export interface Bot {
  /** `POST /hooks` and `POST /hooks/<project id>`. */
  routes: HookRoutes
  lanes: {
    deliveries: Lane<DeliveryJob>
    mergeRequests: Lane<MergeRequestJob>
    timers: Lane<TimerJob>
    ruleChanges: Lane<MergeRequestJob>
    sweeps: Lane<SweepJob>
    notices: Lane<NoticeJob>
  }
  tell: Telling['tell']
  /** To be told of each new condition of the service. */
  heardOfService: Telling['trouble']['heard']
  /** Whether deliveries can be taken. */
  room: StoreRoom
  /** Starts to take deliveries, to work on them, or both. */
  start(only?: 'receiver' | 'worker'): void
  replay: Replays
  /** What would be decided about a merge request now; nothing is sent. */
  dryRun: ReturnType<typeof createDryRun>
  paused: PausedProjects
  ruleFiles: RuleFiles
  /** Asks for a sweep of a project or group; the record in the journal says how far it is. */
  sweep: SweepJobs['ask']
  /** Resolves when every delivery and every merge request that was woken is settled. */
  settled(): Promise<void>
  /** Finishes or releases what runs, within the limit. */
  stop(withinMs: number): Promise<void>
}

/** A delivery of the same id counts as the same for so long (DESIGN §6). */
const idKnownMs = 24 * 60 * 60_000
const pruneEveryMs = 60 * 60_000
/**
 * So many deliveries are read at once. Over Redis a large body comes only when there is room for it, and what is asked for together costs a half less;
 * the more are read before a merge request's turn comes, the more it is judged by at once (docs/performance.md, Evaluation). Elsewhere each comes with its body.
 */
const readAtOnce = { redis: 250, postgres: 10, embedded: 10 }

/** Makes a bot; nothing runs until `start`. */
export function createBot(options: BotOptions): Bot {
  const { service, client, queue, journal, counting, log } = options
  const now = options.clock.now
  const { patience = usualPatience, bodyKeptMs = usualBodyKeptMs } = options
  // Each service has lanes of its own: a rate limit of one never pauses another.
  const names = {
    deliveries: `deliveries-${service}`,
    mergeRequests: `merge-requests-${service}`,
    timers: `timers-${service}`,
    ruleChanges: `rule-changes-${service}`,
    sweeps: `sweeps-${service}`,
    notices: `notices-${service}`,
  }
  const deliveries = fairLane(queue.lane<DeliveryJob>(names.deliveries), { senderOf: senderOfDelivery, now })
  const mergeRequests = fairLane(queue.lane<MergeRequestJob>(names.mergeRequests), { senderOf: senderOfMergeRequest, now })
  const timers = queue.lane<TimerJob>(names.timers)
  const ruleChanges = fairLane(queue.lane<MergeRequestJob>(names.ruleChanges), { senderOf: senderOfMergeRequest, now })
  const sweeps = queue.lane<SweepJob>(names.sweeps)
  const notices = queue.lane<NoticeJob>(names.notices)
  const telling = createTelling({
    ...{ service, client, state: options.state, journal, notices, afterMs: patience.tellMs, now, log },
    ...(options.postNotice === undefined ? {} : { post: options.postNotice }),
  })
  const ruleFiles = createRuleFiles({
    ...{ service, client, journal, operatorFiles: options.operatorFiles, policy: options.policy, counting, now, log },
    remembered: options.rememberedRules,
    forms: options.code === undefined ? undefined : createRuleForms({ service, journal, secret: options.token, code: options.code, log }),
    onBroken: ({ project, projectPath = '', path, blob, problems }) =>
      telling.tell(
        { kind: 'rule_file_broken', about: { project, projectPath, path, blob, problems } },
        JSON.stringify([project, path, blob ?? problems]),
      ),
  })
  const sweeping = createSweepJobs(
    // What a sweep wakes must not count as if the project had sent it.
    {
      service,
      client,
      journal,
      mergeRequests: fairLane(queue.lane<MergeRequestJob>(names.mergeRequests), { senderOf: () => undefined, now }),
      ruleChanges,
      ruleFiles,
      operatorFiles: options.operatorFiles,
      calls: options.sweep.calls,
      lookAtHook:
        options.readDisabledHook && createLookAtHook({ service, journal, read: options.readDisabledHook, tell: telling.tell, now, log }),
      counting,
      now,
      log,
    },
    sweeps,
    async () => (await options.state.ask(client)) !== 'fine',
  )
  const self = rememberSelf(client, options.token)
  const spreadRules = (project: number, rules: RulesInForce) =>
    spread({ service, client, journal, mergeRequests, ruleChanges, ruleFiles, log }, project, rules, false)
  const brake = createBrake({ service, journal, now })
  const patterns = createPatternAllowance(now)
  const evaluating = {
    client,
    journal,
    ruleFiles,
    timers,
    spreadRules,
    brake,
    patterns,
    self,
    offLabel: options.offLabel,
    counting,
    now,
    log,
  }
  const paused = createPausedProjects(service, journal, [mergeRequests, ruleChanges])
  const workers: LaneWorker[] = []
  let pruning: NodeJS.Timeout | undefined

  function start(only?: 'receiver' | 'worker'): void {
    if (only !== 'worker') room.start()
    if (only !== 'receiver') startWork()
  }

  function startWork(): void {
    const onError = (error: Error, job?: string) =>
      error instanceof JobTakenOver || error instanceof JobOfNewerVersion
        ? log.warn({ event: error instanceof JobTakenOver ? 'job taken over' : 'job of a newer version', job }, error.message)
        : log.error({ event: 'job failed', err: error, job }, 'a job failed')
    const retry = { attempts: patience.attempts, backoffMs: patience.firstBackoffMs, onError }
    const intake = createIntake({
      ...{ service, client, journal, bodyKeptMs, ruleFiles, counting, now, log },
      ...{ deliveries, mergeRequests, ruleChanges, patterns },
    })
    const evaluate = createEvaluate(evaluating)
    const job = createJob({ client, state: options.state, calling: [mergeRequests, ruleChanges, sweeps], patience, log })
    const work = <T>(lane: keyof Bot['lanes'], handler: JobHandler<T>, given: { concurrency: number; attempts?: number }) =>
      workers.push(queue.work(names[lane], job(handler), { ...retry, onFailed: (failed) => tellOfFailed(lane, failed), ...given }))
    work('deliveries', intake, { concurrency: readAtOnce[queue.kind] })
    work('mergeRequests', paused.unlessPaused(mergeRequests, evaluate), { concurrency: options.concurrency })
    const ruleChangeNote = createRuleChangeNote({
      service,
      client,
      journal,
      ruleFiles,
      self,
      offLabel: options.offLabel,
      now,
      log,
    })
    work('ruleChanges', paused.unlessPaused(ruleChanges, ruleChangeNote), { concurrency: 1 })
    work('timers', createTimerHandler(mergeRequests), { concurrency: 1 })
    // Two: what a person asks for need not wait for the sweep of everything.
    work('sweeps', sweeping.handler, { concurrency: 2, attempts: sweepAttempts })
    if (options.postNotice !== undefined) {
      const slower = { attempts: noticeAttempts, backoffMs: patience.firstBackoffMs * 5 }
      workers.push(queue.work(names.notices, job(telling.handler), { concurrency: 1, onError: onNoticeError, ...slower }))
      telling.trouble.resume().catch((error: unknown) => onError(asError(error)))
    }
    sweepBecause('start')
    sweeping.keepSchedule(options.sweep.everyMs).catch(notTaken)
    const prune = () =>
      Promise.all([journal.prune(new Date(now())), deliveries.shed({ completed: idKnownMs, failed: bodyKeptMs }, withoutBody)]).catch(
        (error: unknown) => {
          // What a stop has cut off is dropped at the next start.
          if (pruning !== undefined)
            log.error({ event: 'prune failed', err: error }, 'old records could not be dropped; tried again in an hour')
        },
      )
    pruning = setInterval(prune, pruneEveryMs)
    void prune()
  }

  // Not an error of the work: it goes on, told of or not.
  const onNoticeError = (error: Error, job?: string) => log.warn({ event: 'notice not told', err: error, job }, error.message)
  function tellOfFailed(lane: keyof Bot['lanes'], { id, data, reason, failedAt }: FailedJob): void {
    const at = new Date(failedAt).toISOString()
    void telling.tell(
      { kind: 'job_failed', about: { lane, job: id, reason, failedAt: at, ...mergeRequestOf(data) } },
      `${lane} ${id} ${at}`,
    )
  }

  const notTaken = (error: unknown) => log.error({ event: 'sweep not asked for', err: error }, 'the queue did not take a sweep')
  function sweepBecause(why: SweepReason): void {
    if (options.sweep.everyMs > 0) sweeping.wake(why).catch(notTaken)
  }

  async function settled(): Promise<void> {
    await sweeps.settled()
    await deliveries.settled()
    await mergeRequests.settled()
    await ruleChanges.settled()
  }

  async function stop(withinMs: number): Promise<void> {
    clearInterval(pruning)
    pruning = undefined
    await room.stop()
    await Promise.all(workers.splice(0).map((worker) => worker.stop(withinMs)))
  }

  const room = createStoreRoom({
    queue,
    deliveries,
    limits: options.roomLimits,
    now,
    onChange: ({ is, reason }) =>
      is === 'free' ? log.info({ event: 'room', is }, 'there is room again') : log.warn({ event: 'room', is, reason }, `room: ${is}`),
    onRecovered: (since) => {
      log.warn({ event: 'deliveries were turned down', since }, 'deliveries are taken again; some were turned down')
      sweepBecause('deliveries were refused')
    },
  })
  const routes = receive({
    service,
    deliveries,
    secrets: options.secrets,
    masterKeys: options.masterKeys,
    addressOf: options.addressOf,
    room,
    counting,
    now,
    log,
  })
  return {
    routes,
    room,
    lanes: { deliveries, mergeRequests, timers, ruleChanges, sweeps, notices },
    tell: telling.tell,
    heardOfService: telling.trouble.heard,
    start,
    replay: createReplays({ journal, deliveries, mergeRequests, now, log }),
    dryRun: createDryRun(evaluating),
    paused,
    ruleFiles,
    sweep: sweeping.ask,
    settled,
    stop,
  }
}

/** Which one a job is about, where it says so. */
function mergeRequestOf(data: unknown): { project?: number; iid?: number } {
  if (typeof data !== 'object' || data === null || !('project' in data) || !('iid' in data)) return {}
  const { project, iid } = data
  return typeof project === 'number' && typeof iid === 'number' ? { project, iid } : {}
}
