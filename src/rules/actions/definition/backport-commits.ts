// Which commits a backport picks: those that landed what the merge request showed. Else people pick, by the commands in a note.
// And whether several picks together brought that.
import { MOST_COMMITS } from '../../facts/definition/people-sources.ts'
import { sources } from '../../facts/definition/sources.ts'
import { isMap } from '../../language/values/shapes.ts'

export type Picks =
  /** `shas`: in the order in which they are picked. `isMerge`: the command for people must name the parent. */
  | { shas: string[]; isMerge: boolean }
  /** Why people have to pick. */
  | { byHand: string }
  | { unknown: string }

type Body = (answerName: string) => unknown

export const isSha = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value)

/** The branch of the backport. Its name proves nothing: anybody who may push can have made it. */
export const branchFor = (iid: number, to: string) => `backport/${iid}-to-${to}`
export const isBackportBranch = (name: string) => /^backport\/\d+-to-/.test(name)

/** The two commits whose difference the merge request showed; undefined if the service does not say. */
export function shownRange(mergeRequest: unknown): { base: string; head: string } | undefined {
  const { sha, diff_refs: refs } = isMap(mergeRequest) ? mergeRequest : {}
  const base = isMap(refs) ? refs.base_sha : undefined
  return isSha(sha) && isSha(base) ? { base, head: sha } : undefined
}

/** The picked commits together must have brought exactly what the merge request showed. Fails closed. */
export function commitsToPick(mergeRequest: unknown, body: Body): Picks {
  const shown = shownRange(mergeRequest)
  const project = body(sources.project.name)
  const method = isMap(project) ? project.merge_method : undefined
  if (!isMap(mergeRequest) || shown === undefined || typeof method !== 'string')
    return { unknown: 'what was merged cannot be read' }
  const { merge_commit_sha: merge, squash_commit_sha: squash } = mergeRequest
  // If the service makes no merge commits, somebody pushed this one.
  if (isSha(merge) && merge !== shown.head && method !== 'ff') {
    const found = mergeToPick(merge, [shown.head, squash], body)
    if (found !== 'no merge') return found
  }
  if (isSha(squash)) return { shas: [squash], isMerge: false }
  return ownCommits(shown, body)
}

/** A merge commit, if it merged this merge request and nothing else: then its first parent was the target's head. */
function mergeToPick(sha: string, merged: readonly unknown[], body: Body): Picks | 'no merge' {
  const parents = parentsOf(historyOf(sha, body)?.[0], sha)
  if (parents === undefined) return { unknown: 'its merge commit cannot be read' }
  if (parents.length < 2) return 'no merge'
  const pick: Picks = { shas: [sha], isMerge: true }
  if (parents.length === 2 && merged.includes(parents[1])) return pick
  const landed = hasLanded(String(merged[0]), body)
  if (landed === undefined) return { unknown: 'whether its commits landed cannot be read' }
  // Its own commits did not land: the service rebased them and merged the result.
  return parents.length === 2 && !landed ? pick : { byHand: 'its merge commit merged more than its branch' }
}

/** Its own commits, if they landed: a line from the head down to the base of what was shown. */
function ownCommits({ base, head }: { base: string; head: string }, body: Body): Picks {
  const [landed, history] = [hasLanded(head, body), historyOf(head, body)]
  if (landed === undefined) return { unknown: 'whether its commits landed cannot be read' }
  if (!landed) return { byHand: 'the service rebased its commits and does not name what was merged' }
  if (history === undefined) return { unknown: 'its commits cannot be read' }
  const shas: string[] = []
  for (let at = head; at !== base; ) {
    if (shas.length === MOST_COMMITS) return { byHand: `its branch has more than ${MOST_COMMITS} commits` }
    const parents = parentsOf(history[shas.length], at)
    if (parents === undefined) return { unknown: 'its commits cannot be read' }
    const [parent, ...more] = parents
    if (parent === undefined || more.length > 0) return { byHand: 'its branch has merge commits' }
    shas.unshift(at)
    at = parent
  }
  return shas.length === 0 ? { byHand: 'its branch has no commits of its own' } : { shas, isMerge: false }
}

