// Milestone payloads of projects (hosting-service.md §1.3).
import { pick } from '../records/fields.ts'
import type { Milestone, Project } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { hookProject, hookTime } from './parts.ts'

export function sendMilestone(
  world: World,
  project: Project,
  milestone: Milestone,
  action: 'create' | 'close' | 'reopen' | 'delete',
): void {
  world.send({
    projectId: project.id,
    flag: 'milestone_events',
    name: 'Milestone Hook',
    payload: {
      object_kind: 'milestone',
      event_type: 'milestone',
      project: hookProject(world, project),
      object_attributes: {
        ...pick(milestone, 'id', 'iid', 'title', 'description', 'state', 'due_date'),
        created_at: hookTime(milestone.created_at),
        updated_at: hookTime(milestone.updated_at),
        start_date: null,
        group_id: null,
        project_id: project.id,
      },
      action,
    },
  })
}
