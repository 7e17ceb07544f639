// Subscriptions and to-dos of merge requests and issues.
import type { Todo, User } from '../records/records.ts'
import { showProjectReference, showUserById } from '../records/show-records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import { type Noteable, noteableUrl, updateNoteable } from './noteable.ts'

/** False if they are subscribed already. */
export function subscribe(world: World, noteable: Noteable, user: User): boolean {
  const { subscriber_ids } = noteable.record
  if (subscriber_ids.includes(user.id)) return false
  updateNoteable(world, noteable, { subscriber_ids: [...subscriber_ids, user.id] })
  return true
}

/** False if they are not subscribed. */
export function unsubscribe(world: World, noteable: Noteable, user: User): boolean {
  const { subscriber_ids } = noteable.record
  if (!subscriber_ids.includes(user.id)) return false
  updateNoteable(world, noteable, { subscriber_ids: subscriber_ids.filter((id) => id !== user.id) })
  return true
}

/** Undefined if the user has one that is not done. */
export function addTodo(world: World, { type, record }: Noteable, user: User): Todo | undefined {
  const present = world.todos.where('noteable', `${type}:${record.id}`)
  if (present.some((todo) => todo.user_id === user.id && todo.state === 'pending')) return undefined
  return world.todos.add({
    noteable_type: type,
    noteable_id: record.id,
    id: nextNumber(world, 'todos'),
    user_id: user.id,
    state: 'pending',
    created_at: now(world),
  })
}

/** Shows a to-do without its target. Its author is the user who created it. */
export function showTodo(world: World, todo: Todo, noteable: Noteable) {
  return {
    id: todo.id,
    project: showProjectReference(world, noteable.project),
    author: showUserById(world, todo.user_id),
    action_name: 'marked',
    target_type: noteable.type,
    target_url: noteableUrl(world, noteable),
    body: noteable.record.title,
    state: todo.state,
    created_at: todo.created_at,
  }
}
