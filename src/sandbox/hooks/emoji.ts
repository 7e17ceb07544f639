// Payloads of emojis that are given or taken back, since 16.2 (hosting-service.md §2.5).
import { isSince } from '../installation.ts'
import { mergeRequestUrl } from '../merge-requests/status.ts'
import { pick } from '../records/fields.ts'
import type { AwardEmoji, MergeRequest, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { hookMergeRequest } from './merge-request.ts'
import { hasHook, hookProject, hookTime, hookUser } from './parts.ts'

/** `user`: who gave it or took it back. */
export async function sendEmoji(
  world: World,
  mr: MergeRequest,
  award: AwardEmoji,
  user: User,
  action: 'award' | 'revoke',
): Promise<void> {
  if (!isSince(world, '16.2') || !hasHook(world, mr.project_id, 'emoji_events')) return
  world.send({
    projectId: mr.project_id,
    flag: 'emoji_events',
    name: 'Emoji Hook',
    payload: {
      object_kind: 'emoji',
      event_type: action,
      user: hookUser(user),
      project_id: mr.project_id,
      project: hookProject(world, projectById(world, mr.project_id)),
      object_attributes: {
        ...pick(award, 'id', 'user_id', 'name'),
        created_at: hookTime(award.created_at),
        updated_at: hookTime(award.created_at),
        awardable_type: 'MergeRequest',
        awardable_id: mr.id,
        action,
        awarded_on_url: mergeRequestUrl(world, mr),
      },
      merge_request: await hookMergeRequest(world, mr),
    },
  })
}
