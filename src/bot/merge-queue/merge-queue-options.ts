// What the parts of the merge queue share.
import type { Logger } from 'pino'
import type { Client } from '../../client/create-client.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import type { CompareContent } from '../evaluation/branch-history.ts'
import type { MergeRequestJob } from '../evaluation/merge-request-job.ts'
import type { PausedProjects } from '../evaluation/paused-projects.ts'
import type { Notifier } from '../notifications/notify.ts'
import type { FlowCounters } from '../reporting/counters.ts'
import type { RuleFiles } from '../rule-files/rule-files.ts'
import type { BotUserLookup } from '../service/bot-user.ts'
import type { OpenRepository } from './git/repository.ts'
import type { LandingCheckOptions } from './may-land.ts'
import type { MergeQueueJob } from './merge-queue-job.ts'

export interface MergeQueueOptions {
  client: Client
  journal: Journal
  ruleFiles: RuleFiles
  botUser: BotUserLookup
  landingCheck: LandingCheckOptions
  mergeRequests: JobQueue<MergeRequestJob>
  mergeQueues: JobQueue<MergeQueueJob>
  paused: Pick<PausedProjects, 'list'>
  openRepository: OpenRepository
  compareContent: CompareContent
  notify: Notifier['notify']
  counting: Pick<FlowCounters, 'mergeQueue'> | undefined
  now: () => number
  log: Logger
}
