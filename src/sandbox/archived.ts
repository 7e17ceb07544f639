// Archived projects can be read, but not changed (api-v4.md §3.2).
import type { Project } from './records.ts'
import { refuse } from './refusal.ts'

/** Refuses a change of an archived project with 403 and the reason. */
export function refuseArchived(project: Project): void {
  if (project.archived) throw refuse(403, '403 Forbidden - The project is archived: it can be read, but not changed')
}
