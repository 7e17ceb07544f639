// Notes of merge requests and issues (hosting-service.md §3.3).
import type { Api } from '../../api/index.ts'
import { Answered, type Handlers, pageOf } from '../handler.ts'
import { findIssue } from '../issues/find.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { findNote, type Noteable, notesOf } from '../notes/noteable.ts'
import { showNote } from '../notes/show.ts'
import { changeNote, deleteNote, writeNote } from '../notes/write.ts'
import type { Note, User } from '../records.ts'
import type { World } from '../world.ts'

export const notes: Handlers<Api['mergeRequests']['notes']> = {
  list({ params, caller, world }) {
    const noteable = findOfMergeRequest(world, caller, params)
    return pageOf(inOrder(notesOf(world, noteable), params), params, (note) => showNote(world, noteable, note))
  },

  get({ params, caller, world }) {
    const noteable = findOfMergeRequest(world, caller, params)
    return showNote(world, noteable, findNote(world, noteable, params.note_id))
  },

  create: ({ params, caller, world }) => write(world, findOfMergeRequest(world, caller, params), caller, params.body),

  async update({ params, caller, world }) {
    const noteable = findOfMergeRequest(world, caller, params)
    const note = findNote(world, noteable, params.note_id)
    return showNote(world, noteable, await changeNote(world, noteable, note, caller, params.body))
  },

  delete({ params, caller, world }) {
    const noteable = findOfMergeRequest(world, caller, params)
    deleteNote(world, noteable, findNote(world, noteable, params.note_id), caller)
    return null
  },
}

export const issueNotes: Handlers<Api['issues']['notes']> = {
  list({ params, caller, world }) {
    const noteable: Noteable = findOfIssue(world, caller, params)
    return pageOf(inOrder(notesOf(world, noteable), params), params, (note) => showNote(world, noteable, note))
  },

  create: ({ params, caller, world }) => write(world, findOfIssue(world, caller, params), caller, params.body),
}

function findOfMergeRequest(world: World, caller: User, params: { id: number | string; merge_request_iid: number }): Noteable {
  const { project, mr } = findMergeRequest(world, caller, params)
  return { project, type: 'MergeRequest', record: mr }
}

function findOfIssue(world: World, caller: User, params: { id: number | string; issue_iid: number }): Noteable {
  const { project, issue } = findIssue(world, caller, params)
  return { project, type: 'Issue', record: issue }
}

async function write(world: World, noteable: Noteable, user: User, body: string) {
  const written = await writeNote(world, noteable, user, body)
  if ('note' in written) return showNote(world, noteable, written.note)
  const { commands_changes, messages } = written.done
  return new Answered(202, { commands_changes, summary: [messages.join(' ')] })
}

interface Order {
  order_by: 'created_at' | 'updated_at'
  sort: 'asc' | 'desc'
}

function inOrder(all: readonly Note[], { order_by, sort }: Order): Note[] {
  const direction = sort === 'asc' ? 1 : -1
  return [...all].sort((a, b) => direction * (Date.parse(a[order_by]) - Date.parse(b[order_by]) || a.id - b.id))
}
