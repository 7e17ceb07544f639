// The journal's interface: a member for each table.
import type { MergeRequestRef } from '../rules/types.ts'
import type { auditTable } from './tables/audit.ts'
import type { countsTable } from './tables/counts.ts'
import type { decisionsTable } from './tables/decisions.ts'
import type { deliveriesTable } from './tables/deliveries.ts'
import type { eventsTable } from './tables/events.ts'
import type { LoadedMergeRequest, loadKnown } from './tables/loads.ts'
import type { marksTable } from './tables/marks.ts'
import type { mergeQueuesTable } from './tables/merge-queues.ts'
import type { mergeRequestsTable } from './tables/merge-requests.ts'
import type { projectsTable } from './tables/projects.ts'
import type { pushesTable } from './tables/pushes.ts'
import type { ruleFilesTable } from './tables/rule-files.ts'

export type * from './record-types.ts'
export type { MergeRequestTimes } from './time-figures.ts'

/** Every method throws JournalUnavailable when the database does not answer. Each is one transaction. */
export interface Journal {
  deliveries: ReturnType<typeof deliveriesTable>
  events: ReturnType<typeof eventsTable>
  mergeRequests: ReturnType<typeof mergeRequestsTable>
  decisions: ReturnType<typeof decisionsTable>
  counts: ReturnType<typeof countsTable>
  ruleFiles: ReturnType<typeof ruleFilesTable>
  projects: ReturnType<typeof projectsTable>
  marks: ReturnType<typeof marksTable>
  pushes: ReturnType<typeof pushesTable>
  mergeQueues: ReturnType<typeof mergeQueuesTable>
  audit: ReturnType<typeof auditTable>
  /** What an evaluation needs of a merge request; `marks` names marks of its project or the whole service. */
  load(mergeRequest: MergeRequestRef, marks?: readonly string[]): Promise<LoadedMergeRequest>
  /** What intake needs of a merge request, or of those of a branch. */
  loadKnown: ReturnType<typeof loadKnown>
  /** Deletes what is past retention or above limits (retention.ts). Tries each kind, then throws the first error. */
  prune(now: Date): Promise<void>
}
