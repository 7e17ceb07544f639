// The merge request's own fields. Issues have most of them too.

import { boolean, choice, duration, integer, names, optionalText, text } from '../language/operators/fact-types.ts'
import { either } from '../language/values/wording.ts'
import { field, sharedField } from './definition/fact.ts'

export const iid = field({
  doc: 'Its number in the project: the 7 of `!7` or `#7`.',
  type: integer,
  read: 'iid',
  stable: true,
  ofIssues: true,
  example: 'iid: { more_than: 100 }',
})

export const web_url = field({
  doc: 'Its address in the browser.',
  type: text,
  read: 'web_url',
  showsInUpdatedAt: true,
  lasting: true,
  ofIssues: true,
  example: 'web_url: { matches: "^https://code[.]example[.]com/" }',
})

export const title = sharedField({
  doc: 'The title.',
  type: text,
  read: 'title',
  isWritten: true,
  example: 'title: { matches: "^(feat|fix): " }',
  toFix: 'a title that is',
})

export const description = field({
  doc: 'The description; an empty one is an empty text.',
  synonyms: ['body'],
  type: text,
  read: (mr) => mr.description ?? ('description' in mr ? '' : undefined),
  showsInUpdatedAt: true,
  ofIssues: true,
  isWritten: true,
  example: 'description: { matches: "(?i)changelog" }',
  // Nobody would delete a description because of a rule.
  toFix: (expected) => (expected === '""' ? undefined : `a description that is ${expected}`),
})

export const state = sharedField({
  doc: 'Whether it is open, closed, merged, or locked (being merged).',
  type: choice(['opened', 'closed', 'merged', 'locked']),
  // `reopened` means opened.
  read: (mr) => (mr.state === 'reopened' ? 'opened' : mr.state),
  beforeEnd: { merged: 'opened', closed: 'opened' },
  valuesOfIssues: ['opened', 'closed'],
  example: 'state: opened',
  toFix(expected, actual, ofIssue) {
    const wants = (value: string) => expected.includes(JSON.stringify(value))
    if (actual === 'closed') return wants('opened') ? 'reopen it' : undefined
    if (actual !== 'opened') return undefined
    const steps = [...(wants('closed') ? ['close'] : []), ...(wants('merged') && !ofIssue ? ['merge'] : [])]
    return steps.length === 0 ? undefined : `${either(steps)} it`
  },
})

export const draft = field({
  doc: 'Whether the service says that it is a draft.',
  synonyms: ['wip', 'work_in_progress'],
  type: boolean,
  // `work_in_progress` is the name on the API page. The service decides which titles make a draft.
  read: (mr) => [mr.draft, mr.work_in_progress].find((each) => typeof each === 'boolean'),
  showsInUpdatedAt: true,
  recorded: true,
  beforeEnd: { merged: false },
  example: 'draft: false',
  whileOpen: true,
  toFix: { true: 'mark it as a draft', false: 'mark it as ready' },
})

export const labels = sharedField({
  doc: 'The labels. Case matters.',
  type: names,
  names: 'label',
  read: 'labels',
  example: 'labels: { any: [dependencies], none: [hold, "blocked::*"] }',
  toFix: 'labels with',
})

export const milestone = sharedField({
  doc: 'The title of the milestone; null is none.',
  type: optionalText,
  names: 'milestone',
  read: (mr) => (mr.milestone === null ? null : mr.milestone?.title),
  example: 'milestone: "17.0"',
  toFix: 'a milestone that is',
})

export const merge_when_pipeline_succeeds = field({
  doc: 'Whether the service merges it when its pipeline succeeds.',
  type: boolean,
  read: 'merge_when_pipeline_succeeds',
  recorded: true,
  example: 'merge_when_pipeline_succeeds: false',
  whileOpen: true,
  toFix: { true: 'set it to merge when its pipeline succeeds', false: 'cancel the waiting merge' },
})

export const discussion_locked = sharedField({
  doc: 'Whether only members can write in its discussion.',
  type: boolean,
  // A real installation says null if it was never locked.
  read: (mr) => mr.discussion_locked ?? ('discussion_locked' in mr ? false : undefined),
  example: 'discussion_locked: false',
  toFix: { true: 'lock the discussion', false: 'unlock the discussion' },
})

