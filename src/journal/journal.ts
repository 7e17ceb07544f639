// The journal: what is stored of deliveries, merge requests and decisions, a member for each table.
import type { MergeRequestWaits } from '../rules/explain/time-figures.ts'
import type { Json, Memory, MergeRequestRef } from '../rules/types.ts'
import type { Database } from './database/database.ts'
import { addDays } from './database/make-tables.ts'
import { DAY_MS } from './days.ts'
import { DEFAULT_RETENTION, prune, type RetentionPolicy, tryEach } from './retention.ts'
import { auditTable } from './tables/audit.ts'
import { countsTable } from './tables/counts.ts'
import { decisionsTable } from './tables/decisions.ts'
import { deliveriesTable } from './tables/deliveries.ts'
import { type EventRow, eventsTable, PENDING, pendingEvent } from './tables/events.ts'
import { marksTable, wholeService } from './tables/marks.ts'
import { mergeQueuesTable } from './tables/merge-queues.ts'
import {
  type KnownMergeRequest,
  type KnownRow,
  knownOf,
  mergeRequestsTable,
  nameOf,
  noWaits,
  selectKnown,
} from './tables/merge-requests.ts'
import { projectsTable } from './tables/projects.ts'
import { type BranchRef, lastPushes, pushesTable, type StoredPush } from './tables/pushes.ts'
import {
  type RuleFilesRow,
  ruleFileColumns,
  ruleFilesTable,
  type StoredRuleFiles,
  storedRuleFiles,
} from './tables/rule-files.ts'
import type { MergeQueueEntry, MergeRequestName, ProjectName, SweepRecord } from './types.ts'

export type Journal = ReturnType<typeof createJournal>

/**
 * The journal over a database that has its tables (make-tables.ts). Every method throws JournalUnavailable when the
 * database does not answer, and is one transaction.
 */
export function createJournal(database: Database, retention: Partial<RetentionPolicy> = {}) {
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
    /** What an evaluation needs of a merge request; `marks` names marks of its project or the whole service. */
    load: loadMergeRequest(database),
    /** What intake needs of a merge request, or of those of a branch. */
    loadKnown: loadKnown(database),
    /** Deletes what is past retention or above limits (retention.ts). Tries each kind, then throws the first error. */
    prune: (now: Date): Promise<void> =>
      tryEach([
        async () => (database.partitioned ? addDays(database, now) : undefined),
        () => prune(database, policy, now),
      ]),
  }
}

export type LoadedMergeRequest = Awaited<ReturnType<Journal['load']>>

interface LoadedRow extends RuleFilesRow {
  memory: Memory | null
  ended: boolean | null
  queue_entry: MergeQueueEntry | null
  name: MergeRequestName | null
  waits: MergeRequestWaits | null
  project_name: ProjectName | null
  events: EventRow[] | null
  pushes: StoredPush[] | null
  marks: Record<string, unknown> | null
}

function loadMergeRequest({ schema, query }: Database) {
  return async ({ project, iid }: MergeRequestRef, marks: readonly string[] = []) => {
    const [found] = await query<LoadedRow>(
      `SELECT memory, ended, queue_entry, requests.name AS name, waits,
         projects.name AS project_name, (
           SELECT json_agg(json_build_object('seq', seq, 'event', event) ORDER BY seq) FROM ${schema}.events
           WHERE project = $1 AND iid = $2 AND ${PENDING}
         ) AS events, ${lastPushes(schema, 'source_project', 'source_branch')} AS pushes, (
           SELECT json_object_agg(mark, value) FROM ${schema}.marks
           WHERE project IN ($1, ${wholeService}) AND mark = ANY($3) AND expires_at > now()
         ) AS marks, ${ruleFileColumns(schema, '$1::bigint')}
       FROM (VALUES ($1::bigint, $2::bigint)) AS given (project, iid)
       LEFT JOIN ${schema}.merge_requests AS requests USING (project, iid)
       LEFT JOIN ${schema}.projects AS projects USING (project)`,
      [project, iid, marks],
    )
    return {
      memory: found?.memory ?? undefined,
      /** Whether it was merged or closed when it was read last. */
      ended: found?.ended ?? undefined,
      /** Oldest first. */
      pendingEvents: (found?.events ?? []).map(pendingEvent),
      name: nameOf(found?.project_name ?? null, found?.name ?? null, iid),
      waits: found?.waits ?? noWaits,
      /** The last hundred to its source branch, oldest first. */
      pushes: found?.pushes ?? [],
      queueEntry: found?.queue_entry ?? undefined,
      /** Those of its project. */
      ruleFiles: storedRuleFiles(found),
      /** By their names. */
      marks: found?.marks ?? {},
    }
  }
}

/** Reads what intake needs in one statement: the known merge requests, and the rule files of the ref's project. */
function loadKnown({ schema, query }: Database) {
  return async (
    of: MergeRequestRef | BranchRef,
  ): Promise<{ known: KnownMergeRequest[]; ruleFiles: StoredRuleFiles }> => {
    const { text, values } = selectKnown(schema, of)
    const [found] = await query<RuleFilesRow & { known: KnownRow[] | null }>(
      `SELECT (SELECT json_agg(known) FROM (${text}) AS known) AS known, ${ruleFileColumns(schema, '$1::bigint')}`,
      values,
    )
    return { known: (found?.known ?? []).map(knownOf), ruleFiles: storedRuleFiles(found) }
  }
}

/** Reads as `journal` does. `marks.change` computes the new value and does not store it. */
export function readOnlyJournal(journal: Journal): Journal {
  const { marks, ruleFiles } = journal
  return {
    ...journal,
    ruleFiles: { ...ruleFiles, save: async () => undefined },
    marks: { ...marks, change: async (project, mark, to) => void to(await marks.read(project, mark)) },
  }
}

const markOf = (id: string) => `sweep ${id}`

/** Replaces the record with its id. Throws JournalUnavailable. */
export const saveSweep = ({ marks }: Pick<Journal, 'marks'>, sweep: SweepRecord): Promise<void> =>
  marks.write(wholeService, markOf(sweep.id), sweep, DAY_MS)

/** Undefined if there is none. Throws JournalUnavailable. */
export const readSweep = ({ marks }: Pick<Journal, 'marks'>, id: string): Promise<SweepRecord | undefined> =>
  marks.read(wholeService, markOf(id))

export interface OpenState {
  /** ISO 8601: when it was evaluated. */
  at: string
  head: string | null
  /** The facts by name; only those that its rules needed. */
  facts: Record<string, Json>
}

// A decision has the traces of all rules. Few follow the end of a merge request, so the first page mostly suffices.
const pageSize = 20

/** Null if no stored decision saw it open. Found by the evaluated state, not by time: bot and service clocks differ. */
export async function lastOpenState(journal: Pick<Journal, 'decisions'>, mergeRequest: MergeRequestRef) {
  let after: string | undefined
  do {
    const page = await journal.decisions.list({ mergeRequest, limit: pageSize, after })
    const found = page.items.find(({ facts }) => facts?.state === 'opened')
    if (found !== undefined) return { at: found.at, head: found.head, facts: found.facts ?? {} }
    after = page.next
  } while (after !== undefined)
  return null
}
