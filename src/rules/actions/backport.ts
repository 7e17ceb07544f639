// backport: after the merge, cherry-pick onto a new branch and open a merge request (GitLab docs: api/commits.md).

import { callData } from '../../api/call-data.ts'
import { items } from '../facts/definition/service-values.ts'
import { sources } from '../facts/definition/sources.ts'
import { harmless } from '../language/templates.ts'
import type { Json } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import { cut } from '../language/values/wording.ts'
import type { Memory } from '../types.ts'
import {
  type ActionInput,
  type ActionOutcome,
  action,
  actionMemory,
  blockedBy,
  nothingToDo,
  type PlannedCall,
} from './definition/action.ts'
import { findBotNote, withMark } from './definition/action-calls.ts'
import * as texts from './definition/backport-commits.ts'
import { branchFor, commitsToPick, isSameChange, isSha, shownRange } from './definition/backport-commits.ts'
import {
  type BackportArgs,
  backportArgs,
  backportTargets,
  fillTargets,
  groupOf,
} from './definition/backport-targets.ts'

/** How far a backport is, by the ids in responses of the service: names and messages prove nothing. */
type Backport =
  | {
      /** The head of the target branch that its branch was made from. */
      base: string
      /** The head of its branch after the last pick. */
      head: string
      shas: string[]
      isMerge: boolean
      /** How many of `shas` were picked. */
      picked: number
      /** The service refused to pick the next commit. */
      failed?: true
    }
  /** Its merge request was opened with that head. */
  | { opened: number }

/** The backports by target branch. */
const backports = actionMemory<Record<string, Backport>>('backport')

/** What is left to do for one target. */
type Step = { call: PlannedCall[]; detail: string } | { done: string } | { blocked: string }
type StepInput = Pick<ActionInput<BackportArgs>, 'mr' | 'body' | 'memory' | 'bot' | 'args'>
type Opened = Record<string, unknown> & { iid: number }
type Made = Exclude<Backport, { opened: number }>

function memoOf(memory: Memory, to: string): Backport | undefined {
  const all = backports.of(memory) ?? {}
  return Object.hasOwn(all, to) ? all[to] : undefined
}

const withMemo = (memory: Memory, to: string, memo: Backport) =>
  backports.put(memory, { ...backports.of(memory), [to]: memo })

/** Merge requests from the branch of this project, not of a fork. Undefined if the list cannot be read. */
function openedInto(to: string, branch: string, { mr, body }: StepInput): Opened[] | undefined {
  const listed = items(body(`${sources.mergeRequestsFrom.name}@${branch}`) as unknown[])
  return listed?.filter(
    (each): each is Opened =>
      isMap(each) &&
      each.source_branch === branch &&
      each.source_project_id === mr.id &&
      each.target_branch === to &&
      typeof each.iid === 'number',
  )
}

function headOf(branch: unknown): string | undefined {
  const commit = isMap(branch) ? branch.commit : undefined
  return isMap(commit) && isSha(commit.id) ? commit.id : undefined
}

/**
 * The next step, at most one call in each evaluation, from what the service has and the ids in its earlier responses.
 * Fails closed: Bellhop changes only what it made itself, and leaves the rest to people with a note.
 */
function nextStep(to: string, given: StepInput): Step {
  const { mr, memory, bot, body } = given
  const memo = memoOf(memory, to)
  if (memo !== undefined && 'opened' in memo) return { done: `!${memo.opened} is into ${to}` }
  const branch = branchFor(mr.merge_request_iid, to)
  const listed = openedInto(to, branch, given)
  if (listed === undefined) return { blocked: 'the merge requests cannot be listed' }
  const isSame = ({ sha }: Opened) => memo !== undefined && memo.picked === memo.shas.length && sha === memo.head
  const opened = listed.find(isSame) ?? listed.find(({ author }) => isMap(author) && author.id === bot.id)
  // Nobody else opens merge requests as the bot user: without memory, this one is its own from before.
  if (opened !== undefined && (memo === undefined || isSame(opened))) return { done: `!${opened.iid} is into ${to}` }
  const notes = body(sources.notes.name)
  if (notes === undefined) return { blocked: 'the notes cannot be read, so its own may say that it failed' }
  const isNoted = (purpose: string) => findBotNote(notes, purpose, bot) !== undefined
  if (isNoted(texts.noteFor(to))) return { done: `people bring the change to ${to}, as the note says` }
  const own = headOf(body(`${sources.branch.name}@${branch}`))
  if (opened !== undefined || (memo !== undefined && own !== undefined && own !== memo.head))
    return leaveTo(to, given, opened, isNoted(texts.branchNoteFor(to)))
  if (memo !== undefined && (own !== undefined || memo.failed === true)) return goOn(to, given, memo, own)
  return begin(to, given, own, isNoted(texts.branchNoteFor(to)))
}

