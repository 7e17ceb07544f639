// What issues and merge requests show alike.
import type { IssueRecord, MergeRequest, NoteableId } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'
import { showTimeStats } from './duration.ts'

export function showWork(world: World, type: NoteableId['noteable_type'], work: IssueRecord | MergeRequest) {
  const key = `${type}:${work.id}`
  const awards = world.awards.where('noteable', key)
  const assignees = work.assignee_ids.map((id) => showUserById(world, id))
  return {
    author: showUserById(world, work.author_id),
    assignee: assignees[0] ?? null,
    assignees,
    labels: [...work.labels].sort(),
    milestone: (work.milestone_id === null ? undefined : world.milestones.get(work.milestone_id)) ?? null,
    user_notes_count: world.notes.where('noteable', key).filter((note) => !note.system).length,
    upvotes: awards.filter(({ name }) => name === 'thumbsup').length,
    downvotes: awards.filter(({ name }) => name === 'thumbsdown').length,
    time_stats: showTimeStats(work),
  }
}
