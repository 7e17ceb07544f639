// backport: after the merge, cherry-pick the change onto a branch of its own, and open a merge request (GitLab docs: api/commits.md).
import { callData } from '../../api/call-data.ts'
import { items } from '../facts/definition/list-items.ts'
import { isMap } from '../language/values/shapes.ts'
import { cut } from '../language/values/wording.ts'
import type { Memory } from '../types.ts'
import {
  type ActionInput,
  type ActionOutcome,
  action,
  blockedBy,
  nothingToDo,
  type PlannedCall,
} from './definition/action.ts'
import { type BackportArgs, backportArgs, groupOf } from './definition/backport-arguments.ts'
import { backportTexts, branchFor, commitsToPick, pickedOf } from './definition/backport-commits.ts'
import { backportTargets } from './definition/backport-targets.ts'
import { findBotNote, withMark } from './definition/bot-note.ts'

/** What is left to do for one target. */
type Step = { call: PlannedCall[]; detail: string } | { done: string } | { blocked: string }

/** The merge request from the branch, in any state; undefined where the list cannot be read. A fork may use the same name. */
function openedFrom(branch: string, { mr, body }: Pick<ActionInput, 'mr' | 'body'>): number | 'none' | undefined {
  const listed = body(`mergeRequestsFrom@${branch}`)
  if (!Array.isArray(listed)) return undefined
  const own = items(listed as unknown[])?.find(
    (each) => isMap(each) && each.source_branch === branch && each.source_project_id === mr.id,
  )
  return isMap(own) && typeof own.iid === 'number' ? own.iid : 'none'
}

const noteFor = (to: string) => `backport to ${to}`

function commitOf(branch: unknown): { id: string; message: string } | undefined {
  const commit = isMap(branch) ? branch.commit : undefined
  if (!isMap(commit) || typeof commit.id !== 'string') return undefined
  return { id: commit.id, message: typeof commit.message === 'string' ? commit.message : '' }
}

/** The next call, by what the service has: so a lost response or a crash repeats nothing. */
function nextStep(to: string, input: ActionInput<BackportArgs, 'state'>): Step {
  const { mr, body, memory, bot, args: asked } = input
  const branch = branchFor(mr.merge_request_iid, to)
  const opened = openedFrom(branch, input)
  if (opened === undefined) return { blocked: 'the merge requests cannot be listed' }
  if (opened !== 'none') return { done: `!${opened} is into ${to}` }
  const notes = body('notes')
  if (notes === undefined) return { blocked: 'the notes cannot be read, so its own may say that it failed' }
  if (findBotNote(notes, noteFor(to), bot) !== undefined)
    return { done: `the change does not apply to ${to}, as the note says` }
  const commits = commitsToPick(body('mergeRequest'), body('commits'))
  if (commits === undefined) return { blocked: 'its commits cannot be read, or are too many' }
  const own = commitOf(body(`branch@${branch}`))
  if (memory.failedBackports?.includes(to) === true) {
    const text = withMark(backportTexts.conflict({ to, branch, commits }), noteFor(to))
    const remove = own === undefined ? [] : [{ call: callData('repository.branches.delete', { id: mr.id, branch }) }]
    const write = { call: callData('mergeRequests.notes.create', { ...mr, body: text ?? '' }) }
    return { call: [...remove, write], detail: `say that the change does not apply to ${to}` }
  }
  if (body(`branch@${to}`) === undefined) return { blocked: `there is no branch ${to}` }
  if (own === undefined)
    return {
      call: [{ call: callData('repository.branches.create', { id: mr.id, branch, ref: to }) }],
      detail: `make the branch ${branch}`,
    }
  // Where the head is still that of the target, nothing was picked, whatever its message says.
  const sha = commits.shas[own.id === commitOf(body(`branch@${to}`))?.id ? 0 : pickedOf(own.message, commits)]
  if (sha !== undefined)
    return {
      call: [{ call: callData('repository.commits.cherryPick', { id: mr.id, sha, branch }), memo: to }],
      detail: `cherry-pick ${sha.slice(0, 8)} onto ${branch}`,
    }
  return { call: [openInto(to, branch, asked, input)], detail: `open a merge request into ${to}` }
}