/** A note to people, after the calls of `before`. */
function tell({ mr }: StepInput, text: string, purpose: string, detail: string, before: PlannedCall[] = []): Step {
  const write = { call: callData('mergeRequests.notes.create', { ...mr, body: withMark(text, purpose) ?? '' }) }
  return { call: [...before, write], detail }
}

/** Leaves a branch to people, because somebody else made it or changed it, or the merge request from it. */
function leaveTo(to: string, given: StepInput, opened: Opened | undefined, isNoted: boolean): Step {
  const { mr } = given
  const branch = branchFor(mr.merge_request_iid, to)
  const detail = `the branch ${branch} is not what Bellhop made of it`
  if (isNoted) return { blocked: `${detail}: delete it, or open a merge request into ${to} by hand` }
  const close = { id: mr.id, merge_request_iid: opened?.iid ?? 0, state_event: 'close' as const }
  const before = opened?.state === 'opened' ? [{ call: callData('mergeRequests.update', close) }] : []
  return tell(given, texts.notOwn({ to, branch }, opened?.iid), texts.branchNoteFor(to), detail, before)
}

/** Makes the branch, if it is known which commits to pick. */
function begin(to: string, given: StepInput, own: string | undefined, isNoted: boolean): Step {
  const { mr, body } = given
  const mergeRequest = body(sources.mergeRequest.name)
  const branch = branchFor(mr.merge_request_iid, to)
  // Read first, so that one round reads everything.
  const base = headOf(body(`${sources.branch.name}@${to}`))
  const picks = commitsToPick(mergeRequest, body)
  if ('unknown' in picks) return { blocked: picks.unknown }
  if ('byHand' in picks) return leaveToPeople(to, given, picks.byHand)
  if (own !== undefined) return leaveTo(to, given, undefined, isNoted)
  if (base === undefined) return { blocked: `there is no branch ${to}` }
  const call = callData('repository.branches.create', { id: mr.id, branch, ref: base })
  const memo = { to, base, head: base, ...picks, picked: 0 }
  return { call: [{ call, memo }], detail: `make the branch ${branch}` }
}

function leaveToPeople(to: string, given: StepInput, why: string, before: PlannedCall[] = []): Step {
  const { mr, body } = given
  const shown = shownRange(body(sources.mergeRequest.name))
  if (shown === undefined) return { blocked: 'what was merged cannot be read' }
  const text = texts.byHand({ to, branch: branchFor(mr.merge_request_iid, to) }, why, mr.merge_request_iid, shown)
  return tell(given, text, texts.noteFor(to), `say how to bring it to ${to} by hand: ${why}`, before)
}

/** The step after the branch was made: it is as Bellhop left it, or gone after a failure. */
function goOn(to: string, given: StepInput, memo: Made, own: string | undefined): Step {
  const { mr, body, args } = given
  const branch = branchFor(mr.merge_request_iid, to)
  const remove = own === undefined ? [] : [{ call: callData('repository.branches.delete', { id: mr.id, branch }) }]
  if (memo.failed === true) {
    return tell(
      given,
      texts.conflict({ to, branch }, memo),
      texts.noteFor(to),
      `say that the change does not apply to ${to}`,
      remove,
    )
  }
  const sha = memo.shas[memo.picked]
  if (sha !== undefined) {
    const call = callData('repository.commits.cherryPick', { id: mr.id, sha, branch })
    return {
      call: [{ call, memo: { to, picked: memo.picked } }],
      detail: `cherry-pick ${sha.slice(0, 8)} onto ${branch}`,
    }
  }
  if (memo.shas.length > 1) {
    const shown = body(sources.changes.name)
    const made = body(`${sources.comparison.name}@${memo.base}..${memo.head}`)
    if (!isMap(shown) || !isMap(made)) return { blocked: 'what was picked cannot be compared with what was merged' }
    const { sha: head } = body(sources.mergeRequest.name) as { sha?: unknown }
    if (shown.sha !== head || !isSameChange(shown.changes, made.diffs))
      return leaveToPeople(to, given, 'its commits bring something else there than the merge request showed', remove)
  }
  return { call: [openInto(to, branch, args, given)], detail: `open a merge request into ${to}` }
}

