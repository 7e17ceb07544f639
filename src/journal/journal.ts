// The journal: what is stored of deliveries, merge requests and decisions, a member for each table.
import type { Database } from './database/database.ts'
import { addDays } from './database/partitions.ts'
import { DEFAULT_RETENTION, prune, type RetentionPolicy } from './retention.ts'
import { auditTable } from './tables/audit.ts'
import { countsTable } from './tables/counts.ts'
import { decisionsTable } from './tables/decisions.ts'
import { deliveriesTable } from './tables/deliveries.ts'
import { eventsTable } from './tables/events.ts'
import { loadKnown, loadMergeRequest } from './tables/loads.ts'
import { marksTable } from './tables/marks.ts'
import { mergeQueuesTable } from './tables/merge-queues.ts'
import { mergeRequestsTable } from './tables/merge-requests.ts'
import { projectsTable } from './tables/projects.ts'
import { pushesTable } from './tables/pushes.ts'
import { ruleFilesTable } from './tables/rule-files.ts'
import { tryEach } from './try-each.ts'
import type { Journal } from './types.ts'

/** The journal over a database that has its tables (make-tables.ts). */
export function createJournal(database: Database, retention: Partial<RetentionPolicy> = {}): Journal {
  const policy = { ...DEFAULT_RETENTION, ...retention }
  return {
    deliveries: deliveriesTable(database),
    events: eventsTable(database),
    mergeRequests: mergeRequestsTable(database),
    decisions: decisionsTable(database),
    counts: countsTable(database, policy.history),
    ruleFiles: ruleFilesTable(database),
    projects: projectsTable(database),
    marks: marksTable(database),
    pushes: pushesTable(database),
    mergeQueues: mergeQueuesTable(database),
    audit: auditTable(database),
    load: loadMergeRequest(database),
    loadKnown: loadKnown(database),
    prune: (now) =>
      tryEach([
        async () => (database.partitioned ? addDays(database, now) : undefined),
        () => prune(database, policy, now),
      ]),
  }
}
