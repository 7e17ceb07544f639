// A soak's record told by hand: one merge request of renovate, and what happens to it, one thing after the other.
import { historiesOf } from '../../soak/history.ts'
import { emptyRecord, type HookEntry, type SoakRecord } from '../../soak/record.ts'
import type { Action } from '../../soak/schedule.ts'
import type { MergeRequest } from '../../src/sandbox/records/work-records.ts'

export const bot = 9
export const bob = 3
export const name = '1!1'

const opened: MergeRequest = {
  id: 100,
  iid: 1,
  project_id: 1,
  source_project_id: 1,
  source_branch: 'work-0',
  target_branch: 'master',
  title: 'Work 0',
  description: '',
  state: 'opened',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  author_id: 4,
  assignee_ids: [],
  reviewer_ids: [],
  milestone_id: null,
  labels: [],
  merge_error: null,
  sha: 'aaaaaaaaaa',
  base_sha: null,
  changes_count: '1',
  merge_status: 'can_be_merged',
  merge_status_of: null,
  merge_when_pipeline_succeeds: false,
  auto_merge: null,
  train_car: null,
  merge_commit_sha: null,
  squash_commit_sha: null,
  merged_by_id: null,
  merged_at: null,
  closed_at: null,
  should_remove_source_branch: null,
  force_remove_source_branch: false,
  squash: false,
  discussion_locked: false,
  approvals_before_merge: null,
  approved_by: [],
  subscriber_ids: [],
  time_estimate: 0,
  total_time_spent: 0,
}

type Given<A> = A extends { slot: number } ? Omit<A, 'slot'> : A

export interface Story {
  record: SoakRecord
  histories(): ReturnType<typeof historiesOf>
  /** It is otherwise from now on. */
  becomes(change: Partial<MergeRequest>): Story
  pipeline(status: string, sha?: string, id?: number): Story
  /** The bot calls. */
  call(endpoint: string, params?: Record<string, unknown>): Story
  /** People do something. */
  people(action: Given<Action>): Story
  /** People write a command, and its hook comes to that. */
  command(by: 'alice' | 'bob', word: 'log' | 'ping' | 'merge' | 'ship', ...fates: HookEntry['fate'][]): Story
  note(author: number, body: string): Story
}

/** Begins with a merge request that renovate opened with code. */
export function story(first: Partial<MergeRequest> = {}, documents = false): Story {
  const record = emptyRecord({ id: bot, username: 'bellhop' })
  let mergeRequest = { ...opened, ...first }
  let last = 0
  let notes = 0
  const next = () => {
    last += 1
    return last
  }
  const told: Story = {
    record,
    histories: () => historiesOf(record),
    becomes(change) {
      mergeRequest = { ...mergeRequest, ...change }
      record.changes.push({ at: next(), mergeRequest })
      return told
    },
    pipeline(status, sha = mergeRequest.sha, id = 1) {
      record.pipelines.push({ at: next(), id, project: 1, sha, ref: mergeRequest.source_branch, status })
      return told
    },
    call(endpoint, params = {}) {
      record.calls.push({ at: next(), endpoint, params: { id: 1, merge_request_iid: 1, ...params }, caller: 'bellhop' })
      return told
    },
    people(action) {
      record.actions.push({
        at: next(),
        action: { slot: 0, ...action } as Action,
        ended: next(),
        refused: false,
        mergeRequest: 100,
      })
      return told
    },
    command(by, word, ...fates) {
      notes += 1
      const action = { do: 'command', slot: 0, by, word } as const
      record.actions.push({ at: next(), action, ended: next(), refused: false, mergeRequest: 100, note: notes })
      for (const fate of fates) record.hooks.push({ at: next(), id: `hook ${notes}`, kind: 'note', note: notes, fate })
      return told
    },
    note(author, body) {
      notes += 1
      record.notes.push({ at: next(), id: notes, mergeRequest: 100, author, body })
      return told
    },
  }
  const labels = [...mergeRequest.labels]
  told.people({ do: 'open', project: 0, author: 'renovate', documents, labels, draft: false, target: 'master' })
  return told.becomes({})
}
