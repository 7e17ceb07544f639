// Merge requests and issues: what is remembered of each, its name, and its times.
import { isProject } from '../../rules/facts/definition/subject-ref.ts'
import type { Memory, MergeRequestRef } from '../../rules/types.ts'
import type { Database, Query } from '../database/database.ts'
import { where } from '../database/where.ts'
import type { MergeQueueEntry, MergeRequestName, PendingEvent, ProjectName, RefName } from '../record-types.ts'
import { endsOf, type MergeRequestTimes, type TimesChange, timesAfter } from '../time-figures.ts'
import { type EventRow, PENDING, pendingEvent, processEvents } from './events.ts'

/** What an evaluation needs of the journal. */
export interface LoadedMergeRequest {
  memory: Memory | undefined
  /** Oldest first. */
  pendingEvents: PendingEvent[]
  name: RefName
  queueEntry: MergeQueueEntry | undefined
  /** The marks of its project among those that were asked for, by their names. */
  marks: Record<string, unknown>
}

export interface MergeRequestsTable {
  memory(mergeRequest: MergeRequestRef): Promise<Memory | undefined>
  /** Stores what changed of it, in one transaction. */
  save(mergeRequest: MergeRequestRef, change: MergeRequestChange): Promise<void>
  /** In the order of the refs; those without an iid, or with the iid 0, are projects. */
  names(refs: readonly { project: number; iid?: number }[]): Promise<RefName[]>
  /** Those in which something ended in a range, the newest first, at most `limit`; and some between whose ends it lies. */
  times(
    of: { project?: number; since: Date; until: Date },
    limit: number,
  ): Promise<{ mergeRequest: MergeRequestRef; times: MergeRequestTimes }[]>
  /** Those that change at a time before `until`, at most `limit`, the earliest first. */
  due(until: Date, limit: number): Promise<{ mergeRequest: MergeRequestRef; changesAt: Date }[]>
}

/** What an evaluation changes. Undefined leaves it as it is. */
export interface MergeRequestChange {
  memory?: Memory | undefined
  /** With the memory: merged or closed; its memory is deleted after 30 days without a write. */
  over?: boolean
  name?: MergeRequestName | undefined
  /** When it must be evaluated again although nothing happens (ISO 8601); null: never. */
  changesAt?: string | null
  /** What it waits for from now on. */
  times?: TimesChange | undefined
  /** Events that are pending no longer. */
  processed?: readonly PendingEvent[]
}

interface Ref {
  project: string | number
  iid: string | number
}

const refOf = ({ project, iid }: Ref): MergeRequestRef => ({ project: Number(project), iid: Number(iid) })

export function mergeRequestsTable({ schema, query, transaction }: Database): MergeRequestsTable {
  const table = `${schema}.merge_requests`
  return {
    async memory({ project, iid }) {
      const [found] = await query<{ memory: Memory | null }>(
        `SELECT memory FROM ${table} WHERE project = $1 AND iid = $2`,
        [project, iid],
      )
      return found?.memory ?? undefined
    },
    async save(mergeRequest, change) {
      const { times, processed = [] } = change
      if (times === undefined && processed.length === 0) await saveMergeRequest(query, schema, mergeRequest, change)
      else await transaction((run) => saveMergeRequest(run, schema, mergeRequest, change))
    },
    async names(refs) {
      if (refs.length === 0) return []
      const found = await query<{ at: number; project_name: ProjectName | null; name: MergeRequestName | null }>(
        `SELECT at, projects.name AS project_name, requests.name AS name
         FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS given (project, iid, at)
         LEFT JOIN ${schema}.projects AS projects ON projects.project = given.project
         LEFT JOIN ${table} AS requests ON requests.project = given.project AND requests.iid = given.iid
         ORDER BY at`,
        [refs.map(({ project }) => project), refs.map(({ iid = 0 }) => iid)],
      )
      return found.map((row, at) => nameOf(row.project_name, row.name, refs[at]?.iid ?? 0))
    },
    async times({ project, since, until }, limit) {
      const values: unknown[] = [limit]
      const found = await query<Ref & { times: MergeRequestTimes }>(
        `SELECT project, iid, times FROM ${table} WHERE ${where(values, [
          ['project = ?', project],
          ['last_end >= ?', since.toISOString()],
          ['first_end < ?', until.toISOString()],
        ])} ORDER BY last_end DESC LIMIT $1`,
        values,
      )
      return found.map((row) => ({ mergeRequest: refOf(row), times: row.times }))
    },
    async due(until, limit) {
      const found = await query<Ref & { changes_at: Date }>(
        `SELECT project, iid, changes_at FROM ${table} WHERE changes_at < $1 ORDER BY changes_at LIMIT $2`,
        [until.toISOString(), limit],
      )
      return found.map((row) => ({ mergeRequest: refOf(row), changesAt: row.changes_at }))
    },
  }
}

