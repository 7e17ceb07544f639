// Projects, their hooks and members (api-v4.md §4.3).
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { hook, project } from '../schemas/project.ts'
import { accessLevel, id, idOrPath, name, pageQuery, visibility } from '../schemas/scalars.ts'
import { member } from '../schemas/user.ts'

const pathParams = { id: idOrPath }
const settings = {
  description: z.string().optional(),
  default_branch: z.string().optional(),
  visibility: visibility.optional(),
  only_allow_merge_if_pipeline_succeeds: z.boolean().optional(),
  only_allow_merge_if_all_discussions_are_resolved: z.boolean().optional(),
  approvals_before_merge: z.int().nonnegative().optional(),
  tag_list: z.array(z.string()).optional(),
}
const hookBody = {
  url: z.string().min(1).max(2000),
  push_events: z.boolean().optional(),
  issues_events: z.boolean().optional(),
  merge_requests_events: z.boolean().optional(),
  tag_push_events: z.boolean().optional(),
  note_events: z.boolean().optional(),
  job_events: z.boolean().optional(),
  pipeline_events: z.boolean().optional(),
  wiki_events: z.boolean().optional(),
  enable_ssl_verification: z.boolean().optional(),
  token: z.string().optional(),
}
const hookPath = { id: idOrPath, hook_id: id }

const hooks = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks',
    doc: 'List hooks (api-v4.md §4.3).',
    pathParams,
    query: pageQuery,
    answers: { 200: z.array(hook) },
    paged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks/:hook_id',
    doc: 'One hook (api-v4.md §4.3).',
    pathParams: hookPath,
    answers: { 200: hook },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/hooks',
    doc: 'Add a hook (api-v4.md §4.3).',
    pathParams,
    body: hookBody,
    answers: { 201: hook },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/hooks/:hook_id',
    doc: 'Edit a hook; without `token` the old one stays.',
    pathParams: hookPath,
    body: hookBody,
    answers: { 200: hook },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/projects/:id/hooks/:hook_id',
    doc: 'Remove a hook; idempotent (api-v4.md §4.3).',
    pathParams: hookPath,
    answers: { 200: hook, 204: z.null() },
  }),
}
const members = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/members',
    doc: 'Direct members of a project.',
    pathParams,
    query: pageQuery,
    answers: { 200: z.array(member) },
    paged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/:id/members/all/:user_id',
    doc: 'One member, inherited from groups included.',
    pathParams: { id: idOrPath, user_id: id },
    answers: { 200: member },
  }),
  add: endpoint({
    method: 'POST',
    path: '/projects/:id/members',
    doc: 'Add a member to a project.',
    pathParams,
    body: { user_id: id, access_level: accessLevel },
    answers: { 201: member },
  }),
}

export const projects = {
  list: endpoint({
    method: 'GET',
    path: '/projects',
    doc: 'List visible projects; search by name (api-v4.md §4.3).',
    query: { search: z.string().optional(), ...pageQuery },
    answers: { 200: z.array(project) },
    paged: true,
    anonymous: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/:id',
    doc: 'A single project (api-v4.md §4.3).',
    pathParams,
    answers: { 200: project },
    anonymous: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects',
    doc: 'Create a project; `name` or `path` is required, each is derived from the other (api-v4.md §4.3).',
    body: { name: name.optional(), path: name.optional(), namespace_id: id.optional(), ...settings },
    answers: { 201: project },
  }),
  hooks,
  members,
}