export const subscribed = field({
  doc: 'Whether Bellhop’s user is subscribed.',
  type: boolean,
  read: 'subscribed',
  recorded: true,
  ofIssues: true,
  example: 'subscribed: false',
  toFix: { true: 'subscribe Bellhop’s user', false: 'unsubscribe Bellhop’s user' },
})

export const head = field({
  doc: 'The head commit of the source branch.',
  type: text,
  read: (mr) => mr.sha ?? undefined,
  showsInUpdatedAt: true,
  lasting: true,
  example: 'head: { matches: "^[0-9a-f]{40}$" }',
})

export const user_notes_count = sharedField({
  doc: 'How many notes it has, Bellhop’s among them; what the service notes down itself does not count.',
  synonyms: ['comments', 'comments_count', 'notes'],
  type: integer,
  read: 'user_notes_count',
  changesWith: ['note'],
  example: 'user_notes_count: { at_least: 1 }',
  toFix: 'a number of notes of',
})

export const upvotes = field({
  doc: 'Thumbs up.',
  type: integer,
  read: 'upvotes',
  changesWith: ['emoji'],
  recorded: true,
  ofIssues: true,
  example: 'upvotes: { at_least: 2 }',
  toFix: 'upvotes of',
})

export const downvotes = field({
  doc: 'Thumbs down.',
  type: integer,
  read: 'downvotes',
  changesWith: ['emoji'],
  recorded: true,
  ofIssues: true,
  example: 'downvotes: 0',
  toFix: 'downvotes of',
})

export const time_estimate = sharedField({
  doc: 'The estimate; 0m is none. A day has eight hours.',
  type: duration,
  read: (mr) => mr.time_stats?.time_estimate,
  example: 'time_estimate: { at_most: 2h }',
  toFix: 'an estimate of',
})

export const time_spent = sharedField({
  doc: 'The time spent. A day has eight hours.',
  type: duration,
  read: (mr) => mr.time_stats?.total_time_spent,
  example: 'time_spent: { less_than: 1d }',
  toFix: 'time spent of',
})

/** All values of `detailed_merge_status`, newest and older, and of the plain `merge_status`. */
const MERGEABILITY = [
  ...['mergeable', 'can_be_merged', 'cannot_be_merged', 'cannot_be_merged_recheck', 'cannot_be_merged_rechecking'],
  ...['preparing', 'unchecked', 'checking', 'approvals_syncing'],
  ...['ci_must_pass', 'ci_still_running', 'commits_status', 'conflict'],
  ...['discussions_not_resolved', 'draft_status', 'jira_association_missing', 'locked_lfs_files', 'locked_paths'],
  ...['merge_request_blocked', 'merge_time', 'need_rebase', 'not_approved', 'not_open', 'requested_changes'],
  ...['security_policy_pipeline_check', 'security_policy_violations', 'status_checks_must_pass', 'title_regex'],
  ...['blocked_status', 'broken_status', 'external_status_checks', 'policies_denied'],
]

export const mergeability = field({
  doc: 'What the service says about merging it: detailed_merge_status, or merge_status where that is absent.',
  type: choice(MERGEABILITY),
  read: (mr) => mr.detailed_merge_status ?? mr.merge_status,
  recorded: true,
  waitsFor: {
    not_approved: 'review',
    discussions_not_resolved: 'review',
    requested_changes: 'review',
    ci_must_pass: 'pipeline',
    ci_still_running: 'pipeline',
    status_checks_must_pass: 'pipeline',
    external_status_checks: 'pipeline',
    commits_status: 'pipeline',
    conflict: 'conflict',
    cannot_be_merged: 'conflict',
    need_rebase: 'conflict',
    merge_time: 'freeze',
  },
  changesWith: ['status', 'note by others'],
  beforeEnd: { merged: 'can_be_merged' },
  example: 'mergeability: [mergeable, can_be_merged]',
  whileOpen: true,
  toFix: (_expected, actual) => UNBLOCK[String(actual)] ?? 'the service must say that it can be merged',
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
  requested_changes: 'approval by the reviewer who requested changes',
  preparing: 'wait: the service is still preparing it',
  unchecked: 'wait: the service is still checking',
  checking: 'wait: the service is still checking',
  approvals_syncing: 'wait: the service is still counting approvals',
}
