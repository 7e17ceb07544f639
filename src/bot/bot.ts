// Puts the flow together: receive → intake → evaluate, over one queue and one journal, for one hosting service (DESIGN §2).
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import type { Journal } from '../journal/types.ts'
import { fairLane } from '../queue/fair-lane.ts'
import type { Lane, LaneWorker, Queue } from '../queue/types.ts'
import type { RuleFileInForce } from '../rules/decide.ts'
import { createBrake } from './brake.ts'
import { createEvaluate, withHistory } from './evaluate.ts'
import { senderOfDelivery, senderOfMergeRequest } from './fair-lanes.ts'
import { concernedNobody, createIntake, type MergeRequestJob } from './intake.ts'
import { createJob } from './job.ts'
import type { OperatorPolicy } from './policy-file.ts'
import { type DeliveryJob, putBack, receive } from './receive.ts'
import { createRuleChangeNote } from './rule-change-note.ts'
import { spread } from './rule-change-spread.ts'
import { createRuleFiles, type RulesInForce } from './rule-files.ts'
import type { HookSecrets } from './secrets.ts'
import type { ServiceState } from './service-state.ts'
import { createStoreRoom, type RoomLimits, type StoreRoom } from './store-room.ts'
import { createTimerHandler, type TimerJob } from './timers.ts'

export interface BotOptions {
  /** The service's name in refs, lanes and logs: letters, digits, dots and dashes. */
  service: string
  client: Client
  queue: Queue
  journal: Journal
  /** What the client tells of the service. */
  state: ServiceState
  secrets: HookSecrets
  /** What the secrets of single projects' hooks are derived from, newest first. */
  masterKeys: readonly string[]
  /** When deliveries are turned down. */
  roomLimits: RoomLimits
  operatorFiles: readonly RuleFileInForce[]
  policy: OperatorPolicy
  /** How many merge requests are evaluated at once. */
  concurrency: number
  /** The label that makes Bellhop leave a merge request alone. */
  offLabel: string
  clock: { now: () => number }
  log: Logger
}

export interface Bot {
  /** `POST /hooks` and `POST /hooks/<project id>`. */
  routes: ReturnType<typeof receive>
  lanes: { deliveries: Lane<DeliveryJob>; mergeRequests: Lane<MergeRequestJob>; timers: Lane<TimerJob>; ruleChanges: Lane<MergeRequestJob> }
  /** Whether deliveries can be taken. */
  room: StoreRoom
  /** Starts the workers. */
  start(): void
  /** Judges a delivery's merge requests again, on the state as it is now; one that concerned nobody is read again while its body is kept. */
  replay(deliveryId: string, by: string): Promise<Replayed>
  /** Resolves when every delivery and every merge request that was woken is settled. */
  settled(): Promise<void>
  /** Finishes or releases what runs, within the limit. */
  stop(withinMs: number): Promise<void>
}

/** `unknown`: there is no such delivery; `forgotten`: it concerned nobody, and its body is not kept any more. */
export type Replayed = 'replayed' | 'unknown' | 'forgotten'

const pruneEveryMs = 60 * 60_000

/** Makes a bot; nothing runs until `start`. */
export function createBot(options: BotOptions): Bot {
  const { service, client, queue, journal, log } = options
  const now = options.clock.now
  // Each service has lanes of its own: a rate limit of one never pauses another.
  const names = {
    deliveries: `deliveries-${service}`,
    mergeRequests: `merge-requests-${service}`,
    timers: `timers-${service}`,
    ruleChanges: `rule-changes-${service}`,
  }
  const deliveries = fairLane(queue.lane<DeliveryJob>(names.deliveries), { senderOf: senderOfDelivery, now })
  const mergeRequests = fairLane(queue.lane<MergeRequestJob>(names.mergeRequests), { senderOf: senderOfMergeRequest, now })
  const timers = queue.lane<TimerJob>(names.timers)
  const ruleChanges = queue.lane<MergeRequestJob>(names.ruleChanges)
  const ruleFiles = createRuleFiles({ service, client, journal, operatorFiles: options.operatorFiles, policy: options.policy, now, log })
  const workers: LaneWorker[] = []
  let pruning: NodeJS.Timeout | undefined

  function start(): void {
    const onError = (error: Error, job?: string) => log.error({ event: 'job failed', err: error, job }, 'a job failed')
    const intake = createIntake({ service, client, journal, mergeRequests, ruleChanges, ruleFiles, log })
    const self = rememberSelf(client)
    const spreadRules = (project: number, rules: RulesInForce) =>
      spread({ service, client, journal, mergeRequests, ruleFiles, log }, project, rules, false)
    const brake = createBrake({ service, journal, now })
    const evaluate = createEvaluate({ client, journal, ruleFiles, timers, spreadRules, brake, self, offLabel: options.offLabel, now, log })
    const job = createJob({ client, state: options.state, calling: [mergeRequests, ruleChanges], log })
    workers.push(queue.work(names.deliveries, job(intake), { concurrency: 10, onError }))
    workers.push(queue.work(names.mergeRequests, job(evaluate), { concurrency: options.concurrency, onError }))
    const ruleChangeNote = createRuleChangeNote({
      service,
      client,
      journal,
      ruleFiles,
      self,
      offLabel: options.offLabel,
      withHistory,
      now,
      log,
    })
    workers.push(queue.work(names.ruleChanges, job(ruleChangeNote), { concurrency: 1, onError }))
    workers.push(queue.work(names.timers, job(createTimerHandler(mergeRequests)), { concurrency: 1, onError }))
    const prune = () =>
      journal
        .prune(new Date(now()))
        .catch((error: unknown) =>
          log.error({ event: 'prune failed', err: error }, 'old records could not be dropped; tried again in an hour'),
        )
    pruning = setInterval(prune, pruneEveryMs)
    room.start()
  }

  async function replay(deliveryId: string, by: string): Promise<Replayed> {
    const delivery = await journal.delivery(deliveryId)
    const job = await deliveries.get(deliveryId)
    if (delivery === undefined && job === undefined) return 'unknown'
    const isOver = delivery !== undefined && concernedNobody(delivery) && job?.state !== 'failed'
    if (isOver && (await journal.body(deliveryId)) === undefined) return 'forgotten'
    await journal.addReplay(deliveryId, { at: new Date(now()).toISOString(), by })
    log.info({ event: 'replay', delivery: deliveryId, by }, 'delivery replayed')
    // A delivery that failed has not been read to its end; one that was read is judged on the present state, never re-sent blindly.
    await putBack(deliveries, deliveryId, 'replay')
    return 'replayed'
  }

  async function settled(): Promise<void> {
    await deliveries.settled()
    await mergeRequests.settled()
    await ruleChanges.settled()
  }

  async function stop(withinMs: number): Promise<void> {
    clearInterval(pruning)
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
    onRecovered: (since) => log.warn({ event: 'deliveries were turned down', since }, 'deliveries are taken again; some were turned down'),
  })
  const routes = receive({ service, deliveries, secrets: options.secrets, masterKeys: options.masterKeys, room, now, log })
  return { routes, room, lanes: { deliveries, mergeRequests, timers, ruleChanges }, start, replay, settled, stop }
}

/** Asks the service once who the bot is; a failed try is not kept. */
function rememberSelf(client: Client): () => Promise<{ id: number; username: string }> {
  let known: { id: number; username: string } | undefined
  return async () => {
    if (known === undefined) {
      const { id, username } = (await client.users.current({})).body
      if (id === undefined || username === undefined) throw new Error('GET /user does not say who the token belongs to')
      known = { id, username }
    }
    return known
  }
}
