// Payloads of notes and of emojis.
import { discussionId, type Noteable, noteableUrl, noteType } from '../notes/noteable.ts'
import { pick } from '../records/fields.ts'
import type { AwardEmoji, Note, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { hookIssue } from './issue.ts'
import { hookMergeRequest } from './merge-request.ts'
import { hasHook, hookRepository, hookTime, hookUser } from './parts.ts'

export async function sendNote(world: World, noteable: Noteable, note: Note, user: User, action: 'create' | 'update') {
  const { project } = noteable
  // A note on a confidential issue is as confidential as an internal one.
  const isOnConfidential = noteable.type === 'Issue' && noteable.record.confidential
  const isConfidential = isOnConfidential || note.internal === true
  const flag = isConfidential ? 'confidential_note_events' : 'note_events'
  if (!hasHook(world, project.id, flag)) return
  world.send(project, flag, {
    object_kind: 'note',
    event_type: isConfidential ? 'confidential_note' : 'note',
    user: hookUser(user),
    project_id: project.id,
    object_attributes: {
      ...pick(note, 'id', 'noteable_type', 'noteable_id', 'author_id', 'project_id', 'system'),
      note: note.body,
      description: note.body,
      type: noteType(note),
      created_at: hookTime(note.created_at),
      updated_at: hookTime(note.updated_at),
      updated_by_id: action === 'update' ? user.id : null,
      discussion_id: discussionId(note),
      attachment: null,
      commit_id: null,
      line_code: null,
      st_diff: null,
      position: note.position ?? null,
      original_position: null,
      change_position: null,
      resolved_at: null,
      resolved_by_id: null,
      resolved_by_push: null,
      url: `${noteableUrl(world, noteable)}#note_${note.id}`,
      action,
    },
    repository: hookRepository(world, project),
    ...(await subjectOf(world, noteable)),
  })
}

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
    ...(await subjectOf(world, noteable)),
  })
}

async function subjectOf(world: World, { type, record }: Noteable) {
  return type === 'Issue'
    ? { issue: hookIssue(world, record) }
    : { merge_request: await hookMergeRequest(world, record) }
}
