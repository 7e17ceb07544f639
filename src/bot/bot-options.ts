// The options of a bot, and its interface.
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import type { Journal } from '../journal/types.ts'
import type { Queues } from '../queue/types.ts'
import type { NewRuleLimit } from '../rules/types.ts'
import type { RuleTrials } from './backtest/rule-trials.ts'
import type { OperatorSettings } from './context.ts'
import type { createDryRun } from './evaluation/dry-run.ts'
import type { PausedProjects } from './evaluation/paused-projects.ts'
import type { Replays } from './intake/replay.ts'
import type { GitSettings } from './merge-queue/git/open-repository.ts'
import type { NotificationContent } from './notifications/notification.ts'
import type { Notifier } from './notifications/notify.ts'
import type { BotQueues } from './queues.ts'
import type { FlowCounters } from './reporting/counters.ts'
import type { RuleCache } from './rule-files/rule-cache.ts'
import type { RuleFiles } from './rule-files/rules-in-force.ts'
import type { ServiceState } from './service/service-state.ts'
import type { TokenExpiry } from './service/token-expiry.ts'
import type { SweepJobs } from './sweep/sweep-jobs.ts'
import type { HookSecrets } from './webhook/hook-secrets.ts'
import type { CapacityLimits, QueueCapacity } from './webhook/queue-capacity.ts'
import type { ReceiveOptions, receive } from './webhook/receive.ts'

export interface BotOptions {
  client: Client
  /** The client's current token: a new one may belong to another user. */
  token: () => string
  backend: Queues
  journal: Journal
  state: ServiceState
  secrets: HookSecrets
  /** The hook secrets of single projects are derived from these, newest first. */
  masterKeys: readonly string[]
  /** The sender's address, for the log; the peer's when absent. */
  addressOf?: ReceiveOptions['addressOf']
  /** Above these, deliveries are refused. */
  capacityLimits: CapacityLimits
  /** Parsed rule files, shared by the bots of this process; the bot's own when absent. */
  ruleCache?: RuleCache
  /** How many merge requests are evaluated at once. */
  concurrency: number
  operator: OperatorSettings
  now: () => number
  counting?: FlowCounters
  /** If absent, no notification says that the token expires. */
  readTokenExpiry?: () => Promise<TokenExpiry>
  /** For merge queues. */
  git: GitSettings
  log: Logger
}

export interface Bot {
  /** `POST /hooks` and `POST /hooks/<project id>`. */
  routes: ReturnType<typeof receive>
  /** Whether deliveries are accepted; measured once it is started. */
  capacity: QueueCapacity
  queues: BotQueues
  notify(content: NotificationContent, key: string): Promise<void>
  /** To be called with each new condition of the service. */
  onServiceCondition: Notifier['outages']['onCondition']
  /** Starts the workers, and the receiver unless only they are wanted. */
  start(only?: 'worker'): void
  replay: Replays
  dryRun: ReturnType<typeof createDryRun>
  ruleTrials: RuleTrials
  paused: PausedProjects
  ruleFiles: RuleFiles
  /** The limit on a project's rules as last read; undefined if none applies. Costs no call. */
  newRuleLimit(project: number): Promise<NewRuleLimit | undefined>
  /** Queues a sweep of a project or group; its record in the journal shows the progress. */
  sweep: SweepJobs['request']
  /** Resolves when every delivery and merge request in the queues has been processed. */
  settled(): Promise<void>
  /** Waits for running jobs at most so long, then releases them. */
  stop(withinMs: number): Promise<void>
}
