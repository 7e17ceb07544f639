// Participants, reviewers, subscriptions and to-dos of merge requests and issues.
import type { Api } from '../../api/index.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { findIssue, type IssuePath, showSingleIssue } from '../issues/find.ts'
import { findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { showMergeRequest } from '../merge-requests/show.ts'
import {
  canSeeNoteable,
  findNoteable,
  type Noteable,
  type NoteableParams,
  noteableUrl,
  updateNoteable,
} from '../notes/noteable.ts'
import type { User } from '../records/records.ts'
import { showProjectReference, showUserById, showUserSummary } from '../records/show-records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

type Shared = 'participants' | 'subscribe' | 'unsubscribe' | 'todo'

export const attention: Handlers<Pick<Api['mergeRequests'], Shared | 'reviewers'>> = {
  ...attentionOf((world: World, caller: User, path: MergeRequestPath) =>
    showMergeRequest(world, findMergeRequest(world, caller, path).mr, caller),
  ),

  reviewers({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    return mr.reviewer_ids.map((id) => ({
      user: showUserById(world, id),
      state: mr.approved_by.includes(id) ? 'approved' : 'unreviewed',
      created_at: mr.created_at,
    }))
  },
}

export const issueAttention: Handlers<Pick<Api['issues'], Shared>> = attentionOf(
  (world: World, caller: User, path: IssuePath) => showSingleIssue(world, findIssue(world, caller, path).issue, caller),
)

interface Asked<P> {
  params: P
  caller: User
  world: World
}

/** `show` shows it after the change. */
function attentionOf<P extends NoteableParams, S>(show: (world: World, caller: User, path: P) => S) {
  return {
    participants({ params, caller, world }: Asked<P & { page: number; per_page: number }>) {
      const people = participantsOf(world, findNoteable(world, caller, params))
      return pageOf(people, params, (user) => showUserSummary(world, user))
    },

    subscribe({ params, caller, world }: Asked<P>) {
      const noteable = findNoteable(world, caller, params)
      const { subscriber_ids } = noteable.record
      if (subscriber_ids.includes(caller.id)) return null
      updateNoteable(world, noteable, { subscriber_ids: [...subscriber_ids, caller.id] })
      return show(world, caller, params)
    },

    unsubscribe({ params, caller, world }: Asked<P>) {
      const noteable = findNoteable(world, caller, params)
      const { subscriber_ids } = noteable.record
      if (!subscriber_ids.includes(caller.id)) return null
      updateNoteable(world, noteable, { subscriber_ids: subscriber_ids.filter((id) => id !== caller.id) })
      return show(world, caller, params)
    },

    /** Its author is the user who created it. */
    todo({ params, caller, world }: Asked<P>) {
      const noteable = findNoteable(world, caller, params)
      const { type, record, project } = noteable
      const present = world.todos.where('noteable', `${type}:${record.id}`)
      if (present.some(({ user_id }) => user_id === caller.id)) return null
      const { id, created_at } = world.todos.add({
        noteable_type: type,
        noteable_id: record.id,
        id: nextNumber(world, 'todos'),
        user_id: caller.id,
        created_at: now(world),
      })
      return {
        id,
        project: showProjectReference(world, project),
        author: showUserSummary(world, caller),
        action_name: 'marked',
        target_type: type,
        target: show(world, caller, params),
        target_url: noteableUrl(world, noteable),
        body: record.title,
        state: 'pending' as const,
        created_at,
      }
    },
  }
}

/** In order of appearance, without those who cannot see it. */
function participantsOf(world: World, noteable: Noteable): User[] {
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
