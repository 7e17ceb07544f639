// Notes of merge requests and issues.
import type { Api } from '../../api/index.ts'
import { on, pageOf, type SharedHandlers } from '../http/handler.ts'
import { findNote, noteableAt, notesOf, showNote } from '../notes/noteable.ts'
import { changeNote, deleteNote, writeNote } from '../notes/write.ts'
import { sortBy } from '../records/fields.ts'

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
