// What the parts of the merge queue share.
import type { Logger } from 'pino'
import type { Client } from '../../client/create-client.ts'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import type { MergeRequestJob } from '../evaluation/merge-request-job.ts'
import type { PausedProjects } from '../evaluation/paused-projects.ts'
import type { Notifier } from '../notifications/notify.ts'
import type { RuleFiles } from '../rule-files/rule-files.ts'
import type { BotUserLookup } from '../service/bot-user.ts'
import type { OpenRepository } from './git/repository.ts'
import type { LandingCheckOptions } from './may-land.ts'

export interface MergeQueueOptions {
  client: Client
  journal: Journal
  ruleFiles: RuleFiles
  botUser: BotUserLookup
  landingCheck: LandingCheckOptions
  mergeRequests: JobQueue<MergeRequestJob>
  paused: Pick<PausedProjects, 'list'>
  openRepository: OpenRepository
  notify: Notifier['notify']
  now: () => number
  log: Logger
}
