// The merge request's own fields.

import { boolean, choice, duration, integer, names, optionalText, text } from '../language/operators/fact-types.ts'
import { fact } from './definition/fact.ts'
import { sources } from './definition/sources.ts'

const from = sources.mergeRequest

export const title = fact({
  doc: 'The title.',
  type: text,
  from,
  read: (mr) => mr.title,
  showsInUpdatedAt: true,
  recorded: true,
  example: 'title: { matches: "^(feat|fix): " }',
  toFix: (expected) => `a title that is ${expected}`,
})

export const description = fact({
  doc: 'The description; an empty one is an empty text.',
  type: text,
  from,
  read: (mr) => mr.description ?? ('description' in mr ? '' : undefined),
  showsInUpdatedAt: true,
  example: 'description: { matches: "(?i)changelog" }',
  toFix: (expected) => `a description that is ${expected}`,
})

export const state = fact({
  doc: 'Whether it is open, closed, merged, or locked (being merged).',
  type: choice(['opened', 'closed', 'merged', 'locked']),
  from,
  // `reopened` is what very old services say for opened (api-v4.md §2.4).
  read: (mr) => (mr.state === 'reopened' ? 'opened' : mr.state),
  showsInUpdatedAt: true,
  recorded: true,
  beforeEnd: { merged: 'opened', closed: 'opened' },
  example: 'state: opened',
  toFix: (expected) => `a state that is ${expected}`,
})

const DRAFT_TITLE = /^\s*(?:\[(?:draft|wip)\]|\(draft\)|(?:draft|wip):)/i

export const draft = fact({
  doc: 'Whether it is a draft, by the service’s word or by its title.',
  type: boolean,
  from,
  read: (mr) => {
    const said = 'draft' in mr ? mr.draft : mr.work_in_progress
    if (typeof mr.title === 'string' && DRAFT_TITLE.test(mr.title)) return true
    return typeof said === 'boolean' ? said : undefined
  },
  showsInUpdatedAt: true,
  recorded: true,
  beforeEnd: { merged: false },
  example: 'draft: false',
  toFix: (expected) => (expected === 'true' ? 'marking it as a draft' : 'marking it as ready'),
})

export const labels = fact({
  doc: 'The labels. Case matters.',
  type: names,
  names: 'label',
  from,
  read: (mr) => mr.labels,
  showsInUpdatedAt: true,
  recorded: true,
  example: 'labels: { any: [dependencies], none: [hold, "blocked::*"] }',
  toFix: (expected) => `labels with ${expected}`,
})

export const milestone = fact({
  doc: 'The title of the milestone; null is none.',
  type: optionalText,
  names: 'milestone',
  from,
  read: (mr) => (mr.milestone === null ? null : mr.milestone?.title),
  showsInUpdatedAt: true,
  recorded: true,
  example: 'milestone: "17.0"',
  toFix: (expected) => `a milestone that is ${expected}`,
})

export const squash = fact({
  doc: 'Whether its commits are squashed on merge.',
  type: boolean,
  from,
  read: (mr) => mr.squash,
  showsInUpdatedAt: true,
  recorded: true,
  lasting: 'merged',
  example: 'squash: true',
  toFix: (expected) => `squash set to ${expected}`,
})

export const merge_when_pipeline_succeeds = fact({
  doc: 'Whether the service merges it when its pipeline succeeds.',
  type: boolean,
  from,
  read: (mr) => mr.merge_when_pipeline_succeeds,
  recorded: true,
  example: 'merge_when_pipeline_succeeds: false',
  toFix: (expected) =>
    expected === 'true' ? 'setting it to merge when its pipeline succeeds' : 'cancelling the merge that waits',
})

export const discussion_locked = fact({
  doc: 'Whether only members can write in its discussion.',
  type: boolean,
  from,
  // A real installation says null for one that was never locked.
  read: (mr) => mr.discussion_locked ?? ('discussion_locked' in mr ? false : undefined),
  showsInUpdatedAt: true,
  recorded: true,
  example: 'discussion_locked: false',
  toFix: (expected) => `a discussion that is ${expected === 'true' ? 'locked' : 'open'}`,
})

export const subscribed = fact({
  doc: 'Whether Bellhop’s user is subscribed.',
  type: boolean,
  from,
  read: (mr) => mr.subscribed,
  recorded: true,
  example: 'subscribed: false',
  toFix: (expected) => `a subscription that is ${expected}`,
})

