// Participants, reviewers, subscriptions and to-dos of merge requests and issues.
import type { Api } from '../../api/index.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { findIssue, type IssuePath } from '../issues/find.ts'
import { showSingleIssue } from '../issues/show.ts'
import { findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { showMergeRequest } from '../merge-requests/show.ts'
import { addTodo, showTodo, subscribe, unsubscribe } from '../notes/attention.ts'
import { findNoteable, type NoteableParams } from '../notes/noteable.ts'
import { participantsOf } from '../notes/participants.ts'
import type { User } from '../records/records.ts'
import { showUserById, showUserSummary } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

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

    subscribe: ({ params, caller, world }: Asked<P>) =>
      subscribe(world, findNoteable(world, caller, params), caller) ? show(world, caller, params) : null,

    unsubscribe: ({ params, caller, world }: Asked<P>) =>
      unsubscribe(world, findNoteable(world, caller, params), caller) ? show(world, caller, params) : null,

    todo({ params, caller, world }: Asked<P>) {
      const noteable = findNoteable(world, caller, params)
      const todo = addTodo(world, noteable, caller)
      return todo === undefined ? null : { ...showTodo(world, todo, noteable), target: show(world, caller, params) }
    },
  }
}
