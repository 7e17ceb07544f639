// Quick actions that set fields of a merge request or an issue.
import { isDate } from '../access/expiry.ts'
import { isPremium } from '../installation.ts'
import { milestonesFor } from '../issues/milestones.ts'
import { draftPrefix, isDraft } from '../merge-requests/status.ts'
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { canBeAssigned, type Noteable } from './noteable.ts'

/** Each edit sees the result of the earlier ones. */
export interface Fields {
  readonly title: string
  readonly state: 'opened' | 'closed' | 'merged'
  readonly labels: readonly string[]
  readonly assignee_id: number | null
  readonly milestone_id: number | null
  readonly discussion_locked: boolean
  readonly target_branch: string | null
  /** These three are of issues. */
  readonly due_date: string | null
  readonly weight: number | null
  readonly confidential: boolean
}
interface EditCall {
  world: World
  noteable: Noteable
  user: User
  fields: Fields
  argument: string
}
/** Undefined when it does not apply. */
type Edit = (
  call: EditCall,
) => { fields: Partial<Fields>; changes: Record<string, unknown>; message: string } | undefined

/** `triage`: needs the right to label and assign. */
export const edits: Record<string, { right: 'triage' | 'edit'; only?: Noteable['type']; edit: Edit }> = {
  label: { right: 'triage', edit: addLabels },
  unlabel: { right: 'triage', edit: removeLabels },
  relabel: { right: 'triage', edit: replaceLabels },
  assign: { right: 'triage', edit: assign },
  reassign: { right: 'triage', edit: assign },
  unassign: { right: 'triage', edit: unassign },
  milestone: { right: 'triage', edit: setMilestone },
  remove_milestone: { right: 'triage', edit: removeMilestone },
  title: { right: 'edit', edit: retitle },
  close: { right: 'edit', edit: (call) => move(call, 'opened', 'closed') },
  reopen: { right: 'edit', edit: (call) => move(call, 'closed', 'opened') },
  draft: { right: 'edit', only: 'MergeRequest', edit: markDraft },
  ready: { right: 'edit', only: 'MergeRequest', edit: markReady },
  lock: { right: 'triage', edit: (call) => lock(call, true) },
  unlock: { right: 'triage', edit: (call) => lock(call, false) },
  due: { right: 'triage', only: 'Issue', edit: setDueDate },
  remove_due_date: { right: 'triage', only: 'Issue', edit: removeDueDate },
  weight: { right: 'triage', only: 'Issue', edit: setWeight },
  clear_weight: { right: 'triage', only: 'Issue', edit: clearWeight },
  confidential: { right: 'triage', only: 'Issue', edit: makeConfidential },
  target_branch: { right: 'edit', only: 'MergeRequest', edit: retarget },
}

/** Existing labels named by `~bug ~"two words"`. */
function labelsIn({ world, noteable, argument }: EditCall): { id: number; title: string }[] {
  const named = [...argument.matchAll(/~?"([^"]+)"|~?([^\s,~"]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  return world.labels.where('project', noteable.project.id).filter((label) => named.includes(label.title))
}

function references(labels: readonly { title: string }[]) {
  const names = labels.map(({ title }) => (/\s/.test(title) ? `~"${title}"` : `~${title}`))
  return `${names.join(' ')} ${names.length === 1 ? 'label' : 'labels'}`
}

function addLabels(call: EditCall): ReturnType<Edit> {
  const found = labelsIn(call)
  if (found.length === 0) return undefined
  const labels = [...new Set([...call.fields.labels, ...found.map(({ title }) => title)])]
  return {
    fields: { labels },
    changes: { add_label_ids: found.map(({ id }) => id) },
    message: `Added ${references(found)}.`,
  }
}

function removeLabels(call: EditCall): ReturnType<Edit> {
  if (call.argument === '')
    return { fields: { labels: [] }, changes: { label_ids: [] }, message: 'Removed all labels.' }
  const found = labelsIn(call)
  if (found.length === 0) return undefined
  const labels = call.fields.labels.filter((each) => !found.some(({ title }) => title === each))
  return {
    fields: { labels },
    changes: { remove_label_ids: found.map(({ id }) => id) },
    message: `Removed ${references(found)}.`,
  }
}

function replaceLabels(call: EditCall): ReturnType<Edit> {
  const found = labelsIn(call)
  if (found.length === 0) return undefined
  const labels = found.map(({ title }) => title)
  return {
    fields: { labels },
    changes: { label_ids: found.map(({ id }) => id) },
    message: `Replaced all labels with ${references(found)}.`,
  }
}

