// The paths of merge requests and of issues, which have notes, reactions, labels, subscribers and times in common.
import type * as z from 'zod'
import { id, idOrPath } from '../schemas/scalars.ts'

/** `called` is its name in a sentence, `event` the first part of its kinds of events. */
export interface NoteableBase<P extends Record<string, z.ZodType>> {
  readonly base: `/${string}`
  readonly pathParams: P
  readonly called: string
  readonly event: string
}

export const onMergeRequest = {
  base: '/projects/:id/merge_requests/:merge_request_iid',
  pathParams: { id: idOrPath, merge_request_iid: id },
  called: 'a merge request',
  event: 'merge_request',
} as const

export const onIssue = {
  base: '/projects/:id/issues/:issue_iid',
  pathParams: { id: idOrPath, issue_iid: id },
  called: 'an issue',
  event: 'issue',
} as const
