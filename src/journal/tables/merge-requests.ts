// Merge requests and issues: what is remembered of each, its name and origin, and its times.

import type { EventTarget } from '../../rules/engine/triggers.ts'
import {
  actsAfter,
  endsOf,
  type MergeRequestActs,
  type MergeRequestTimes,
  type MergeRequestWaits,
} from '../../rules/explain/time-figures.ts'
import { isProject } from '../../rules/facts/definition/subject-ref.ts'
import type { Memory, MergeRequestOrigin, MergeRequestRef } from '../../rules/types.ts'
import {
  type Database,
  keyText,
  type Query,
  type Statement,
  textOfKey,
  together,
  valueIn,
  where,
} from '../database/database.ts'
import type { MergeRequestName, PendingEvent, ProjectName, RefName } from '../types.ts'
import { markProcessed } from './events.ts'
import type { BranchRef } from './pushes.ts'

/** What intake needs of a merge request. */
export interface KnownMergeRequest extends Pick<EventTarget, 'ref' | 'keeps' | 'ended'> {
  origin: MergeRequestOrigin | undefined
  /** The target branches of the merge queues of its project: a build may include it even after it left. */
  queueTargets: string[]
}

/** What an evaluation changes. Undefined leaves it as it is. */
export interface MergeRequestChange {
  memory?: Memory
  /** With the memory: it holds what any event may end. */
  keeps?: boolean
  /** With the memory: it is deleted after 30 days without a write. */
  over?: boolean
  /** Merged or closed; undefined if it was not read. */
  ended?: boolean
  name?: MergeRequestName
  origin?: MergeRequestOrigin
  /** When it must be evaluated again although nothing happens (ISO 8601); null: never. */
  changesAt?: string | null
  waits?: MergeRequestWaits
  processed?: readonly PendingEvent[]
}

interface Ref {
  project: string | number
  iid: string | number
}

interface OriginRow {
  source_project: string | number | null
  source_branch: string | null
  author: string | null
}

const refOf = ({ project, iid }: Ref): MergeRequestRef => ({ project: Number(project), iid: Number(iid) })

export interface KnownRow extends Ref, OriginRow {
  keeps: boolean
  ended: boolean | null
  targets: string[] | null
}

const MOST_OF_BRANCH = 100

