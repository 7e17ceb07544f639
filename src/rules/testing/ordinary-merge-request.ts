// What rule tests begin with, as the service shows it: an open, mergeable, green merge request, or an open issue.
import { CODE_OWNERS_PATHS } from '../code-owners/read-code-owners.ts'
import type { SourceAnswer, SourceAnswers } from '../types.ts'

export const ordinaryNow = '2026-01-14T12:00:00.000Z'
export const bot = { id: 9, username: 'bellhop' }

export const head = 'a'.repeat(40)
/** The head of the target branch. */
export const base = 'f'.repeat(40)
export const author = { id: 2, username: 'alice' }

export const answer = (body: unknown): SourceAnswer => ({ ok: true, body, complete: true })

export const ago = (now: string, hours: number) => new Date(Date.parse(now) - hours * 3_600_000).toISOString()

const ordinary = (now: string) => ({
  id: 70,
  iid: 7,
  project_id: 1,
  state: 'opened',
  author,
  assignee: null,
  assignees: [],
  labels: [],
  created_at: ago(now, 24),
  updated_at: ago(now, 1),
  upvotes: 0,
  downvotes: 0,
  user_notes_count: 0,
  milestone: null,
  subscribed: false,
  discussion_locked: false,
  time_stats: { time_estimate: 0, total_time_spent: 0 },
})

export function ordinaryMergeRequest(now: string) {
  return {
    ...ordinary(now),
    source_project_id: 1,
    target_project_id: 1,
    source_branch: 'feature',
    target_branch: 'main',
    title: 'Add a door',
    description: 'It opens.',
    web_url: 'https://code.example.com/acme/door/-/merge_requests/7',
    merge_commit_sha: null,
    force_remove_source_branch: false,
    blocking_discussions_resolved: true,
    has_conflicts: false,
    reviewers: [],
    draft: false,
    merge_status: 'can_be_merged',
    merge_when_pipeline_succeeds: false,
    sha: head,
    diff_refs: { base_sha: base, start_sha: base, head_sha: head },
    changes_count: '1',
    squash: false,
    head_pipeline: { id: 5, sha: head, ref: 'feature', status: 'success', source: 'push' },
  }
}

const project = {
  id: 1,
  default_branch: 'main',
  path_with_namespace: 'acme/door',
  namespace: { kind: 'group', full_path: 'acme' },
  visibility: 'private',
  archived: false,
  topics: [],
  merge_method: 'merge',
  automatic_rebase_enabled: false,
  squash_option: 'default_off',
  merge_pipelines_enabled: false,
  merge_trains_enabled: false,
  allow_merge_on_skipped_pipeline: false,
  only_allow_merge_if_pipeline_succeeds: false,
  only_allow_merge_if_all_discussions_are_resolved: false,
}

const diff = '@@ -1 +1 @@\n-shut\n+open\n'

/** The answer of every source at that time. Answers for an event or a name are made when they are needed. */
export function ordinaryAnswers(now: string): SourceAnswers {
  return {
    mergeRequest: answer(ordinaryMergeRequest(now)),
    divergence: answer({ ...ordinaryMergeRequest(now), diverged_commits_count: 0 }),
    project: answer(project),
    approvals: answer({
      approvals_required: 0,
      approvals_left: 0,
      approved: true,
      approved_by: [],
      user_has_approved: false,
    }),
    mergeTrain: { ok: false, status: 404, reason: 'It is on no merge train.' },
    pipelines: answer([]),
    sameSource: answer([]),
    pipelineCommit: answer({ id: head, parent_ids: [] }),
    commits: answer([{ id: head, title: 'Add a door', message: 'Add a door', author_email: 'alice@example.com' }]),
    landingCommits: answer([{ id: head, message: 'Add a door' }]),
    changes: answer({
      ...ordinaryMergeRequest(now),
      changes: [{ old_path: 'src/door.ts', new_path: 'src/door.ts', diff }],
    }),
    versions: answer([{ id: 1, head_commit_sha: head, created_at: ago(now, 24) }]),
    closesIssues: answer([]),
    blocks: answer([]),
    pushEvents: answer([]),
    labelEvents: answer([]),
    participants: answer([author]),
    mergedOfAuthor: answer([{ id: 60, iid: 6, state: 'merged', author }]),
    authorAccess: answer({ ...author, access_level: 30 }),
    reviewerStates: answer([]),
    notes: answer([]),
    ...Object.fromEntries(
      CODE_OWNERS_PATHS.map((path) => [
        `codeOwners@${path}`,
        { ok: false, status: 404, reason: 'There is no such file.' },
      ]),
    ),
  }
}

export const ordinaryIssue = (now: string) => ({
  ...ordinary(now),
  title: 'The door is shut',
  description: 'It should open.',
  web_url: 'https://code.example.com/acme/door/-/issues/7',
  issue_type: 'issue',
  confidential: false,
  weight: null,
  closed_at: null,
  due_date: null,
})

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
