// Notes of merge requests and issues, and threads, which can be resolved.
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
    pageOf(threadsOf(world, noteable, caller), params, (thread) => show(world, noteable, thread)),
  ),

  get: on(noteableAt, ({ noteable, params, caller, world }) =>
    show(world, noteable, findThread(world, noteable, params.discussion_id, caller)),
  ),

  create: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const { body, position } = params
    const note = await writeNote(world, noteable, caller, body, { resolved: false, ...(position && { position }) })
    return show(world, noteable, [note])
  }),

  /** A reply to a single note makes it a thread, as in GitLab. */
  addNote: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const [{ id, thread = id, resolved = false, internal }] = findThread(world, noteable, params.discussion_id, caller)
    const kind = { thread, resolved, ...(internal && { internal }) }
    const reply = await writeNote(world, noteable, caller, params.body, kind)
    world.notes.update(id, { resolved })
    return showNote(world, noteable, reply)
  }),

  getNote: on(noteableAt, ({ noteable, params, caller, world }) =>
    showNote(world, noteable, findInThread(world, noteable, params, caller)),
  ),

  updateNote: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const note = findInThread(world, noteable, params, caller)
    const { body, resolved } = params
    if (resolved !== undefined) await resolve(world, noteable, params.discussion_id, caller, resolved)
    if (body !== undefined) await changeNote(world, noteable, note, caller, body)
    return showNote(world, noteable, findInThread(world, noteable, params, caller))
  }),

  deleteNote: on(noteableAt, ({ noteable, params, caller, world }) => {
    deleteNote(world, noteable, findInThread(world, noteable, params, caller), caller)
    return null
  }),

  resolve: on(noteableAt, async ({ noteable, params, caller, world }) => {
    await resolve(world, noteable, params.discussion_id, caller, params.resolved)
    return show(world, noteable, findThread(world, noteable, params.discussion_id, caller))
  }),
}

async function resolve(world: World, noteable: Noteable, discussion: string, user: User, resolved: boolean) {
  const thread = findThread(world, noteable, discussion, user)
  refuseArchived(noteable.project)
  if (!mayTriageNoteable(world, user, noteable) && noteable.record.author_id !== user.id) throw forbidden()
  if (thread[0].resolved === undefined) throw badParameter('the discussion cannot be resolved')
  const change = () => {
    for (const { id } of thread) world.notes.update(id, { resolved })
  }
  if (noteable.type === 'Issue') change()
  else await resolveIn(world, noteable.record, user, change)
}

/** The last open thread of a merge request may be all that it waits for. */
async function resolveIn(world: World, mr: MergeRequest, user: User, change: () => void): Promise<void> {
  const wasOpen = !discussionsResolved(world, mr)
  change()
  // A hook without changes, as in GitLab.
  if (wasOpen && discussionsResolved(world, mr)) await sendMergeRequest(world, mr, user, 'update')
  retryAutoMerge(world, mr)
}

/** The notes of a thread, or one note alone. */
type Thread = [Note, ...Note[]]

/** Those that the user may see, oldest first. */
function threadsOf(world: World, noteable: Noteable, user: User): Thread[] {
  const threads = new Map<string, Thread>()
  for (const note of notesOf(world, noteable, user)) {
    const thread = threads.get(discussionId(note))
    if (thread === undefined) threads.set(discussionId(note), [note])
    else thread.push(note)
  }
  return [...threads.values()]
}

function findThread(world: World, noteable: Noteable, id: string, user: User): Thread {
  return orNotFound(
    threadsOf(world, noteable, user).find(([first]) => discussionId(first) === id),
    'Discussion',
  )
}

function findInThread(
  world: World,
  noteable: Noteable,
  { discussion_id, note_id }: { discussion_id: string; note_id: number },
  user: User,
): Note {
  const thread = findThread(world, noteable, discussion_id, user)
  return orNotFound(
    thread.find(({ id }) => id === note_id),
    'Note',
  )
}

function show(world: World, noteable: Noteable, thread: Thread) {
  return {
    id: discussionId(thread[0]),
    individual_note: thread[0].resolved === undefined,
    notes: thread.map((note) => showNote(world, noteable, note)),
  }
}
