// The ordinary issue that rule tests for issues begin with, as the service would show it: open, new, with nothing set.
import type { SourceAnswers } from '../types.ts'
import { ago, answer, author, ordinaryAnswers } from './ordinary-merge-request.ts'

export function ordinaryIssue(now: string) {
  return {
    id: 70,
    iid: 7,
    project_id: 1,
    title: 'The door is shut',
    description: 'It should open.',
    state: 'opened',
    created_at: ago(now, 24),
    updated_at: ago(now, 1),
    closed_at: null,
    upvotes: 0,
    downvotes: 0,
    user_notes_count: 0,
    web_url: 'https://code.example.com/acme/door/-/issues/7',
    author,
    assignee: null,
    assignees: [],
    labels: [],
    milestone: null,
    issue_type: 'issue',
    confidential: false,
    weight: null,
    due_date: null,
    subscribed: false,
    discussion_locked: false,
    time_stats: { time_estimate: 0, total_time_spent: 0 },
  }
}

/** The answer of every source about it at that time. */
export function issueAnswers(now: string): SourceAnswers {
  const { project, authorAccess, participants, labelEvents, notes } = ordinaryAnswers(now)
  const shared = Object.entries({ project, authorAccess, participants, labelEvents, notes })
  return {
    ...Object.fromEntries(shared.flatMap(([name, each]) => (each === undefined ? [] : [[name, each]]))),
    mergeRequest: answer(ordinaryIssue(now)),
    relatedMergeRequests: answer([]),
  }
}