/** A list of commits, newest first. In a linear history, each is the parent of the one before. */
function historyOf(sha: string, body: Body): unknown[] | undefined {
  const listed = body(`${sources.history.name}@${sha}`)
  return Array.isArray(listed) ? listed : undefined
}

function parentsOf(commit: unknown, sha: string): string[] | undefined {
  if (!isMap(commit) || commit.id !== sha || !Array.isArray(commit.parent_ids)) return undefined
  const parents = commit.parent_ids as unknown[]
  return parents.every(isSha) ? parents : undefined
}

/** Whether the target branch has the commit; undefined if that cannot be read. */
function hasLanded(sha: string, body: Body): boolean | undefined {
  const common = body(`${sources.commonWithTarget.name}@${sha}`)
  return isMap(common) && isSha(common.id) ? common.id === sha : undefined
}

/** The added and removed lines, sorted, by paths and modes; undefined if a difference is not shown. */
function linesOf(changes: unknown): Map<string, string> | undefined {
  if (!Array.isArray(changes)) return undefined
  const found = new Map<string, string>()
  for (const each of changes as unknown[]) {
    if (!isMap(each) || typeof each.diff !== 'string') return undefined
    const { old_path, new_path, a_mode, b_mode, diff, new_file, renamed_file, deleted_file } = each
    // No lines: too large or binary; or a rename or change of mode, which looks the same.
    if (!diff.includes('@@')) return undefined
    const lines = diff.split('\n').filter((line) => /^[-+\\]/.test(line))
    found.set(
      JSON.stringify([old_path, new_path, a_mode, b_mode, new_file, renamed_file, deleted_file]),
      lines.sort().join('\n'),
    )
  }
  return found
}

/** Fails closed: what cannot be compared is not the same. */
export function isSameChange(shown: unknown, made: unknown): boolean {
  const [one, other] = [linesOf(shown), linesOf(made)]
  if (one === undefined || other === undefined || one.size !== other.size) return false
  return [...one].every(([file, lines]) => other.get(file) === lines)
}

interface About {
  to: string
  branch: string
}

export const noteFor = (to: string) => `backport to ${to}`
export const branchNoteFor = (to: string) => `branch of the backport to ${to}`

export const description = (iid: number, to: string) =>
  `Backport of !${iid} to \`${to}\`. Bellhop cherry-picked it when it was merged.`

const commands = ({ to, branch }: About, fetch: string, apply: string[]) => [
  '```sh',
  `git fetch origin${fetch}`,
  `git switch -c ${branch} origin/${to}`,
  ...apply,
  `git push -u origin ${branch}`,
  '```',
  `Then open a merge request of that branch into \`${to}\`.`,
]

export const conflict = (about: About, { shas, isMerge }: { shas: readonly string[]; isMerge: boolean }) =>
  [
    `The change does not apply to \`${about.to}\`: it conflicts there, or is there already. By hand:`,
    ...commands(about, '', [`git cherry-pick -x ${isMerge ? '-m 1 ' : ''}${shas.join(' ')}`]),
  ].join('\n')

/** The commands apply what the merge request showed, whatever its commits are. */
export const byHand = (about: About, why: string, iid: number, { base, head }: { base: string; head: string }) =>
  [
    `Bellhop does not cherry-pick the change to \`${about.to}\`: ${why}. By hand:`,
    ...commands(about, ` && git fetch origin merge-requests/${iid}/head`, [
      `git diff --binary ${base} ${head} | git apply --3way`,
      'git commit',
    ]),
  ].join('\n')

export const notOwn = ({ to, branch }: About, closed?: number) =>
  [
    `Bellhop does not know what is on the branch \`${branch}\`: somebody else made it or pushed to it, or an answer of the service was lost.`,
    closed === undefined
      ? 'It opens no merge request of it.'
      : `It closed !${closed}, because somebody pushed to the branch before that was opened.`,
    `Look at the branch. Then delete it and comment here, so that Bellhop makes its own, or open a merge request into \`${to}\` by hand.`,
  ].join(' ')
