// Web hooks of a project, of a group and of the installation (GitLab's API pages).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { groupHook, hook, hookDelivery, newerHookEvents, systemHook } from '../schemas/project.ts'
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
  /** Since GitLab 16.2 (emojis), 16.11 (access tokens) and 18.2 (milestones). */
  ...newerHookEvents,
  confidential_issues_events: z.boolean().optional(),
  confidential_note_events: z.boolean().optional(),
  enable_ssl_verification: z.boolean().optional(),
  token: z.string().max(255).optional(),
  /** `whsec_…`; since 19.0. */
  signing_token: z.string().max(255).optional(),
}

export const hooks = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks',
    doc: 'List hooks.',
    pathParams: { id: idOrPath },
    query: pageQuery,
    responses: { 200: z.array(hook) },
    paged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks/:hook_id',
    doc: 'One hook.',
    pathParams,
    responses: { 200: hook },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/hooks',
    doc: 'Add a hook.',
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
    doc: 'Remove a hook; idempotent.',
    pathParams,
    responses: { 200: hook, 204: z.null() },
  }),
  events: endpoint({
    method: 'GET',
    path: '/projects/:id/hooks/:hook_id/events',
    doc: 'What became of the hook’s last deliveries, newest first; not on the page, since 17.4.',
    pathParams,
    query: pageQuery,
    responses: { 200: z.array(hookDelivery) },
    paged: true,
  }),
}

/** Premium; 404 on Free. */
export const groupHooks = {
  list: endpoint({
    method: 'GET',
    path: '/groups/:id/hooks',
    doc: 'List the hooks of a group (Premium, owners).',
    pathParams: { id: idOrPath },
    query: pageQuery,
    responses: { 200: z.array(groupHook) },
    paged: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/groups/:id/hooks/:hook_id',
    doc: 'One hook of a group.',
    pathParams,
    responses: { 200: groupHook },
  }),
  create: endpoint({
    method: 'POST',
    path: '/groups/:id/hooks',
    doc: 'Add a hook for all projects of a group and its subgroups.',
    pathParams: { id: idOrPath },
    body,
    responses: { 201: groupHook },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/groups/:id/hooks/:hook_id',
    doc: 'Edit a hook of a group; without `token` the old one stays.',
    pathParams,
    body,
    responses: { 200: groupHook },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/groups/:id/hooks/:hook_id',
    doc: 'Remove a hook of a group.',
    pathParams,
    responses: { 204: z.null() },
  }),
}

const systemBody = {
  url: body.url,
  push_events: body.push_events,
  tag_push_events: body.tag_push_events,
  merge_requests_events: body.merge_requests_events,
  enable_ssl_verification: body.enable_ssl_verification,
  token: body.token,
  signing_token: body.signing_token,
}

export const systemHooks = {
  list: endpoint({
    method: 'GET',
    path: '/hooks',
    doc: 'List the hooks of the installation (administrators).',
    query: pageQuery,
    responses: { 200: z.array(systemHook) },
    paged: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/hooks',
    doc: 'Add a hook for all projects of the installation.',
    body: systemBody,
    responses: { 201: systemHook },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/hooks/:hook_id',
    doc: 'Edit a hook of the installation; without `token` the old one stays.',
    pathParams: { hook_id: id },
    body: systemBody,
    responses: { 200: systemHook },
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/hooks/:hook_id',
    doc: 'Remove a hook of the installation.',
    pathParams: { hook_id: id },
    responses: { 204: z.null() },
  }),
}
