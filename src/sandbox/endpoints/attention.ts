// Participants, reviewers, subscriptions and to-dos of merge requests and issues.
import type { Api } from '../../api/index.ts'
import { type Asked, type Handlers, on, pageOf } from '../http/handler.ts'
import { type IssuePath, issueAt, showSingleIssue } from '../issues/find.ts'
import { type MergeRequestPath, mergeRequestAt } from '../merge-requests/find.ts'
import { showMergeRequest } from '../merge-requests/show.ts'
import {
  canSeeNoteable,
  type Noteable,
  type NoteableParams,
  noteableAt,
  noteableUrl,
  updateNoteable,
} from '../notes/noteable.ts'
import type { User } from '../records/records.ts'
import { showProjectReference, showUserById, showUserSummary } from '../records/show-records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

type Shared = 'participants' | 'subscribe' | 'unsubscribe' | 'todo'

export const attention: Handlers<Pick<Api['mergeRequests'], Shared | 'reviewers'>> = {
  ...attentionOf((call: Asked<MergeRequestPath>) => showMergeRequest(call.world, mergeRequestAt(call).mr, call.caller)),

  reviewers: on(mergeRequestAt, ({ mr, world }) =>
    mr.reviewer_ids.map((id) => ({
      user: showUserById(world, id),
      state: mr.approved_by.includes(id) ? 'approved' : 'unreviewed',
      created_at: mr.created_at,
    })),
  ),
}

export const issueAttention: Handlers<Pick<Api['issues'], Shared>> = attentionOf((call: Asked<IssuePath>) =>
  showSingleIssue(call.world, issueAt(call).issue, call.caller),
)

/** `show` shows it after the change. */
function attentionOf<P extends NoteableParams, S>(show: (call: Asked<P>) => S) {
  const setSubscribed = (wanted: boolean) => (call: Asked<P>) => {
    const { caller, world } = call
    const { noteable } = noteableAt(call)
    const { subscriber_ids } = noteable.record
    if (subscriber_ids.includes(caller.id) === wanted) return null
    const others = subscriber_ids.filter((id) => id !== caller.id)
    updateNoteable(world, noteable, { subscriber_ids: wanted ? [...others, caller.id] : others })
    return show(call)
  }
  return {
    participants(call: Asked<P & { page: number; per_page: number }>) {
      const people = participantsOf(call.world, noteableAt(call).noteable)
      return pageOf(people, call.params, (user) => showUserSummary(call.world, user))
    },

    subscribe: setSubscribed(true),
    unsubscribe: setSubscribed(false),

    /** Its author is the user who created it. */
    todo(call: Asked<P>) {
      const { caller, world } = call
      const { noteable } = noteableAt(call)
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
        target: show(call),
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
