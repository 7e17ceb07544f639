// Writes, changes and deletes notes, with hooks (hosting-service.md §2.3, §3.3).
import { maintainer, projectLevel } from '../access/access.ts'
import { sendNote } from '../hooks/note.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import type { Note, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import { checkInternal, checkWriter, type Noteable, presentNoteable } from './noteable.ts'

/** `resolved` begins a thread. */
export async function writeNote(
  world: World,
  noteable: Noteable,
  user: User,
  body: string,
  more: Pick<Note, 'resolved' | 'internal'> = {},
): Promise<Note> {
  checkWriter(world, noteable, user)
  if (more.internal === true) checkInternal(world, noteable, user)
  const text = readText(body)
  const time = now(world)
  const note = world.notes.add({
    ...more,
    id: nextNumber(world, 'notes'),
    project_id: noteable.project.id,
    noteable_type: noteable.type,
    noteable_id: noteable.record.id,
    author_id: user.id,
    body: text,
    system: false,
    created_at: time,
    updated_at: time,
  })
  touch(world, noteable, time)
  await sendNote(world, presentNoteable(world, noteable), note, user, 'create')
  return note
}

/** The same text sends nothing. */
export async function changeNote(
  world: World,
  noteable: Noteable,
  note: Note,
  user: User,
  body: string,
): Promise<Note> {
  checkEditor(world, noteable, note, user)
  const text = readText(body)
  if (text === note.body) return note
  const changed = world.notes.update(note.id, { body: text, updated_at: now(world) })
  touch(world, noteable, changed.updated_at)
  await sendNote(world, presentNoteable(world, noteable), changed, user, 'update')
  return changed
}

export function deleteNote(world: World, noteable: Noteable, note: Note, user: User): void {
  checkEditor(world, noteable, note, user)
  world.notes.remove(note.id)
}

function readText(body: string): string {
  if (body.trim() === '') throw invalid('note', "can't be blank")
  return body
}

/** One's own notes; maintainers also others'; nobody system notes. */
function checkEditor(world: World, noteable: Noteable, note: Note, user: User) {
  checkWriter(world, noteable, user)
  if (note.system) throw forbidden()
  if (note.author_id !== user.id && projectLevel(world, user, noteable.project) < maintainer) throw forbidden()
}

function touch(world: World, { type, record }: Noteable, updated_at: string) {
  if (type === 'Issue') world.issues.update(record.id, { updated_at })
  else world.mergeRequests.update(record.id, { updated_at })
}
