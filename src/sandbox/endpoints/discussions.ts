// Threads of a merge request, which can be resolved; a thread has one note, since there are no replies.
import type { z } from 'zod'
import type { Api } from '../../api/index.ts'
import type { discussion as schema } from '../../api/schemas/issue.ts'
import { developer, projectLevel, refuseArchived } from '../access/access.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { badParameter, forbidden, notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { discussionsResolved } from '../merge-requests/status.ts'
import { retryAutoMerge } from '../merging/merge-waiting.ts'
import { discussionId, type Noteable, notesOf, presentNoteable, showNote } from '../notes/noteable.ts'
import { writeNote } from '../notes/write.ts'
import type { MergeRequest, Note, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { doneAlone } from './notes.ts'

export const discussions: Handlers<Api['mergeRequests']['discussions']> = {
  list({ params, caller, world }) {
    const { noteable } = find(world, caller, params)
    return pageOf(notesOf(world, noteable, caller), params, (note) => show(world, noteable, note))
  },

  get({ params, caller, world }) {
    const { noteable } = find(world, caller, params)
    return show(world, noteable, findFirst(world, noteable, params.discussion_id, caller))
  },

  async create({ params, caller, world }) {
    const { noteable } = find(world, caller, params)
    const written = await writeNote(world, noteable, caller, params.body, { resolved: false })
    if ('note' in written) return show(world, presentNoteable(world, noteable), written.note)
    return doneAlone(written.done)
  },

  async resolve({ params, caller, world }) {
    const { noteable, mr } = find(world, caller, params)
    const note = findFirst(world, noteable, params.discussion_id, caller)
    refuseArchived(noteable.project)
    if (projectLevel(world, caller, noteable.project) < developer && mr.author_id !== caller.id) throw forbidden()
    if (note.resolved === undefined) throw badParameter('the discussion cannot be resolved')
    const wasOpen = !discussionsResolved(world, mr)
    const changed = world.notes.update(note.id, { resolved: params.resolved })
    // A hook without changes, as in GitLab (hosting-service.md §2.2).
    if (wasOpen && discussionsResolved(world, mr)) await sendMergeRequest(world, mr, caller, 'update')
    retryAutoMerge(world, mr)
    return show(world, noteable, changed)
  },
}

function find(world: World, caller: User, params: MergeRequestPath): { noteable: Noteable; mr: MergeRequest } {
  const { project, mr } = findMergeRequest(world, caller, params)
  return { noteable: { project, type: 'MergeRequest', record: mr }, mr }
}

function findFirst(world: World, noteable: Noteable, id: string, user: User): Note {
  const note = notesOf(world, noteable, user).find((each) => discussionId(each) === id)
  if (note === undefined) throw notFound('Discussion')
  return note
}

function show(world: World, noteable: Noteable, note: Note): z.output<typeof schema> {
  return {
    id: discussionId(note),
    individual_note: note.resolved === undefined,
    notes: [showNote(world, noteable, note)],
  }
}
