// Records of pipelines and commit statuses, as plain JSON.
import type * as z from 'zod'
import type { commitStatus } from '../../api/schemas/repository.ts'

export type PipelineRecord = Readonly<{
  id: number
  iid: number
  project_id: number
  sha: string
  ref: string
  status: string
  /** The status of its own jobs; absent if it has only commit statuses. */
  jobs_status?: string
  /** `external` for commit statuses; others are of merge requests and of parents. */
  source: string
  /** Absent for a pipeline of a branch. */
  merge_request_id?: number
  /** The head of a merged result. */
  source_sha?: string
  parent_id?: number
  /** The script of a scripted pipeline. */
  script_id?: number
  /** What is still to come; times are the clock's. */
  steps?: readonly Readonly<{ at: number; status: string }>[]
  user_id: number
  created_at: string
  finished_at: string | null
}>

/** How the pipelines of some branches of a project go. */
export type PipelineScript = Readonly<{
  id: number
  project_id: number
  /** A branch, or a pattern with `*`; of a merge request its source branch. */
  branches: string
  kind: 'branch' | 'merge_request' | 'merged_results' | 'merge_train'
  /** Milliseconds. */
  takes: number
  /** One after the other, then from the first again. */
  ends: readonly ('success' | 'failed' | 'canceled' | 'skipped' | 'manual' | 'canceling' | 'waiting_for_callback')[]
  /** Files that break each other: a commit that has all of them fails, whatever `ends` says. */
  breaks_with?: readonly string[]
  runs: number
}>

export type StatusState = 'pending' | 'running' | 'success' | 'failed' | 'canceled' | 'skipped'

export type CommitStatus = Readonly<
  Omit<z.output<typeof commitStatus>, 'author'> & {
    project_id: number
    status: StatusState
    author_id: number
    started_at: string | null
    finished_at: string | null
    /** Replaced by a newer status of the same name. */
    retried: boolean
  }
>
