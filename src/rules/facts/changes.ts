// Which files change, and how much.

import { integer, paths } from '../language/operators/fact-types.ts'
import { memoize } from '../language/values/memoize.ts'
import { isMap } from '../language/values/shapes.ts'
import { type Fact, fact, known } from './definition/fact.ts'
import { items } from './definition/list-items.ts'
import { CHANGE_SOURCES, listedChanges } from './definition/listed-changes.ts'
import { sources } from './definition/sources.ts'

/** A list of changes may have megabytes of diffs: keep only those of a few running evaluations. */
const mostAnswers = 4

/** The paths of a list of changes, computed once for each answer. */
const pathsOf = memoize(mostAnswers, (list: readonly unknown[]): { paths?: string[] } => {
  const all: string[] = []
  let mayRepeat = false
  for (const change of list) {
    const { old_path: before, new_path: after, deleted_file: isGone } = isMap(change) ? change : {}
    // Fails closed: a change without its two paths makes the whole list unreadable.
    if (typeof before !== 'string' || typeof after !== 'string') return {}
    if (after !== before) all.push(before)
    if (after !== before || isGone === true) mayRepeat = true
    all.push(after)
  }
  // Only renamed or replaced files repeat a path; building a set costs more than all else here.
  return { paths: mayRepeat ? [...new Set(all)] : all }
})

export const changed_files: Fact<string[]> = {
  doc: 'The changed files; a renamed file counts with both paths.',
  synonyms: ['files', 'paths'],
  type: paths,
  from: CHANGE_SOURCES,
  read(view) {
    const reading = listedChanges(view)
    if (reading.is !== 'read') return reading
    return known(paths, Array.isArray(reading.body) ? pathsOf(reading.body).paths : undefined, reading.complete)
  },
  showsInUpdatedAt: true,
  lasting: true,
  example: 'changed_files: { all: "docs/**" }',
  toFix: 'changed files with',
}

export const changed_files_count = fact({
  doc: 'How many files change; the service counts to 1000.',
  type: integer,
  from: sources.mergeRequest,
  read: (mr) => {
    const digits = typeof mr.changes_count === 'string' ? /^(\d{1,9})\+?$/.exec(mr.changes_count)?.[1] : undefined
    return digits === undefined ? undefined : Number(digits)
  },
  complete: (mr) => typeof mr.changes_count === 'string' && !mr.changes_count.endsWith('+'),
  showsInUpdatedAt: true,
  lasting: true,
  example: 'changed_files_count: { at_most: 20 }',
  toFix: 'a number of changed files of',
  reachable: [0],
})

/** Added and removed lines of one unified diff. */
function changedLines(diff: string): number {
  return diff.split('\n').filter((line) => /^[+-]/.test(line) && !/^(?:\+\+\+|---) /.test(line)).length
}

/** The service omits the diffs of large files: the count is then a lower bound. */
function hasText(change: unknown): boolean {
  return isMap(change) && typeof change.diff === 'string' && change.too_large !== true && change.collapsed !== true
}

export const lines_changed: Fact<number> = {
  doc: 'Added and removed lines together.',
  synonyms: ['size', 'diff_size', 'changed_lines'],
  type: integer,
  from: CHANGE_SOURCES,
  read(view) {
    const reading = listedChanges(view)
    if (reading.is !== 'read') return reading
    const listed = items<unknown>(reading.body as readonly unknown[] | undefined)
    const sum = listed?.reduce<number>(
      (lines, change) => lines + (isMap(change) && typeof change.diff === 'string' ? changedLines(change.diff) : 0),
      0,
    )
    return known(integer, sum, reading.complete && (listed ?? []).every(hasText))
  },
  showsInUpdatedAt: true,
  lasting: true,
  example: 'lines_changed: { less_than: 200 }',
  toFix: 'a number of changed lines of',
  reachable: [0],
}
