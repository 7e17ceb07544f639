// Notes belong to a merge request or an issue.
import { createHash } from 'node:crypto'
import { note as noteSchema } from '../../api/schemas/issue.ts'
import { canReadCode, canSeeProject, memberLevelIn, planner, projectLevel, refuseArchived } from '../access/access.ts'
import { forbidden, orNotFound } from '../http/error-response.ts'
import type { Asked } from '../http/handler.ts'
import { canSeeIssue, canTriage, type IssuePath, issueAt, issueUrl } from '../issues/find.ts'
import { type MergeRequestPath, mergeRequestAt } from '../merge-requests/find.ts'
import { mayTriage } from '../merge-requests/preconditions.ts'
import { mergeRequestUrl } from '../merge-requests/status.ts'
import { shownFields } from '../records/fields.ts'
import type { IssueRecord, MergeRequest, Note, Project, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

export type Noteable = { readonly project: Project } & (
  | { readonly type: 'MergeRequest'; readonly record: MergeRequest }
  | { readonly type: 'Issue'; readonly record: IssueRecord }
)

export type NoteableParams = MergeRequestPath | IssuePath

/** Throws as mergeRequestAt and issueAt do. */
export function noteableAt({ params, ...call }: Asked<NoteableParams>): { noteable: Noteable } {
  if ('issue_iid' in params) {
    const { project, issue } = issueAt({ params, ...call })
    return { noteable: { project, type: 'Issue', record: issue } }
  }
  const { project, mr } = mergeRequestAt({ params, ...call })
  return { noteable: { project, type: 'MergeRequest', record: mr } }
}

export function canSeeNoteable(world: World, user: User, { project, type, record }: Noteable): boolean {
  if (type === 'MergeRequest') return canReadCode(world, user, project)
  return canSeeProject(world, user, project) && canSeeIssue(world, user, project, record)
}

export function noteableUrl(world: World, noteable: Noteable): string {
  return noteable.type === 'Issue' ? issueUrl(world, noteable.record) : mergeRequestUrl(world, noteable.record)
}

export function updateNoteable(
  world: World,
  { project, type, record }: Noteable,
  patch: Partial<Pick<MergeRequest & IssueRecord, 'subscriber_ids' | 'updated_at'>>,
): Noteable {
  return type === 'Issue'
    ? { project, type, record: world.issues.update(record.id, patch) }
    : { project, type, record: world.mergeRequests.update(record.id, patch) }
}

/** The notes that the user may see. */
export function notesOf(world: World, noteable: Noteable, user: User): readonly Note[] {
  const all = world.notes.where('noteable', `${noteable.type}:${noteable.record.id}`)
  const seesInternal = projectLevel(world, user, noteable.project) >= planner
  return all.filter((note) => seesInternal || note.internal !== true || note.author_id === user.id)
}

/** One of its notes; 404 for that of anything else. */
export function findNote(world: World, noteable: Noteable, id: number, user: User): Note {
  return orNotFound(
    notesOf(world, noteable, user).find((note) => note.id === id),
    'Note',
  )
}

/** Archived projects take no notes, locked discussions only those of members. */
export function checkWriter(world: World, noteable: Noteable, user: User): void {
  refuseArchived(noteable.project)
  const isMember = user.is_admin || memberLevelIn(world, user, noteable.project) > 0
  if (noteable.record.discussion_locked === true && !isMember) throw forbidden()
}

export function mayTriageNoteable(world: World, user: User, noteable: Noteable): boolean {
  return noteable.type === 'Issue' ? canTriage(world, user, noteable.project) : mayTriage(world, user, noteable.project)
}

/** That of the note which began it. */
export function discussionId({ id, thread = id }: Note): string {
  return createHash('sha1').update(`note ${thread}`).digest('hex')
}

export function noteType({ position, resolved }: Note): 'DiffNote' | 'DiscussionNote' | null {
  if (position !== undefined) return 'DiffNote'
  return resolved === undefined ? null : 'DiscussionNote'
}

export function showNote(world: World, noteable: Noteable, note: Note) {
  return {
    ...shownFields(noteSchema, note),
    type: noteType(note),
    author: showUserById(world, note.author_id),
    noteable_iid: noteable.record.iid,
    resolvable: note.resolved !== undefined,
    internal: note.internal === true,
    confidential: note.internal === true,
  }
}
