// Runs a note's quick actions: edits as one update, then the others one by one.
import { ErrorResponse } from '../http/error-response.ts'
import { updateIssue } from '../issues/update.ts'
import { assignedTo } from '../merge-requests/preconditions.ts'
import { updateMergeRequest } from '../merge-requests/update.ts'
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { acts } from './acts.ts'
import { edits, type Fields } from './edits.ts'
import { canEdit, mayTriageNoteable, type Noteable, presentNoteable } from './noteable.ts'
import type { QuickAction } from './quick-actions.ts'

/** No message: nothing was done. */
export interface ActionResults {
  commands_changes: Record<string, unknown>
  messages: string[]
}

/** Further actions of a note are ignored: each may cost git and a hook. */
const mostActions = 50

const otherNames: Record<string, string> = {
  labels: 'label',
  remove_label: 'unlabel',
  wip: 'draft',
  estimate_time: 'estimate',
  remove_time_estimate: 'remove_estimate',
  spend_time: 'spend',
  remove_time_spent: 'remove_spent',
  react: 'award',
}

function commandOf(name: string) {
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name
}

export function isQuickAction(name: string): boolean {
  const command = commandOf(name)
  return Object.hasOwn(edits, command) || Object.hasOwn(acts, command)
}

export async function runQuickActions(
  world: World,
  noteable: Noteable,
  user: User,
  actions: readonly QuickAction[],
): Promise<ActionResults> {
  const named = actions.slice(0, mostActions).map(({ name, argument }) => ({ command: commandOf(name), argument }))
  const edited = await runEdits(world, noteable, user, named)
  const done: ActionResults = { commands_changes: { ...edited.commands_changes }, messages: [...edited.messages] }
  for (const { command, argument } of named) {
    const present = presentNoteable(world, noteable)
    const act = Object.hasOwn(acts, command) ? acts[command] : undefined
    if (act === undefined) continue
    const result = await unlessRefused(act({ world, noteable: present, user, argument }))
    if (result === undefined) continue
    Object.assign(done.commands_changes, result.changes)
    done.messages.push(result.message)
  }
  return done
}

type Commands = readonly { command: string; argument: string }[]

async function runEdits(world: World, noteable: Noteable, user: User, actions: Commands): Promise<ActionResults> {
  const done: ActionResults = { commands_changes: {}, messages: [] }
  let fields = fieldsOf(noteable)
  for (const { command, argument } of actions) {
    const definition = Object.hasOwn(edits, command) ? edits[command] : undefined
    if (definition === undefined || (definition.only !== undefined && definition.only !== noteable.type)) continue
    if (!(definition.right === 'triage' ? mayTriageNoteable : canEdit)(world, user, noteable)) continue
    const result = definition.edit({ world, noteable, user, fields, argument })
    if (result === undefined) continue
    fields = { ...fields, ...result.fields }
    Object.assign(done.commands_changes, result.changes)
    done.messages.push(result.message)
  }
  const applied = done.messages.length > 0 && (await unlessRefused(apply(world, noteable, user, fields))) !== undefined
  return applied ? done : { commands_changes: {}, messages: [] }
}

function fieldsOf({ type, record }: Noteable): Fields {
  const { title, state, labels, assignee_id, milestone_id } = record
  const common = { title, state, labels, assignee_id, milestone_id }
  const discussion_locked = record.discussion_locked === true
  if (type === 'MergeRequest')
    return {
      ...common,
      ...{ discussion_locked, target_branch: record.target_branch },
      ...{ due_date: null, weight: null, confidential: false },
    }
  const { due_date = null, weight = null, confidential = false } = record
  return { ...common, discussion_locked, target_branch: null, due_date, weight, confidential }
}

async function apply(world: World, noteable: Noteable, user: User, fields: Fields): Promise<unknown> {
  if (noteable.type === 'Issue') {
    const { assignee_id, target_branch: _, ...same } = fields
    const isAssigned = assignee_id !== noteable.record.assignee_id
    return updateIssue(world, noteable.record, user, {
      ...same,
      state: fields.state === 'merged' ? 'closed' : fields.state,
      ...(isAssigned && assignedTo(assignee_id === null ? [] : [assignee_id])),
    })
  }
  const before = noteable.record
  return updateMergeRequest(world, noteable.project, before, user, {
    title: fields.title,
    labels: fields.labels.join(','),
    ...(fields.assignee_id !== before.assignee_id && { assignee_id: fields.assignee_id ?? 0 }),
    milestone_id: fields.milestone_id ?? 0,
    discussion_locked: fields.discussion_locked,
    ...(fields.target_branch !== null && { target_branch: fields.target_branch }),
    ...(fields.state !== before.state && { state_event: fields.state === 'closed' ? 'close' : 'reopen' }),
  })
}

/** A refused action does not lose the note. */
async function unlessRefused<T>(task: Promise<T>): Promise<T | undefined> {
  try {
    return await task
  } catch (error) {
    if (error instanceof ErrorResponse) return undefined
    throw error
  }
}
