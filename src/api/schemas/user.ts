// Users: the summary embedded in other resources, the signed-in user, members.
import * as z from 'zod'
import { datetime, id, shownAccessLevel } from './scalars.ts'

export const userSummary = z.object({
  id,
  username: z.string(),
  name: z.string(),
  /** Old answers leave these out for embedded users. */
  state: z.string().optional(),
  avatar_url: z.string().nullable().optional(),
  web_url: z.string().optional(),
})
export const user = userSummary.extend({
  email: z.string().optional(),
  /** Not on the API page: GitLab's, for the user alone. */
  commit_email: z.string().optional(),
  /** Not for every reader. */
  created_at: datetime.optional(),
  bot: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  can_create_group: z.boolean().optional(),
})
export const member = userSummary.extend({
  access_level: shownAccessLevel,
  expires_at: z.string().nullable().optional(),
})
/** GitLab docs: api/user_status. */
export const userStatus = z.object({
  emoji: z.string().nullable(),
  message: z.string().nullable(),
  availability: z.enum(['not_set', 'busy']).optional(),
  clear_status_at: z.string().nullable().optional(),
})
/** GitLab docs: api/merge_requests, "Get single merge request reviewers". */
export const reviewerState = z.object({ user: userSummary, state: z.string(), created_at: datetime })
export const personalAccessToken = z.object({
  id,
  name: z.string(),
  user_id: id,
  scopes: z.array(z.string()),
  created_at: datetime,
  expires_at: z.string().nullable(),
  active: z.boolean(),
  revoked: z.boolean(),
  /** Shown once, at creation. */
  token: z.string().optional(),
})
export const resourceAccessToken = personalAccessToken.extend({ access_level: shownAccessLevel })
