// A group.
import * as z from 'zod'
import { project } from './project.ts'
import { count, id, shownAccessLevel, visibility } from './scalars.ts'

export const group = z.object({
  id,
  name: z.string(),
  path: z.string(),
  /** Null in GitLab if none was ever given, as in a milestone. */
  description: z.string().nullable(),
  visibility,
  lfs_enabled: z.boolean().optional(),
  avatar_url: z.string().nullable().optional(),
  web_url: z.string(),
  request_access_enabled: z.boolean(),
  full_name: z.string(),
  full_path: z.string(),
  parent_id: id.nullable(),
  /** Only on an administrator's request. */
  statistics: z
    .object({ storage_size: count, repository_size: count, lfs_objects_size: count, job_artifacts_size: count })
    .optional(),
})
/** In search results. */
export const foundGroup = group.pick({ id: true, name: true, path: true, description: true })
export const groupWithProjects = group.extend({ projects: z.array(project) })
export const groupDetails = groupWithProjects.extend({
  shared_projects: z.array(project),
  shared_runners_minutes_limit: count,
})
/** Not on the API page; has the fields of its parameters. */
export const ldapLink = z.object({ cn: z.string(), group_access: shownAccessLevel, provider: z.string() })
