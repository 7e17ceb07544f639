// Who set a label of the merge request, by its label events (GitLab docs: api/resource_label_events.md).
import { items } from './list-items.ts'

/** A label event as a service may send it: a deleted label or user is null. */
interface LabelEvent {
  action?: unknown
  label?: { name?: unknown } | null
  user?: { id?: unknown; username?: unknown } | null
}

/**
 * Who added the label last; undefined if the events, oldest first, do not say. The events show the present names of
 * labels. For a renamed label, this is the user who set it under its old name, and the service does not tell.
 */
export function lastSetter(body: unknown, label: string): { id: number; name: string } | undefined {
  const events = items(body as readonly LabelEvent[])
  const user = events?.findLast((each) => each?.action === 'add' && each.label?.name === label)?.user
  if (!Number.isSafeInteger(user?.id) || Number(user?.id) <= 0) return undefined
  return { id: Number(user?.id), name: typeof user?.username === 'string' ? user.username : `user ${String(user?.id)}` }
}
