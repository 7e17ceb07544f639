// Nothing is more visible than the group that contains it, as in GitLab.
import { invalid } from '../http/error-response.ts'
import type { Group } from '../records/records.ts'

type Visibility = Group['visibility']
const order: readonly Visibility[] = ['private', 'internal', 'public']

export function isMoreVisible(one: Visibility, other: Visibility): boolean {
  return order.indexOf(one) > order.indexOf(other)
}

export function checkGroupVisibility(parent: Group | undefined, visibility: Visibility): void {
  if (parent === undefined || !isMoreVisible(visibility, parent.visibility)) return
  throw invalid(
    'visibility_level',
    `${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`,
  )
}

/** Refuses a project that is more visible than its group; a user's namespace sets no limit. */
export function checkProjectVisibility(group: Group | undefined, visibility: Visibility): void {
  if (group === undefined || !isMoreVisible(visibility, group.visibility)) return
  throw invalid('visibility_level', `${visibility} is not allowed in a ${group.visibility} group.`)
}
