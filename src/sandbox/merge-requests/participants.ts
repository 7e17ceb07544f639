// Participants of a merge request (api-v4.md §2.3): author, assignee, commenters and mentioned users.
import { canReadCode } from '../access/access.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { assigneesOf } from './preconditions.ts'

/** In order of appearance, without those who cannot see it. */
export function participantsOf(world: World, mr: MergeRequest): User[] {
  const project = projectById(world, mr.project_id)
  const notes = world.notes.where('noteable', `MergeRequest:${mr.id}`).filter((note) => !note.system)
  const people = [
    world.users.get(mr.author_id),
    ...assigneesOf(mr).map((id) => world.users.get(id)),
    ...mentionedIn(world, mr.description),
    ...notes.flatMap((note) => [world.users.get(note.author_id), ...mentionedIn(world, note.body)]),
  ]
  return [...new Set(people)].filter((user): user is User => user !== undefined && canReadCode(world, user, project))
}

/** Users behind `@name`; e-mail addresses do not count. */
function mentionedIn(world: World, text: string): (User | undefined)[] {
  const names = [...text.matchAll(/(?<![\w.@/-])@(\w[\w.-]{0,254})/g)].map(([, name = '']) =>
    name.replace(/[.-]+$/, '').toLowerCase(),
  )
  return [...new Set(names)].map((name) => world.users.first('username', name))
}
