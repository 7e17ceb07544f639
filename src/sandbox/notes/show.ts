// Notes as the API shows them: shapes of real installations (src/api/schemas/issue.ts).
import type { z } from 'zod'
import type { note as noteSchema } from '../../api/schemas/issue.ts'
import type { Note } from '../records.ts'
import { showUserSummary } from '../show.ts'
import { userById, type World } from '../world.ts'
import type { Noteable } from './noteable.ts'

export function showNote(world: World, noteable: Noteable, note: Note): z.output<typeof noteSchema> {
  return {
    id: note.id,
    body: note.body,
    author: showUserSummary(world, userById(world, note.author_id)),
    created_at: note.created_at,
    updated_at: note.updated_at,
    system: note.system,
    noteable_id: note.noteable_id,
    noteable_type: note.noteable_type,
    noteable_iid: noteable.record.iid,
    resolvable: false,
  }
}