function openInto(
  to: string,
  branch: string,
  { labels }: BackportArgs,
  { mr, body }: Pick<ActionInput, 'mr' | 'body'>,
): PlannedCall {
  const mergeRequest = body('mergeRequest')
  const { title, author } = isMap(mergeRequest) ? mergeRequest : {}
  const assignee_id = isMap(author) && typeof author.id === 'number' ? author.id : undefined
  const call = callData('mergeRequests.create', {
    ...{ id: mr.id, source_branch: branch, target_branch: to, remove_source_branch: true },
    title: cut(`Backport to ${to}: ${typeof title === 'string' ? title : `!${mr.merge_request_iid}`}`, 255),
    description: backportTexts.description(mr.merge_request_iid, to),
    ...(assignee_id === undefined ? {} : { assignee_id }),
    ...(labels.length === 0 ? {} : { labels: labels.join(',') }),
  })
  return { call }
}

/** What to read of each target: its merge request first, and the rest where there is none. */
function readsFor(
  targets: readonly string[],
  mergeRequest: Record<string, unknown>,
  body: ActionInput['body'],
): string[] {
  const mr = { id: Number(mergeRequest.project_id), merge_request_iid: Number(mergeRequest.iid) }
  const branches = targets.map((to) => ({ to, own: branchFor(mr.merge_request_iid, to) }))
  const listed = branches.map(({ own }) => `mergeRequestsFrom@${own}`)
  const missing = branches.filter(({ own }) => openedFrom(own, { mr, body }) === 'none')
  if (missing.length === 0) return listed
  const commits = commitsToPick(mergeRequest, undefined) === undefined ? ['commits'] : []
  return [...listed, 'notes', ...commits, ...missing.flatMap(({ to, own }) => [`branch@${to}`, `branch@${own}`])]
}

export default action<BackportArgs, 'state'>({
  name: 'backport',
  doc: 'After the merge, cherry-pick the change onto a branch of its own for each target branch, `backport/7-to-stable-1.2`, and open a merge request with the author as assignee. It picks the merge commit or the squashed commit, else each commit in order, at most 20. A change that does not apply gets one note with the commands to do it by hand. Each target has one merge request: one that was closed is not opened again. With `from_labels`, labels name the branches, where a member of the group was the last to set the label; what the `*` stands for has only letters, digits, `.`, `_` and `-`.',
  synonyms: ['cherry_pick', 'backports'],
  example: 'backport: { to: [stable-1.2] }',
  args: backportArgs,
  needs: ['state'],
  perRule: 'each',
  inBackground: true,
  limitedWhenNew: true,
  names: ({ from_labels: named }) => (named === null ? [] : [{ kind: 'group', name: groupOf(named).group }]),
  needsFor: ({ from_labels: named }) => (named === null ? [] : ['labels']),
  from: ['labelEvents', 'groupMembers', 'project'],
  reads(asked, body, given) {
    const mergeRequest = body?.('mergeRequest')
    if (body === undefined || !isMap(mergeRequest)) return ['mergeRequest']
    const found = given === undefined ? { targets: asked.to } : backportTargets(asked, given)
    const more = 'needs' in found ? found.needs : []
    return ['mergeRequest', ...more, ...readsFor('needs' in found ? asked.to : found.targets, mergeRequest, body)]
  },
  requires: () => [{ fact: 'state', operator: 'equals', expected: 'merged' }],
  blocked: () => blockedBy('it is not merged'),
  calls(input): ActionOutcome {
    const found = backportTargets(input.args, input)
    if ('needs' in found) return blockedBy(`${found.needs.join(', ')} cannot be read`)
    const refused = found.problems.map((blocked): Step => ({ blocked }))
    const steps = [...found.targets.map((to) => nextStep(to, input)), ...refused]
    if (steps.length === 0) return nothingToDo('no label names a branch')
    const calls = steps.flatMap((step) => ('call' in step ? step.call : []))
    const words = steps.map((step) => ('call' in step ? step.detail : 'done' in step ? step.done : step.blocked))
    if (calls.length > 0) return { result: 'call', detail: words.join('; '), calls }
    return steps.some((step) => 'blocked' in step) ? blockedBy(words.join('; ')) : nothingToDo(words.join('; '))
  },
  refused(memory, { call: { endpoint, memo } }): Memory {
    if (endpoint !== 'repository.commits.cherryPick' || typeof memo !== 'string') return memory
    return { ...memory, failedBackports: [...new Set([...(memory.failedBackports ?? []), memo])] }
  },
})