/** The first named user who can be assigned. */
function assign({ world, noteable, user, argument }: EditCall): ReturnType<Edit> {
  const named = argument.split(/[\s,]+/).map((name) => name.replace(/^@/, '').toLowerCase())
  const users = named.map((name) => (name === 'me' ? user : world.users.first('username', name)))
  const assignee = users.find((each) => each !== undefined && canBeAssigned(world, each, noteable))
  if (assignee === undefined) return undefined
  return {
    fields: { assignee_id: assignee.id },
    changes: { assignee_ids: [assignee.id] },
    message: `Assigned @${assignee.username}.`,
  }
}

function unassign({ world, fields, argument }: EditCall): ReturnType<Edit> {
  const present = fields.assignee_id === null ? undefined : world.users.get(fields.assignee_id)
  const named = argument.split(/[\s,]+/).map((name) => name.replace(/^@/, '').toLowerCase())
  if (present === undefined || (argument !== '' && !named.includes(present.username.toLowerCase()))) return undefined
  return {
    fields: { assignee_id: null },
    changes: { assignee_ids: [] },
    message: `Removed assignee @${present.username}.`,
  }
}

function setMilestone({ world, noteable, argument }: EditCall): ReturnType<Edit> {
  const title = argument.replace(/^%/, '').replace(/^"(.*)"$/, '$1')
  const all = milestonesFor(world, noteable.project)
  const milestone = all.find((each) => each.title === title && each.state === 'active')
  if (milestone === undefined) return undefined
  return {
    fields: { milestone_id: milestone.id },
    changes: { milestone_id: milestone.id },
    message: `Set the milestone to %"${title}".`,
  }
}

function removeMilestone({ world, fields }: EditCall): ReturnType<Edit> {
  if (fields.milestone_id === null) return undefined
  const title = world.milestones.get(fields.milestone_id)?.title ?? ''
  return { fields: { milestone_id: null }, changes: { milestone_id: null }, message: `Removed %"${title}" milestone.` }
}

function retitle({ argument: title }: EditCall): ReturnType<Edit> {
  if (title === '' || title.length > 255) return undefined
  return { fields: { title }, changes: { title }, message: `Changed the title to "${title}".` }
}

function move({ noteable, fields }: EditCall, from: Fields['state'], to: 'opened' | 'closed'): ReturnType<Edit> {
  if (fields.state !== from) return undefined
  const kind = noteable.type === 'Issue' ? 'issue' : 'merge request'
  const [state_event, done] = to === 'closed' ? ['close', 'Closed'] : ['reopen', 'Reopened']
  return { fields: { state: to }, changes: { state_event }, message: `${done} this ${kind}.` }
}

function markDraft({ fields }: EditCall): ReturnType<Edit> {
  if (isDraft(fields)) return undefined
  return {
    fields: { title: `Draft: ${fields.title}` },
    changes: { wip_event: 'draft' },
    message: 'Marked this merge request as a draft.',
  }
}

function markReady({ fields }: EditCall): ReturnType<Edit> {
  if (!isDraft(fields)) return undefined
  const title = fields.title.replace(draftPrefix, '')
  return title === ''
    ? undefined
    : { fields: { title }, changes: { wip_event: 'ready' }, message: 'Marked this merge request as ready.' }
}

function lock({ fields }: EditCall, discussion_locked: boolean): ReturnType<Edit> {
  if (fields.discussion_locked === discussion_locked) return undefined
  const message = `${discussion_locked ? 'Locked' : 'Unlocked'} the discussion.`
  return { fields: { discussion_locked }, changes: { discussion_locked }, message }
}

function retarget({ argument: target_branch }: EditCall): ReturnType<Edit> {
  if (target_branch === '') return undefined
  return { fields: { target_branch }, changes: { target_branch }, message: `Set target branch to ${target_branch}.` }
}

/** A date alone; GitLab also reads words such as `tomorrow`. */
function setDueDate({ argument: due_date }: EditCall): ReturnType<Edit> {
  if (!isDate(due_date)) return undefined
  return { fields: { due_date }, changes: { due_date }, message: `Set the due date to ${due_date}.` }
}

function removeDueDate({ fields }: EditCall): ReturnType<Edit> {
  if (fields.due_date === null) return undefined
  return { fields: { due_date: null }, changes: { due_date: null }, message: 'Removed the due date.' }
}

function setWeight({ world, argument }: EditCall): ReturnType<Edit> {
  if (!isPremium(world) || !/^\d{1,9}$/.test(argument)) return undefined
  const weight = Number(argument)
  return { fields: { weight }, changes: { weight }, message: `Set weight to ${weight}.` }
}

function clearWeight({ fields }: EditCall): ReturnType<Edit> {
  if (fields.weight === null) return undefined
  return { fields: { weight: null }, changes: { weight: null }, message: 'Cleared weight.' }
}

function makeConfidential({ fields }: EditCall): ReturnType<Edit> {
  if (fields.confidential) return undefined
  const changes = { confidential: true }
  return { fields: changes, changes, message: 'Made this issue confidential.' }
}
