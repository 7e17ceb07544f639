// Writes, changes and deletes notes, with quick actions and hooks (hosting-service.md §2.3, §3.3).
import { maintainer, projectLevel } from '../access/access.ts'
import { sendNote } from '../hooks/note.ts'
import { forbidden, invalid, refuse } from '../http/error-response.ts'
import type { Note, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import { checkInternal, checkWriter, type Noteable, presentNoteable } from './noteable.ts'
import { readQuickActions } from './quick-actions.ts'
import { type ActionResults, isQuickAction, runQuickActions } from './run-quick-actions.ts'

/** Quick actions alone leave no note and send no hook. `resolved` begins a thread. */
export async function writeNote(
  world: World,
  noteable: Noteable,
  user: User,
  body: string,
  more: Pick<Note, 'resolved' | 'internal'> = {},
): Promise<{ note: Note } | { done: ActionResults }> {
  checkWriter(world, noteable, user)
  if (more.internal === true) checkInternal(world, noteable, user)
  const { text, actions } = readText(body)
  if (text === '') {
    const done = await runQuickActions(world, noteable, user, actions)
    if (done.messages.length === 0) throw refuse(400, '400 Bad request - Failed to apply commands.')
    return { done }
  }
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
  await runQuickActions(world, presentNoteable(world, noteable), user, actions)
  return { note }
}

/** The same text sends nothing. Quick actions alone are no text. */
export async function changeNote(
  world: World,
  noteable: Noteable,
  note: Note,
  user: User,
  body: string,
): Promise<Note> {
  checkEditor(world, noteable, note, user)
  const { text, actions } = readText(body)
  if (text === '') throw blank()
  const changed = text === note.body ? note : world.notes.update(note.id, { body: text, updated_at: now(world) })
  if (changed !== note) {
    touch(world, noteable, changed.updated_at)
    await sendNote(world, presentNoteable(world, noteable), changed, user, 'update')
  }
  await runQuickActions(world, presentNoteable(world, noteable), user, actions)
  return changed
}

export function deleteNote(world: World, noteable: Noteable, note: Note, user: User): void {
  checkEditor(world, noteable, note, user)
  world.notes.remove(note.id)
}

function readText(body: string): ReturnType<typeof readQuickActions> {
  const read = readQuickActions(body, isQuickAction)
  if (read.text.trim() === '' && read.actions.length === 0) throw blank()
  return read
}

function blank(): Error {
  return invalid('note', "can't be blank")
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