/** Reads what an evaluation needs, in one statement. `marks`: the names of marks of its project. */
export function loadMergeRequest({ schema, query }: Database) {
  return async ({ project, iid }: MergeRequestRef, marks: readonly string[] = []): Promise<LoadedMergeRequest> => {
    const [found] = await query<{
      memory: Memory | null
      queue_entry: MergeQueueEntry | null
      name: MergeRequestName | null
      project_name: ProjectName | null
      events: EventRow[] | null
      marks: Record<string, unknown> | null
    }>(
      `SELECT memory, queue_entry, requests.name AS name, projects.name AS project_name, (
         SELECT json_agg(json_build_object('seq', seq, 'event', event) ORDER BY seq) FROM ${schema}.events
         WHERE project = $1 AND iid = $2 AND ${PENDING}
       ) AS events, (
         SELECT json_object_agg(mark, value) FROM ${schema}.marks
         WHERE project = $1 AND mark = ANY($3) AND expires_at > now()
       ) AS marks
       FROM (VALUES ($1::bigint, $2::bigint)) AS given (project, iid)
       LEFT JOIN ${schema}.merge_requests AS requests USING (project, iid)
       LEFT JOIN ${schema}.projects AS projects USING (project)`,
      [project, iid, marks],
    )
    return {
      memory: found?.memory ?? undefined,
      pendingEvents: (found?.events ?? []).map(pendingEvent),
      name: nameOf(found?.project_name ?? null, found?.name ?? null, iid),
      queueEntry: found?.queue_entry ?? undefined,
      marks: found?.marks ?? {},
    }
  }
}

/** Locks it until the end of the transaction. */
export async function saveMergeRequest(
  run: Query,
  schema: string,
  mergeRequest: MergeRequestRef,
  { memory, over = false, name, changesAt, times, processed = [] }: MergeRequestChange,
): Promise<void> {
  const { project, iid } = mergeRequest
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  await run(
    `INSERT INTO ${schema}.merge_requests AS present (project, iid, memory, over_at, name, changes_at)
     VALUES ($1, $2, $3, CASE WHEN $4 THEN now() END, $5, $6)
     ON CONFLICT (project, iid) DO UPDATE SET changed_at = now(), name = coalesce(EXCLUDED.name, present.name),
       memory = coalesce(EXCLUDED.memory, present.memory),
       over_at = CASE WHEN EXCLUDED.memory IS NULL THEN present.over_at ELSE EXCLUDED.over_at END,
       changes_at = CASE WHEN $7 THEN EXCLUDED.changes_at ELSE present.changes_at END`,
    [project, iid, json(memory), over, json(name), changesAt ?? null, changesAt !== undefined],
  )
  if (times !== undefined) await changeTimes(run, schema, mergeRequest, times)
  await processEvents(run, schema, mergeRequest, processed)
}

/** Changes the times of a locked merge request; a repetition changes nothing. */
export async function changeTimes(
  run: Query,
  schema: string,
  { project, iid }: MergeRequestRef,
  change: TimesChange,
): Promise<void> {
  const table = `${schema}.merge_requests`
  const [found] = await run<{ times: MergeRequestTimes | null }>(
    `SELECT times FROM ${table} WHERE project = $1 AND iid = $2`,
    [project, iid],
  )
  const after = timesAfter(found?.times ?? undefined, change)
  if (after === undefined) return
  const ends = endsOf(after)
  const at = (ms: number) => (ends.length === 0 ? null : new Date(ms).toISOString())
  await run(
    `UPDATE ${table} SET times = $3, first_end = $4, last_end = $5, changed_at = now() WHERE project = $1 AND iid = $2`,
    [project, iid, JSON.stringify(after), at(Math.min(...ends)), at(Math.max(...ends))],
  )
}

function nameOf(project: ProjectName | null, name: MergeRequestName | null, iid: number): RefName {
  const title = name === null || isProject({ iid }) ? {} : { title: name.title }
  if (project === null) return title
  const { path, url: page } = project
  // Anybody with the hook's secret chooses the address in a payload: only pages within the project count.
  const own = name?.url.startsWith(`${page}/`) ? name.url : undefined
  const url = isProject({ iid }) ? page : own
  return { path, ...title, ...(url !== undefined && /^https?:\/\//.test(url) ? { url } : {}) }
}
