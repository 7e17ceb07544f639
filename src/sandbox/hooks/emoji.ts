// Payloads of emojis that are given or taken back (hosting-service.md §2.5).
import { type Noteable, noteableUrl } from '../notes/noteable.ts'
import { pick } from '../records/fields.ts'
import type { AwardEmoji, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { hookIssue } from './issue.ts'
import { hookMergeRequest } from './merge-request.ts'
import { hasHook, hookTime, hookUser } from './parts.ts'

/** `user`: who gave it or took it back. */
export async function sendEmoji(
  world: World,
  noteable: Noteable,
  award: AwardEmoji,
  user: User,
  action: 'award' | 'revoke',
): Promise<void> {
  const { project, type, record } = noteable
  if (!hasHook(world, project.id, 'emoji_events')) return
  world.send(project, 'emoji_events', {
    object_kind: 'emoji',
    event_type: action,
    user: hookUser(user),
    project_id: project.id,
    object_attributes: {
      ...pick(award, 'id', 'user_id', 'name'),
      created_at: hookTime(award.created_at),
      updated_at: hookTime(award.created_at),
      awardable_type: type,
      awardable_id: record.id,
      action,
      awarded_on_url: noteableUrl(world, noteable),
    },
    ...(noteable.type === 'Issue'
      ? { issue: hookIssue(world, noteable.record) }
      : { merge_request: await hookMergeRequest(world, noteable.record) }),
  })
}
