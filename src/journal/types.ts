// The journal's interface: a member for each table.
import type { MergeRequestRef } from '../rules/types.ts'
import type { AuditTable } from './tables/audit.ts'
import type { CountsTable } from './tables/counts.ts'
import type { DecisionsTable } from './tables/decisions.ts'
import type { DeliveriesTable } from './tables/deliveries.ts'
import type { EventsTable } from './tables/events.ts'
import type { MarksTable } from './tables/marks.ts'
import type { MergeQueuesTable } from './tables/merge-queues.ts'
import type { LoadedMergeRequest, MergeRequestsTable } from './tables/merge-requests.ts'
import type { ProjectsTable } from './tables/projects.ts'
import type { PushesTable } from './tables/pushes.ts'
import type { RuleFilesTable } from './tables/rule-files.ts'

export type * from './record-types.ts'
export type { MergeRequestTimes } from './time-figures.ts'

/** Every method throws JournalUnavailable when the database does not answer. Each is one transaction. */
export interface Journal {
  deliveries: DeliveriesTable
  events: EventsTable
  mergeRequests: MergeRequestsTable
  decisions: DecisionsTable
  counts: CountsTable
  ruleFiles: RuleFilesTable
  projects: ProjectsTable
  marks: MarksTable
  pushes: PushesTable
  mergeQueues: MergeQueuesTable
  audit: AuditTable
  /** What an evaluation needs of a merge request; `marks` names marks of its project or the whole service. */
  load(mergeRequest: MergeRequestRef, marks?: readonly string[]): Promise<LoadedMergeRequest>
  /** Deletes what is past its retention, or above the limits (retention.ts). Tries each kind, then throws the first error. */
  prune(now: Date): Promise<void>
}
