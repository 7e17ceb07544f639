// A merge request on a merge train, as GitLab Premium shows it; not on the API page.
import * as z from 'zod'
import { pipeline } from './merge-request.ts'
import { count, datetime, id } from './scalars.ts'
import { userSummary } from './user.ts'

export const mergeTrainCar = z.object({
  id,
  merge_request: z.object({
    id,
    iid: id,
    project_id: id,
    title: z.string(),
    description: z.string().nullable(),
    state: z.string(),
    created_at: datetime,
    updated_at: datetime,
    web_url: z.string(),
  }),
  user: userSummary,
  pipeline: pipeline.nullable(),
  created_at: datetime,
  updated_at: datetime,
  target_branch: z.string(),
  /** `idle`, `stale`, `fresh`, `merging`, `merged` or `skip_merged`. */
  status: z.string(),
  merged_at: datetime.nullable(),
  /** Seconds. */
  duration: count.nullable(),
})