function openInto(to: string, branch: string, { labels }: BackportArgs, { mr, body }: StepInput): PlannedCall {
  const mergeRequest = body(sources.mergeRequest.name)
  const { title, author } = isMap(mergeRequest) ? mergeRequest : {}
  const assignee_id = isMap(author) && typeof author.id === 'number' ? author.id : undefined
  const call = callData('mergeRequests.create', {
    id: mr.id,
    source_branch: branch,
    target_branch: to,
    remove_source_branch: true,
    title: cut(`Backport to ${to}: ${typeof title === 'string' ? harmless(title) : `!${mr.merge_request_iid}`}`, 255),
    description: texts.description(mr.merge_request_iid, to),
    assignee_id,
    labels: labels.length === 0 ? undefined : labels.join(','),
  })
  return { call, memo: { to } }
}

export default action<BackportArgs, 'state'>({
  name: 'backport',
  doc: 'After the merge, cherry-pick the change onto a branch of its own for each target branch, `backport/7-to-stable-1.2`, and open a merge request with the author as assignee. It picks the merge commit or the squashed commit, else each commit in order, at most 20. A change that does not apply, that has merge commits of its own, or whose commits bring something else there than the merge request showed, gets one note with the commands to do it by hand. A branch of that name that Bellhop did not make, or that somebody else pushed to, is left alone, with one note. Each target has one merge request: one that was closed is not opened again. With `from_labels`, labels name the branches, where a member of the group was the last to set the label; what the `*` stands for has only letters, digits, `.`, `_` and `-`.',
  synonyms: ['cherry_pick', 'backports'],
  example: 'backport: { to: [stable-1.2] }',
  args: backportArgs,
  needs: ['state'],
  per: 'rule',
  when: 'followed',
  limited: 'new_rules',
  template: {
    fillArgs: fillTargets,
    names: ({ from_labels: named }) =>
      named === null ? [] : [{ kind: 'group', name: named.set_by.members_of, members: groupOf(named) }],
  },
  reads: {
    facts: ({ from_labels: named }) => (named === null ? [] : ['labels']),
    sources: ['labelEvents', 'groupDirectMembers', 'groupMembers', 'project', 'changes', 'comparison', 'history'],
  },
  requires: () => [{ fact: 'state', operator: 'equals', expected: 'merged' }],
  blocked: () => blockedBy('it is not merged'),
  calls(input): ActionOutcome {
    const found = backportTargets(input.args, input)
    const refused = found.problems.map((blocked): Step => ({ blocked }))
    const steps = [...found.targets.map((to) => nextStep(to, input)), ...refused]
    if (steps.length === 0) return nothingToDo('no label names a branch')
    const calls = steps.flatMap((step) => ('call' in step ? step.call : []))
    const words = steps.map((step) => ('call' in step ? step.detail : 'done' in step ? step.done : step.blocked))
    if (calls.length > 0) return { result: 'call', detail: words.join('; '), calls }
    return steps.some((step) => 'blocked' in step) ? blockedBy(words.join('; ')) : nothingToDo(words.join('; '))
  },
  answered({ endpoint }, answer): { created?: Json } {
    if (!isMap(answer)) return {}
    const { id, parent_ids, iid, sha } = answer
    if (endpoint === 'repository.commits.cherryPick' && Array.isArray(parent_ids) && parent_ids.length === 1)
      return { created: { id: String(id), parent: String(parent_ids[0]) } }
    return endpoint === 'mergeRequests.create' ? { created: { iid: Number(iid), sha: String(sha) } } : {}
  },
  remember(memory, { endpoint, memo }, _certain, _at, created): Memory {
    if (!isMap(memo) || typeof memo.to !== 'string') return memory
    const { to, ...made } = memo
    const before = memoOf(memory, memo.to)
    const after = (next: Backport) => withMemo(memory, String(memo.to), next)
    if (endpoint === 'repository.branches.create') return after(made as Made)
    if (before === undefined || 'opened' in before || !isMap(created)) return memory
    // After a lost response or somebody else's push, the branch has another head, which the next step finds.
    if (endpoint === 'repository.commits.cherryPick' && created.parent === before.head && isSha(created.id))
      return after({ ...before, head: created.id, picked: before.picked + 1 })
    return endpoint === 'mergeRequests.create' && created.sha === before.head
      ? after({ opened: Number(created.iid) })
      : memory
  },
  refused(memory, { call: { endpoint, memo } }): Memory {
    const to = isMap(memo) && typeof memo.to === 'string' ? memo.to : undefined
    const before = to === undefined ? undefined : memoOf(memory, to)
    if (endpoint !== 'repository.commits.cherryPick' || to === undefined || before === undefined || 'opened' in before)
      return memory
    // Another rule picked the same commit just before.
    if (isMap(memo) && memo.picked !== before.picked) return memory
    return withMemo(memory, to, { ...before, failed: true })
  },
})
