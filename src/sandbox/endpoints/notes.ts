// Notes of merge requests and issues, and threads, which can be resolved; a thread has one note: there are no replies.
import type { Api } from '../../api/index.ts'
import { refuseArchived } from '../access/access.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { badParameter, forbidden, orNotFound } from '../http/error-response.ts'
import { on, pageOf, type SharedHandlers } from '../http/handler.ts'
import { discussionsResolved } from '../merge-requests/status.ts'
import { retryAutoMerge } from '../merging/merge-waiting.ts'
import {
  discussionId,
  findNote,
  mayTriageNoteable,
  type Noteable,
  noteableAt,
  notesOf,
  showNote,
} from '../notes/noteable.ts'
import { changeNote, deleteNote, writeNote } from '../notes/write.ts'
import { sortBy } from '../records/fields.ts'
import type { MergeRequest, Note, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export const notes: SharedHandlers<Api['mergeRequests']['notes'], Api['issues']['notes']> = {
  list: on(noteableAt, ({ noteable, params, caller, world }) => {
    const { order_by, sort } = params
    const sorted = sortBy(notesOf(world, noteable, caller), sort, (note) => note[order_by])
    return pageOf(sorted, params, (note) => showNote(world, noteable, note))
  }),

  get: on(noteableAt, ({ noteable, params, caller, world }) =>
    showNote(world, noteable, findNote(world, noteable, params.note_id, caller)),
  ),

  create: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const isInternal = params.internal === true || params.confidential === true
    const note = await writeNote(world, noteable, caller, params.body, isInternal ? { internal: true } : {})
    return showNote(world, noteable, note)
  }),

  update: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const note = findNote(world, noteable, params.note_id, caller)
    return showNote(world, noteable, await changeNote(world, noteable, note, caller, params.body))
  }),

  delete: on(noteableAt, ({ noteable, params, caller, world }) => {
    deleteNote(world, noteable, findNote(world, noteable, params.note_id, caller), caller)
    return null
  }),
}

export const discussions: SharedHandlers<Api['mergeRequests']['discussions'], Api['issues']['discussions']> = {
  list: on(noteableAt, ({ noteable, params, caller, world }) =>
    pageOf(notesOf(world, noteable, caller), params, (note) => show(world, noteable, note)),
  ),

  get: on(noteableAt, ({ noteable, params, caller, world }) =>
    show(world, noteable, findFirst(world, noteable, params.discussion_id, caller)),
  ),

  create: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const note = await writeNote(world, noteable, caller, params.body, { resolved: false })
    return show(world, noteable, note)
  }),

  resolve: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const note = findFirst(world, noteable, params.discussion_id, caller)
    refuseArchived(noteable.project)
    if (!mayTriageNoteable(world, caller, noteable) && noteable.record.author_id !== caller.id) throw forbidden()
    if (note.resolved === undefined) throw badParameter('the discussion cannot be resolved')
    const change = () => world.notes.update(note.id, { resolved: params.resolved })
    const changed = noteable.type === 'Issue' ? change() : await resolveIn(world, noteable.record, caller, change)
    return show(world, noteable, changed)
  }),
}

/** The last open thread of a merge request may be all that it waits for. */
async function resolveIn(world: World, mr: MergeRequest, user: User, change: () => Note): Promise<Note> {
  const wasOpen = !discussionsResolved(world, mr)
  const changed = change()
  // A hook without changes, as in GitLab.
  if (wasOpen && discussionsResolved(world, mr)) await sendMergeRequest(world, mr, user, 'update')
  retryAutoMerge(world, mr)
  return changed
}

function findFirst(world: World, noteable: Noteable, id: string, user: User): Note {
  return orNotFound(
    notesOf(world, noteable, user).find((each) => discussionId(each) === id),
    'Discussion',
  )
}

function show(world: World, noteable: Noteable, note: Note) {
  return {
    id: discussionId(note),
    individual_note: note.resolved === undefined,
    notes: [showNote(world, noteable, note)],
  }
}
