// Web hooks of a project, of a group and of the installation (GitLab's API pages).
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
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

function hooksOf<const Kind extends 'projects' | 'groups', H extends z.ZodType>(kind: Kind, called: string, shown: H) {
  return {
    list: endpoint('GET', `/${kind}/:id/hooks`, {
      doc: `List the hooks of ${called}.`,
      pathParams: { id: idOrPath },
      query: pageQuery,
      ...pageOf(shown),
    }),
    get: endpoint('GET', `/${kind}/:id/hooks/:hook_id`, {
      doc: `One hook of ${called}.`,
      pathParams,
      responses: { 200: shown },
    }),
    create: endpoint('POST', `/${kind}/:id/hooks`, {
      doc: `Add a hook of ${called}.`,
      pathParams: { id: idOrPath },
      body,
      responses: { 201: shown },
    }),
    update: endpoint('PUT', `/${kind}/:id/hooks/:hook_id`, {
      doc: `Edit a hook of ${called}; without \`token\` the old one stays.`,
      pathParams,
      body,
      responses: { 200: shown },
    }),
  }
}

export const hooks = {
  ...hooksOf('projects', 'a project', hook),
  delete: endpoint('DELETE', '/projects/:id/hooks/:hook_id', {
    doc: 'Remove a hook; idempotent.',
    pathParams,
    responses: { 200: hook, 204: z.null() },
  }),
  events: endpoint('GET', '/projects/:id/hooks/:hook_id/events', {
    doc: 'What became of the hook’s last deliveries, newest first; not on the page, since 17.4.',
    pathParams,
    query: pageQuery,
    ...pageOf(hookDelivery),
  }),
}

/** Premium, for owners; 404 on Free. */
export const groupHooks = {
  ...hooksOf('groups', 'a group, for all its projects (Premium)', groupHook),
  delete: endpoint('DELETE', '/groups/:id/hooks/:hook_id', {
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
  list: endpoint('GET', '/hooks', {
    doc: 'List the hooks of the installation (administrators).',
    query: pageQuery,
    ...pageOf(systemHook),
  }),
  create: endpoint('POST', '/hooks', {
    doc: 'Add a hook for all projects of the installation.',
    body: systemBody,
    responses: { 201: systemHook },
  }),
  update: endpoint('PUT', '/hooks/:hook_id', {
    doc: 'Edit a hook of the installation; without `token` the old one stays.',
    pathParams: { hook_id: id },
    body: systemBody,
    responses: { 200: systemHook },
  }),
  delete: endpoint('DELETE', '/hooks/:hook_id', {
    doc: 'Remove a hook of the installation.',
    pathParams: { hook_id: id },
    responses: { 204: z.null() },
  }),
}
