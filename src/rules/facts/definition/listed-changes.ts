// The changed files: in one answer that shows its version, or in pages between two reads of the newest version.
import type { FactView, Reading } from './fact.ts'
import { versionOf } from './source.ts'
import { type SourceKey, sources } from './sources.ts'

export const CHANGE_SOURCES = ['changes', 'diffsBefore', 'diffs', 'diffsAfter'] as const satisfies SourceKey[]

type ListReading = Exclude<Reading<unknown>, { is: 'read' }> | { is: 'read'; body: unknown; complete: boolean }

/** Fails closed: pages count only where the versions before and after are one, and that of the merge request. */
export function listedChanges(view: FactView): ListReading {
  const whole = view.source(sources.changes)
  const own: ListReading =
    whole.is === 'read' ? { is: 'read', body: whole.body.changes, complete: whole.complete } : whole
  // What is unread, or of another version, is read again; a refusal has a status.
  const isFinal = whole.is === 'read' ? whole.complete : whole.is === 'unread' || whole.status === undefined
  if (isFinal) return own
  const evaluated = view.source(sources.mergeRequest)
  if (evaluated.is !== 'read') return own
  const { changes_count } = evaluated.body
  // `1000+` is no number: no list can be known to be complete.
  if (typeof changes_count !== 'string' || !/^\d{1,9}$/.test(changes_count)) return own
  const before = view.source(sources.diffsBefore)
  if (before.is !== 'read') return before.is === 'unread' ? before : own
  const pages = view.source(sources.diffs)
  if (pages.is !== 'read') return pages.is === 'unread' ? pages : own
  const after = view.source(sources.diffsAfter)
  if (after.is !== 'read') return after.is === 'unread' ? after : own
  const isOneVersion =
    Number.isSafeInteger(before.body[0]?.id) &&
    before.body[0]?.id === after.body[0]?.id &&
    isOf(before.body[0], versionOf(evaluated.body).refs)
  if (!isOneVersion) return own
  return { is: 'read', body: pages.body, complete: pages.complete && pages.body.length >= Number(changes_count) }
}

interface VersionFields {
  head_commit_sha?: string | undefined
  base_commit_sha?: string | undefined
  start_commit_sha?: string | undefined
}

/** The base shows another target branch, so all three commits must be known and the same. */
function isOf(version: VersionFields | undefined, refs: Readonly<Record<string, unknown>> = {}): boolean {
  const { head_commit_sha, base_commit_sha, start_commit_sha } = version ?? {}
  const pairs = [
    [head_commit_sha, refs.head_sha],
    [base_commit_sha, refs.base_sha],
    [start_commit_sha, refs.start_sha],
  ]
  return pairs.every(([shown, expected]) => typeof shown === 'string' && shown === expected)
}
