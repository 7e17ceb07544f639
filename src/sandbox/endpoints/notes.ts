// Notes of merge requests and issues (hosting-service.md §3.3).
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { type Handlers, pageOf, StatusResponse } from '../http/handler.ts'
import { findIssue } from '../issues/find.ts'
import { findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { findNote, type Noteable, notesOf, showNote } from '../notes/noteable.ts'
import type { ActionResults } from '../notes/run-quick-actions.ts'
import { changeNote, deleteNote, writeNote } from '../notes/write.ts'
import { sortBy } from '../records/fields.ts'
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export const notes: Handlers<Api['mergeRequests']['notes']> = {
  list({ params, caller, world }) {
    const noteable = findOfMergeRequest(world, caller, params)
    return pageOfNotes(world, noteable, caller, params)
  },

  get({ params, caller, world }) {
    const noteable = findOfMergeRequest(world, caller, params)
    return showNote(world, noteable, findNote(world, noteable, params.note_id, caller))
  },

  create: ({ params, caller, world }) => write(world, findOfMergeRequest(world, caller, params), caller, params),

  async update({ params, caller, world }) {
    const noteable = findOfMergeRequest(world, caller, params)
    const note = findNote(world, noteable, params.note_id, caller)
    return showNote(world, noteable, await changeNote(world, noteable, note, caller, params.body))
  },

  delete({ params, caller, world }) {
    const noteable = findOfMergeRequest(world, caller, params)
    deleteNote(world, noteable, findNote(world, noteable, params.note_id, caller), caller)
    return null
  },
}

export const issueNotes: Handlers<Api['issues']['notes']> = {
  list({ params, caller, world }) {
    const noteable: Noteable = findOfIssue(world, caller, params)
    return pageOfNotes(world, noteable, caller, params)
  },

  create: ({ params, caller, world }) => write(world, findOfIssue(world, caller, params), caller, params),
}

function findOfMergeRequest(world: World, caller: User, params: MergeRequestPath): Noteable {
  const { project, mr } = findMergeRequest(world, caller, params)
  return { project, type: 'MergeRequest', record: mr }
}

function findOfIssue(world: World, caller: User, params: { id: number | string; issue_iid: number }): Noteable {
  const { project, issue } = findIssue(world, caller, params)
  return { project, type: 'Issue', record: issue }
}

async function write(
  world: World,
  noteable: Noteable,
  user: User,
  {
    body,
    internal,
    confidential,
  }: { body: string; internal?: boolean | undefined; confidential?: boolean | undefined },
) {
  const isInternal = internal === true || confidential === true
  const written = await writeNote(world, noteable, user, body, isInternal ? { internal: true } : {})
  if ('note' in written) return showNote(world, noteable, written.note)
  return doneAlone(written.done)
}

/** The response to quick actions that leave no note. */
export function doneAlone({ commands_changes, messages }: ActionResults) {
  return new StatusResponse(202, { commands_changes, summary: [messages.join(' ')] })
}

function pageOfNotes(
  world: World,
  noteable: Noteable,
  user: User,
  params: Omit<CheckedParams<Api['issues']['notes']['list']>, 'id' | 'issue_iid'>,
) {
  const { order_by, sort } = params
  const sorted = sortBy(notesOf(world, noteable, user), sort, (note) => note[order_by])
  return pageOf(sorted, params, (note) => showNote(world, noteable, note))
}
