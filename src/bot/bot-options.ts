// The options of a bot.
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import type { Journal } from '../journal/journal.ts'
import type { Queues } from '../queue/types.ts'
import type { FlowCounters, OperatorSettings } from './context.ts'
import type { GitSettings } from './merge-queue/git/open-repository.ts'
import type { TokenExpiry } from './service/bot-token.ts'
import type { ServiceState } from './service/service-state.ts'
import type { HookSecrets } from './webhook/hook-secrets.ts'
import type { CapacityLimits } from './webhook/queue-capacity.ts'
import type { ReceiveOptions } from './webhook/receive.ts'

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
