// What a reaction, a label event or a to-do is of, by the type and the id of a merge request or an issue.
import type { Note, NoteableId } from './records.ts'

export function noteableId(type: Note['noteable_type'], id: number): NoteableId {
  return type === 'Issue' ? { issue_id: id } : { merge_request_id: id }
}

/** `Issue:3`, as the index of notes has it. */
export function noteableKey({ issue_id, merge_request_id }: NoteableId): string {
  return issue_id === undefined ? `MergeRequest:${merge_request_id}` : `Issue:${issue_id}`
}
