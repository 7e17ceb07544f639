// Participants, reviewers, subscriptions and to-dos of a merge request (api-v4.md §2.3, §2.7, §3.3).
import type { Api } from '../../api/index.ts'
import { noSuchRoute } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { isSince } from '../installation.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { participantsOf } from '../merge-requests/participants.ts'
import { showMergeRequest, showTodo } from '../merge-requests/show.ts'
import { showUserById, showUserSummary } from '../records/show-records.ts'
import { nextNumber, now } from '../storage/world.ts'

export const attention: Handlers<
  Pick<Api['mergeRequests'], 'participants' | 'reviewers' | 'subscribe' | 'unsubscribe' | 'todo'>
> = {
  participants({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    return pageOf(participantsOf(world, mr), params, (user) => showUserSummary(world, user))
  },

  reviewers({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    if (!isSince(world, '15.4')) throw noSuchRoute()
    return mr.reviewer_ids.map((id) => ({
      user: showUserById(world, id),
      state: mr.approved_by.includes(id) ? 'approved' : 'unreviewed',
      created_at: mr.created_at,
    }))
  },

  subscribe({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    if (mr.subscriber_ids.includes(caller.id)) return null
    const subscribed = world.mergeRequests.update(mr.id, { subscriber_ids: [...mr.subscriber_ids, caller.id] })
    return showMergeRequest(world, subscribed, caller)
  },

  unsubscribe({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    if (!mr.subscriber_ids.includes(caller.id)) return null
    const unsubscribed = world.mergeRequests.update(mr.id, {
      subscriber_ids: mr.subscriber_ids.filter((id) => id !== caller.id),
    })
    return showMergeRequest(world, unsubscribed, caller)
  },

  todo({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    const present = world.todos.where('mergeRequest', mr.id)
    if (present.some((todo) => todo.user_id === caller.id && todo.state === 'pending')) return null
    const todo = world.todos.add({
      id: nextNumber(world, 'todos'),
      user_id: caller.id,
      merge_request_id: mr.id,
      state: 'pending',
      created_at: now(world),
    })
    return showTodo(world, todo, mr, caller)
  },
}
