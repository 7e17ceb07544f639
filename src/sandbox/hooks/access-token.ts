// The payload that warns of a project's token before it expires (hosting-service.md §1.3).
import { pick } from '../records/fields.ts'
import type { Project, Token } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { hookProject, hookTime } from './parts.ts'

export function sendExpiringToken(world: World, project: Project, token: Token): void {
  world.send({
    projectId: project.id,
    flag: 'resource_access_token_events',
    name: 'Resource Access Token Hook',
    payload: {
      object_kind: 'access_token',
      interval: 'seven_days',
      project: hookProject(world, project),
      object_attributes: {
        ...pick(token, 'user_id', 'id', 'name', 'expires_at'),
        created_at: hookTime(token.created_at),
      },
      event_name: 'expiring_access_token',
    },
  })
}