export const head = fact({
  doc: 'The head commit of the source branch.',
  type: text,
  from,
  read: (mr) => mr.sha ?? undefined,
  showsInUpdatedAt: true,
  lasting: true,
  example: 'head: { matches: "^[0-9a-f]{40}$" }',
  toFix: (expected) => `a head commit that is ${expected}`,
})

export const user_notes_count = fact({
  doc: 'How many notes it has, Bellhop’s among them; what the service notes down itself does not count.',
  type: integer,
  from,
  read: (mr) => mr.user_notes_count,
  showsInUpdatedAt: true,
  recorded: true,
  example: 'user_notes_count: { at_least: 1 }',
  toFix: (expected) => `a number of notes of ${expected}`,
})

export const upvotes = fact({
  doc: 'Thumbs up.',
  type: integer,
  from,
  read: (mr) => mr.upvotes,
  recorded: true,
  example: 'upvotes: { at_least: 2 }',
  toFix: (expected) => `upvotes of ${expected}`,
})

export const downvotes = fact({
  doc: 'Thumbs down.',
  type: integer,
  from,
  read: (mr) => mr.downvotes,
  recorded: true,
  example: 'downvotes: 0',
  toFix: (expected) => `downvotes of ${expected}`,
})

export const time_estimate = fact({
  doc: 'The estimate; 0m is none. A day has eight hours.',
  type: duration,
  from,
  read: (mr) => mr.time_stats?.time_estimate,
  showsInUpdatedAt: true,
  recorded: true,
  example: 'time_estimate: { at_most: 2h }',
  toFix: (expected) => `an estimate of ${expected}`,
})

export const time_spent = fact({
  doc: 'The time spent. A day has eight hours.',
  type: duration,
  from,
  read: (mr) => mr.time_stats?.total_time_spent,
  showsInUpdatedAt: true,
  recorded: true,
  example: 'time_spent: { less_than: 1d }',
  toFix: (expected) => `time spent of ${expected}`,
})

/** All values of `detailed_merge_status`, newest and older, and of the plain `merge_status` (hosting-service.md §2.2, §3.1). */
const MERGEABILITY = [
  ...['mergeable', 'can_be_merged', 'cannot_be_merged', 'cannot_be_merged_recheck', 'cannot_be_merged_rechecking'],
  ...[
    'preparing',
    'unchecked',
    'checking',
    'approvals_syncing',
    'ci_must_pass',
    'ci_still_running',
    'commits_status',
    'conflict',
  ],
  ...['discussions_not_resolved', 'draft_status', 'jira_association_missing', 'locked_lfs_files', 'locked_paths'],
  ...['merge_request_blocked', 'merge_time', 'need_rebase', 'not_approved', 'not_open', 'requested_changes'],
  ...['security_policy_pipeline_check', 'security_policy_violations', 'status_checks_must_pass', 'title_regex'],
  ...['blocked_status', 'broken_status', 'external_status_checks', 'policies_denied'],
]

export const mergeability = fact({
  doc: 'What the service says about merging it: detailed_merge_status, or merge_status where that is absent.',
  type: choice(MERGEABILITY),
  from,
  read: (mr) => mr.detailed_merge_status ?? mr.merge_status,
  recorded: true,
  beforeEnd: { merged: 'can_be_merged' },
  example: 'mergeability: [mergeable, can_be_merged]',
  toFix: (_wanted, actual) => UNBLOCK[String(actual)] ?? 'the service must say that it can be merged',
})

const UNBLOCK: Record<string, string> = {
  conflict: 'resolve the conflicts with the target branch',
  cannot_be_merged: 'resolve the conflicts with the target branch',
  need_rebase: 'rebase onto the target branch',
  not_approved: 'the missing approvals',
  discussions_not_resolved: 'resolve the open threads',
  draft_status: 'mark it as ready',
  ci_must_pass: 'a successful pipeline',
  ci_still_running: 'wait for the pipeline',
  requested_changes: 'the reviewer who asked for changes must agree',
  preparing: 'wait: the service is still preparing it',
  unchecked: 'wait: the service is still checking',
  checking: 'wait: the service is still checking',
  approvals_syncing: 'wait: the service is still counting approvals',
}
