// Closes an issue, as by hand or when a merge says so (api-v4.md §4.2 closes_issues).
import type { Issue, User } from '../records.ts'
import type { World } from '../world.ts'
import { updateIssue } from './update.ts'

/** One that is closed already stays as it is, and no hook is sent. */
export function closeIssue(world: World, issue: Issue, user: User): Issue {
  return updateIssue(world, issue, user, { state: 'closed' })
}