export function mergeRequestsTable({ schema, query }: Database) {
  const table = `${schema}.merge_requests`
  return {
    memory: ({ project, iid }: MergeRequestRef): Promise<Memory | undefined> =>
      valueIn(query, `SELECT memory AS value FROM ${table} WHERE project = $1 AND iid = $2`, [project, iid]),
    /** One by its number, or those of a source branch that had not ended when they were read, at most a hundred. */
    async known(of: MergeRequestRef | BranchRef): Promise<KnownMergeRequest[]> {
      const { text, values } = selectKnown(schema, of)
      return (await query<KnownRow>(text, values)).map(knownOf)
    },
    /** Stores what changed of it, in one transaction. */
    save: async (mergeRequest: MergeRequestRef, change: MergeRequestChange): Promise<void> =>
      void (await query(
        ...together([
          saveMergeRequest(schema, mergeRequest, change),
          ...markProcessed(schema, mergeRequest, change.processed ?? []),
        ]),
      )),
    /** In the order of the refs; those without an iid, or with the iid 0, are projects. */
    async names(refs: readonly { project: number; iid?: number }[]): Promise<RefName[]> {
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
    /** Those in which something ended in a range, newest first, at most `limit`; also some with ends on both sides. */
    async times(
      { project, since, until }: { project?: number; since: Date; until: Date },
      limit: number,
    ): Promise<{ mergeRequest: MergeRequestRef; times: MergeRequestTimes }[]> {
      const values: unknown[] = [limit]
      const found = await query<Ref & { times: MergeRequestActs; waits: MergeRequestWaits | null }>(
        `SELECT project, iid, times, waits FROM ${table} WHERE ${where(values, [
          ['project = ?', project],
          ['last_end >= ?', since.toISOString()],
          ['first_end < ?', until.toISOString()],
        ])} ORDER BY last_end DESC LIMIT $1`,
        values,
      )
      return found.map((row) => ({ mergeRequest: refOf(row), times: { ...row.times, ...(row.waits ?? noWaits) } }))
    },
    /** Those that change before `until`, each for one process: they count as changing at `nextAt` from then on. */
    async takeDue(until: Date, { limit, nextAt }: { limit: number; nextAt: Date }): Promise<MergeRequestRef[]> {
      const found = await query<Ref>(
        `UPDATE ${table} SET changes_at = $2 WHERE (project, iid) IN (
           SELECT project, iid FROM ${table} WHERE changes_at < $1 ORDER BY changes_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING project, iid`,
        [until.toISOString(), nextAt.toISOString(), limit],
      )
      return found.map(refOf)
    },
  }
}

export const noWaits: MergeRequestWaits = { waits: [] }

export function selectKnown(schema: string, of: MergeRequestRef | BranchRef): Statement {
  const [filter, name] =
    'iid' in of
      ? ['project = $1 AND iid = $2', of.iid]
      : ['source_project = $1 AND source_branch = $2 AND ended IS NOT TRUE', keyText(of.branch)]
  return {
    text: `SELECT project, iid, keeps, ended, source_project, source_branch, author, (
        SELECT array_agg(target) FROM ${schema}.merge_queues AS queues WHERE queues.project = requests.project
      ) AS targets FROM ${schema}.merge_requests AS requests
      WHERE ${filter} ORDER BY project, iid LIMIT ${MOST_OF_BRANCH}`,
    values: [of.project, name],
  }
}

export const knownOf = (row: KnownRow): KnownMergeRequest => ({
  ref: refOf(row),
  keeps: row.keeps,
  ended: row.ended ?? undefined,
  origin: originOf(row),
  queueTargets: (row.targets ?? []).map(textOfKey),
})

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** Later statements select from `saved` to run after it: it locks the merge request until the transaction ends. */
export function saveMergeRequest(
  schema: string,
  { project, iid }: MergeRequestRef,
  { memory, over = false, keeps = true, ended, name, origin, changesAt, waits }: MergeRequestChange,
): Statement {
  return {
    as: 'saved',
    text: `INSERT INTO ${schema}.merge_requests AS present
        (project, iid, memory, over_at, keeps, name, source_project, source_branch, author, waits, changes_at, ended)
      VALUES ($1, $2, $3, CASE WHEN $4 THEN now() END, $5, $6, $7, $8, $9, $10, $11, $13)
      ON CONFLICT (project, iid) DO UPDATE SET changed_at = now(), name = coalesce(EXCLUDED.name, present.name),
        source_project = coalesce(EXCLUDED.source_project, present.source_project),
        source_branch = coalesce(EXCLUDED.source_branch, present.source_branch),
        author = coalesce(EXCLUDED.author, present.author), waits = coalesce(EXCLUDED.waits, present.waits),
        ended = coalesce(EXCLUDED.ended, present.ended), memory = coalesce(EXCLUDED.memory, present.memory),
        over_at = CASE WHEN EXCLUDED.memory IS NULL THEN present.over_at ELSE EXCLUDED.over_at END,
        keeps = CASE WHEN EXCLUDED.memory IS NULL THEN present.keeps ELSE EXCLUDED.keeps END,
        changes_at = CASE WHEN $12 THEN EXCLUDED.changes_at ELSE present.changes_at END
      RETURNING 1`,
    values: [
      project,
      iid,
      json(memory),
      over,
      memory !== undefined && keeps,
      json(name),
      ...originValues(origin),
      json(waits),
      changesAt ?? null,
      changesAt !== undefined,
      ended ?? null,
    ],
  }
}

/** The values of the columns of an OriginRow. */
const originValues = (origin: MergeRequestOrigin | undefined) => [
  origin?.project ?? null,
  origin === undefined ? null : keyText(origin.branch),
  origin?.author === undefined ? null : keyText(origin.author),
]

function originOf(row: OriginRow): MergeRequestOrigin | undefined {
  const { source_project: project, source_branch: branch, author } = row
  // A longer name is stored as a hash, which has a space in it, as no name of a branch has.
  if (project === null || branch === null || branch.includes(' ')) return undefined
  return {
    project: Number(project),
    branch: textOfKey(branch),
    author: author === null ? undefined : textOfKey(author),
  }
}

/** Adds an event to the times of a known merge request; a repetition changes nothing. */
export async function addToTimes(
  run: Query,
  schema: string,
  { project, iid }: MergeRequestRef,
  event: Parameters<typeof actsAfter>[1],
): Promise<void> {
  const table = `${schema}.merge_requests`
  const text = `SELECT times AS value FROM ${table} WHERE project = $1 AND iid = $2 FOR UPDATE`
  const after = actsAfter(await valueIn<MergeRequestActs>(run, text, [project, iid]), event)
  if (after === undefined) return
  const ends = endsOf(after)
  const at = (ms: number) => (ends.length === 0 ? null : new Date(ms).toISOString())
  await run(
    `UPDATE ${table} SET times = $3, first_end = $4, last_end = $5, changed_at = now() WHERE project = $1 AND iid = $2`,
    [project, iid, JSON.stringify(after), at(Math.min(...ends)), at(Math.max(...ends))],
  )
}

export function nameOf(project: ProjectName | null, name: MergeRequestName | null, iid: number): RefName {
  const title = name === null || isProject({ iid }) ? {} : { title: name.title }
  if (project === null) return title
  const { path, url: page } = project
  // Anybody with the hook's secret chooses the address in a payload: only pages within the project count.
  const own = name?.url.startsWith(`${page}/`) ? name.url : undefined
  const url = isProject({ iid }) ? page : own
  return { path, ...title, ...(url !== undefined && /^https?:\/\//.test(url) ? { url } : {}) }
}
