// Participants of a merge request or an issue: author, assignees, commenters and mentioned users.
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { canSeeNoteable, type Noteable } from './noteable.ts'

/** In order of appearance, without those who cannot see it. */
export function participantsOf(world: World, noteable: Noteable): User[] {
  const { type, record } = noteable
  const notes = world.notes.where('noteable', `${type}:${record.id}`).filter((note) => !note.system)
  const people = [
    world.users.get(record.author_id),
    ...record.assignee_ids.map((id) => world.users.get(id)),
    ...mentionedIn(world, record.description),
    ...notes.flatMap((note) => [world.users.get(note.author_id), ...mentionedIn(world, note.body)]),
  ]
  return [...new Set(people)].filter(
    (user): user is User => user !== undefined && canSeeNoteable(world, user, noteable),
  )
}

/** Users behind `@name`, also if a character reference stands for the `@`; e-mail addresses do not count. */
function mentionedIn(world: World, text: string): (User | undefined)[] {
  const shown = text.replace(/&(?:#0*64|#x0*40|commat);/gi, '@')
  const names = [...shown.matchAll(/(?<![\w.@/-])@(\w[\w.-]{0,254})/g)].map(([, name = '']) =>
    name.replace(/[.-]+$/, '').toLowerCase(),
  )
  return [...new Set(names)].map((name) => world.users.first('username', name))
}
