// Which files change, and how much.
import { integer, names, paths } from '../language/operators/fact-types.ts'
import { oncePerObject } from '../language/values/fingerprint.ts'
import { isMap } from '../language/values/shapes.ts'
import { factsFrom, field } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import { sources } from './definition/sources.ts'

const pathsOf = oncePerObject((list: readonly unknown[]): { paths?: string[] } => {
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
  // Only renamed or replaced files repeat a path; building a set costs more than everything else here.
  return { paths: mayRepeat ? [...new Set(all)] : all }
})

const change = factsFrom(sources.changes, { showsInUpdatedAt: true, lasting: true })

export const changed_files = change({
  doc: 'The changed files; a renamed file counts with both paths.',
  synonyms: ['files', 'paths'],
  type: paths,
  read: ({ changes }) => (Array.isArray(changes) ? pathsOf(changes).paths : undefined),
  example: 'changed_files: { all: "docs/**" }',
  toFix: 'changed files with',
})

export const changed_files_count = field({
  doc: 'How many files change; the service counts to 1000.',
  type: integer,
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

/** Added and removed lines of one unified diff. After its head, `--- ` and `+++ ` begin changed lines as well. */
function changedLines(diff: string): number {
  const lines = diff.split('\n')
  const hunk = lines.findIndex((line) => line.startsWith('@@ '))
  const isHead = (line: string, at: number) => (hunk === -1 || at < hunk) && /^(?:\+\+\+|---) /.test(line)
  return lines.filter((line, at) => /^[+-]/.test(line) && !isHead(line, at)).length
}

/**
 * Whether the diff is complete. The service omits the diffs of large files, so the count is a lower bound. Before 18.4
 * it does not say which ones, so an empty diff may be one of them (docs/hosting-service.md).
 */
function hasWholeDiff(change: unknown): boolean {
  if (!isMap(change) || typeof change.diff !== 'string') return false
  const { diff, too_large, collapsed } = change
  if (too_large === true || collapsed === true) return false
  return diff !== '' || (too_large === false && collapsed === false)
}

export const lines_changed = change({
  doc: 'Added and removed lines together.',
  synonyms: ['size', 'diff_size', 'changed_lines'],
  type: integer,
  read: (body) =>
    items<unknown>(body.changes)?.reduce<number>(
      (lines, change) => lines + (isMap(change) && typeof change.diff === 'string' ? changedLines(change.diff) : 0),
      0,
    ),
  complete: (body) => (items<unknown>(body.changes) ?? []).every(hasWholeDiff),
  example: 'lines_changed: { less_than: 200 }',
  toFix: 'a number of changed lines of',
  reachable: [0],
})

const commitsFact = factsFrom(sources.commits, { showsInUpdatedAt: true, lasting: true })

export const commit_messages = commitsFact({
  doc: 'The whole message of every commit.',
  type: names,
  read: (commits) => items(commits)?.map((commit) => commit?.message ?? commit?.title) as string[] | undefined,
  example: 'commit_messages: { all: { matches: "^(feat|fix|docs): " } }',
  toFix: 'commit messages with',
})

export const commit_titles = commitsFact({
  doc: 'The first line of every commit’s message.',
  type: names,
  read: (commits) => items(commits)?.map((commit) => commit?.title) as string[] | undefined,
  example: 'commit_titles: { none: { matches: "^(fixup|squash)! " } }',
  toFix: 'commit titles with',
})

export const commits_count = commitsFact({
  doc: 'How many commits it has; Bellhop counts to 100.',
  type: integer,
  read: 'length',
  example: 'commits_count: { at_most: 10 }',
  toFix: 'a number of commits of',
  reachable: [0],
})

export const commit_authors = commitsFact({
  doc: 'The e-mail address of every commit’s author. It can be forged: to know who pushed, use pushed_by.',
  type: names,
  read: (commits) => {
    const authors = items(commits)?.map((commit) => commit?.author_email)
    return authors === undefined ? undefined : ([...new Set(authors)] as string[])
  },
  example: 'commit_authors: { all: "*@example.com" }',
})
