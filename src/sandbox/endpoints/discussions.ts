// Threads of merge requests and issues, which can be resolved; a thread has one note, since there are no replies.
import type { Api } from '../../api/index.ts'
import { refuseArchived } from '../access/access.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { badParameter, forbidden, notFound } from '../http/error-response.ts'
import { on, pageOf, type SharedHandlers } from '../http/handler.ts'
import { discussionsResolved } from '../merge-requests/status.ts'
import { retryAutoMerge } from '../merging/merge-waiting.ts'
import { discussionId, mayTriageNoteable, type Noteable, noteableAt, notesOf, showNote } from '../notes/noteable.ts'
import { writeNote } from '../notes/write.ts'
import type { MergeRequest, Note, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

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
  const note = notesOf(world, noteable, user).find((each) => discussionId(each) === id)
  if (note === undefined) throw notFound('Discussion')
  return note
}

function show(world: World, noteable: Noteable, note: Note) {
  return {
    id: discussionId(note),
    individual_note: note.resolved === undefined,
    notes: [showNote(world, noteable, note)],
  }
}
