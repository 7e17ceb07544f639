// Writes, changes and deletes notes, with hooks, and notes down itself what GitLab does, in its words and without hooks.
import { maintainer, planner, projectLevel } from '../access/access.ts'
import { sendNote } from '../hooks/note.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { isDraft } from '../merge-requests/status.ts'
import { pick } from '../records/fields.ts'
import type { MergeRequest, Note, User } from '../records/records.ts'
import { nextNumber, now, userById, type World } from '../storage/world.ts'
import { checkWriter, type Noteable, updateNoteable } from './noteable.ts'

type NoteKind = Pick<Note, 'resolved' | 'internal' | 'position' | 'thread'>

/** `resolved` begins a thread, `thread` replies in one. */
export async function writeNote(world: World, noteable: Noteable, user: User, body: string, more: NoteKind = {}) {
  checkWriter(world, noteable, user)
  if (more.internal === true && projectLevel(world, user, noteable.project) < planner) throw forbidden()
  const note = addNote(world, noteable, user.id, { ...more, body: readText(body), system: false })
  const updated = updateNoteable(world, noteable, pick(note, 'updated_at'))
  await sendNote(world, updated, note, user, 'create')
  return note
}

export function addNote(
  world: World,
  { type, record }: Pick<Noteable, 'type' | 'record'>,
  author_id: number,
  text: Pick<Note, 'body' | 'system'> & NoteKind,
): Note {
  const time = now(world)
  return world.notes.add({
    ...text,
    id: nextNumber(world, 'notes'),
    project_id: record.project_id,
    noteable_type: type,
    noteable_id: record.id,
    author_id,
    created_at: time,
    updated_at: time,
  })
}

/** The same text sends nothing. */
export async function changeNote(world: World, noteable: Noteable, note: Note, user: User, body: string) {
  checkEditor(world, noteable, note, user)
  const text = readText(body)
  if (text === note.body) return note
  const changed = world.notes.update(note.id, { body: text, updated_at: now(world) })
  const updated = updateNoteable(world, noteable, pick(changed, 'updated_at'))
  await sendNote(world, updated, changed, user, 'update')
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

/** Users change their own notes, maintainers also those of others, and nobody system notes. */
function checkEditor(world: World, noteable: Noteable, note: Note, user: User) {
  checkWriter(world, noteable, user)
  if (note.system) throw forbidden()
  if (note.author_id !== user.id && projectLevel(world, user, noteable.project) < maintainer) throw forbidden()
}

/** Writes a note of the service itself. */
export function noteDown(world: World, record: MergeRequest, user: Pick<User, 'id'>, body: string): void {
  addNote(world, { type: 'MergeRequest', record }, user.id, { body, system: true })
}

/** Notes down a change from or to a draft, of the target branch, and of the reviewers. */
export function noteChanges(
  world: World,
  before: Pick<MergeRequest, 'title' | 'target_branch' | 'reviewer_ids'>,
  after: MergeRequest,
  user: User,
): void {
  if (isDraft(before) !== isDraft(after))
    noteDown(world, after, user, `marked this merge request as **${isDraft(after) ? 'draft' : 'ready'}**`)
  if (before.target_branch !== after.target_branch)
    noteDown(world, after, user, `changed target branch from \`${before.target_branch}\` to \`${after.target_branch}\``)
  const said = [
    { words: 'requested review from', of: after, not: before },
    { words: 'removed review request for', of: before, not: after },
  ].flatMap(({ words, of, not }) => {
    const ids = of.reviewer_ids.filter((id) => !not.reviewer_ids.includes(id))
    const names = ids.map((id) => `@${userById(world, id).username}`)
    return ids.length === 0 ? [] : [`${words} ${new Intl.ListFormat('en').format(names)}`]
  })
  if (said.length > 0) noteDown(world, after, user, said.join(' and '))
}
