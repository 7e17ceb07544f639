// Filters of project lists.
import * as z from 'zod'
import { pageOf } from '../endpoint.ts'
import { project, simpleProject } from '../schemas/project.ts'
import { pageQuery, sort, visibility } from '../schemas/scalars.ts'

export const projectOrder = {
  order_by: z.enum(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at']).default('created_at'),
  sort: sort.default('desc'),
}

/** The filters of GET /projects, /users/:user_id/projects and /projects/:id/forks. */
export const projectFilters = {
  archived: z.boolean().optional(),
  visibility: visibility.optional(),
  ...projectOrder,
  /** In the name. */
  search: z.string().optional(),
  simple: z.boolean().optional(),
  owned: z.boolean().optional(),
  membership: z.boolean().optional(),
  starred: z.boolean().optional(),
  statistics: z.boolean().optional(),
  with_issues_enabled: z.boolean().optional(),
  with_merge_requests_enabled: z.boolean().optional(),
  ...pageQuery,
}

export const projectList = {
  ...pageOf(project),
  anonymous: true,
  reduced: { by: 'simple', schema: z.array(simpleProject) },
} as const
