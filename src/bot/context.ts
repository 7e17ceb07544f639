// What every step of the flow works with: made in bot.ts, and passed whole.
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import type { PostNotification } from '../client/post-notification.ts'
import type { Journal } from '../journal/journal.ts'
import type { DecisionRecord, DeliveryRecord, RuleFileRecord, SweptProject } from '../journal/types.ts'
import type { MergeQueueCount } from '../merge-queue/types.ts'
import type { RuleFileInForce } from '../rules/engine/decide.ts'
import type { AnswerCache } from './evaluation/answers.ts'
import type { CompareContent } from './evaluation/branch-history.ts'
import type { OpenRepository } from './merge-queue/git/repository.ts'
import type { Chat } from './notifications/chat-body.ts'
import type { BotQueues } from './queues.ts'
import type { OperatorPolicy } from './rule-files/operator-files.ts'
import type { RuleFiles, RulesInForce } from './rule-files/rules-in-force.ts'
import type { BotUserLookup } from './service/bot-token.ts'
import type { RetryDelays } from './service/retry-policy.ts'
import type { ServiceState } from './service/service-state.ts'

export interface Context {
  client: Client
  journal: Journal
  queues: BotQueues
  /** The rule files of all projects. */
  rules: RuleFiles
  botUser: BotUserLookup
  service: HostingService
  operator: OperatorSettings
  now: () => number
  log: Logger
  counting?: FlowCounters
}

/** What this process knows and has of the hosting service: its state, answers, and the repositories. */
export interface HostingService {
  state: ServiceState
  answers: AnswerCache
  openRepository: OpenRepository
  compareContent: CompareContent
}

/** What the operator set, and how the operator's chats and hooks are reached. */
export interface OperatorSettings {
  operatorFiles: readonly RuleFileInForce[]
  policy: OperatorPolicy
  /** Bellhop leaves a merge request with this label alone. */
  offLabel: string
  /** Bellhop’s address for browsers, without a slash at its end; absent if it is not known. */
  publicUrl?: string
  /** How long raw bodies are stored (the setting `bodyRetentionHours`): they may hold CI variables. */
  bodyRetentionMs: number
  /** `everyMs` 0: no sweep, not even at the start. `calls`: the most that one sweep may make. */
  sweep: { everyMs: number; calls: number }
  retryDelays: RetryDelays
  /** There is an admin token, with which somebody may resume a queue. */
  hasAdmins: boolean
  /** `bellhop run`: what only the journal has may be lost. */
  withoutServer?: boolean
  /** If absent, operators are not notified. */
  postNotification?: PostNotification
  /** The chats that rules may post to. */
  chats?: readonly Chat[]
  /** If absent, disabled hooks are not reported. */
  readDisabledHook?: ReadDisabledHook
  /** If absent, Bellhop does not know its hooks. */
  hooks?: OwnHooks
}

type RulesOfHook = Pick<RulesInForce, 'files' | 'problems' | 'policy'>

export interface OwnHooks {
  /** The events that the rules need, as the service names them: `pipeline_events`. */
  needed(rules: RulesOfHook, path: string): string[]
  /** Adds the events that the project's own hook lacks, and returns them. Throws ServiceError. */
  repair(project: { id: number; path: string }, rules: RulesOfHook): Promise<string[]>
}

export interface DisabledHook {
  hook: number
  /** ISO 8601; null: until a test of the hook succeeds. */
  until: string | null
}

/** Bellhop's hook in a project where the service has disabled it, in one call; else undefined. Throws ServiceError. */
export type ReadDisabledHook = (project: number) => Promise<DisabledHook | undefined>

export interface FlowCounters {
  /** A web hook was answered, with this HTTP status. */
  answered(status: number): void
  /** Intake has finished a delivery, with any outcome; a replay counts again. */
  delivery(record: Pick<DeliveryRecord, 'state' | 'event'>): void
  /** A decision was made, its calls sent, and it is in the journal. */
  decision(record: DecisionRecord): void
  /** A sweep has ended; `left` projects wait for the next one. */
  sweep(sweep: { why: string; failed: boolean; projects: readonly SweptProject[]; left: number }): void
  /** A repository's rule file, or one that it includes, was read from the service. */
  ruleFile(record: Pick<RuleFileRecord, 'blob' | 'problems'>): void
  /** When the service token expires, in milliseconds since 1970; undefined if it never does, or unknown. */
  tokenExpires(at: number | undefined): void
  /** A post to a chat of the operator's: `retried` is an attempt that failed. */
  chatPost(chat: string, result: 'sent' | 'retried' | 'failed' | 'dropped'): void
  /** After a step of a merge queue: what landed once for each merge request. */
  mergeQueue(what: MergeQueueCount): void
}
