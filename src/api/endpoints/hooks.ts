// Web hooks of a project (api-v4.md §4.3).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { hook, hookDelivery, newerHookEvents } from '../schemas/project.ts'
import { id, idOrPath, pageQuery } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath, hook_id: id }
const body = {
  url: z.string().min(1).max(2000),
  push_events: z.boolean().optional(),
  issues_events: z.boolean().optional(),
  merge_requests_events: z.boolean().optional(),
  tag_push_events: z.boolean().optional(),
  note_events: z.boolean().optional(),
  job_events: z.boolean().optional(),
  pipeline_events: z.boolean().optional(),
  /** Shown as `wiki_page_events`. */
  wiki_events: z.boolean().optional(),
  /** Since GitLab 13.5 (releases, deployments), 16.2 (emojis), 16.11 (access tokens) and 18.2 (milestones). */
  ...newerHookEvents,
  enable_ssl_verification: z.boolean().optional(),
  token: z.string().max(255).optional(),
  /** `whsec_…`; since 19.0 (hosting-service.md §1.2). */
  signing_token: z.string().max(255).optional(),
}

export const hooks = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks',
    doc: 'List hooks (api-v4.md §4.3).',
    pathParams: { id: idOrPath },
    query: pageQuery,
    responses: { 200: z.array(hook) },
    paged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks/:hook_id',
    doc: 'One hook (api-v4.md §4.3).',
    pathParams,
    responses: { 200: hook },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/hooks',
    doc: 'Add a hook (api-v4.md §4.3).',
    pathParams: { id: idOrPath },
    body,
    responses: { 201: hook },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/hooks/:hook_id',
    doc: 'Edit a hook; without `token` the old one stays.',
    pathParams,
    body,
    responses: { 200: hook },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/projects/:id/hooks/:hook_id',
    doc: 'Remove a hook; idempotent (api-v4.md §4.3).',
    pathParams,
    responses: { 200: hook, 204: z.null() },
  }),
  events: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks/:hook_id/events',
    doc: 'What became of the hook’s last deliveries, newest first; not on the page, since 17.4 (hosting-service.md §1.4).',
    pathParams,
    query: pageQuery,
    responses: { 200: z.array(hookDelivery) },
    paged: true,
  }),
}
