// Web hooks of a project, of a group and of the installation (GitLab's API pages).
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { groupHook, hook, hookDelivery, hookEvents, systemHook } from '../schemas/project.ts'
import { pageQuery } from '../schemas/scalars.ts'

const body = {
  url: z.string().min(1).max(2000),
  ...z.object(hookEvents).partial().shape,
  /** Shown as `wiki_page_events`. */
  wiki_events: z.boolean().optional(),
  enable_ssl_verification: z.boolean().optional(),
  token: z.string().max(255).optional(),
  /** `whsec_…`; since 19.0. */
  signing_token: z.string().max(255).optional(),
}

function hooksOf<const Kind extends 'projects' | 'groups', H extends z.ZodType>(kind: Kind, called: string, shown: H) {
  return {
    list: endpoint('GET', `/${kind}/:id/hooks`, {
      doc: `List the hooks of ${called}.`,
      query: pageQuery,
      ...pageOf(shown),
    }),
    get: endpoint('GET', `/${kind}/:id/hooks/:hook_id`, {
      doc: `One hook of ${called}.`,
      responses: { 200: shown },
    }),
    create: endpoint('POST', `/${kind}/:id/hooks`, {
      doc: `Add a hook of ${called}.`,
      body,
      responses: { 201: shown },
    }),
    update: endpoint('PUT', `/${kind}/:id/hooks/:hook_id`, {
      doc: `Edit a hook of ${called}; without \`token\` the old one stays.`,
      body,
      responses: { 200: shown },
    }),
  }
}

export const hooks = {
  ...hooksOf('projects', 'a project', hook),
  delete: endpoint('DELETE', '/projects/:id/hooks/:hook_id', {
    doc: 'Remove a hook; idempotent.',
    responses: { 200: hook, 204: z.null() },
  }),
  events: endpoint('GET', '/projects/:id/hooks/:hook_id/events', {
    doc: 'What became of the hook’s last deliveries, newest first; not on the page, since 17.4.',
    query: pageQuery,
    ...pageOf(hookDelivery),
  }),
}

/** Premium, for owners; 404 on Free. */
export const groupHooks = {
  ...hooksOf('groups', 'a group, for all its projects (Premium)', groupHook),
  delete: endpoint('DELETE', '/groups/:id/hooks/:hook_id', {
    doc: 'Remove a hook of a group.',
    responses: { 204: z.null() },
  }),
}

const systemBody = {
  url: body.url,
  ...z.object(hookEvents).pick({ push_events: true, tag_push_events: true, merge_requests_events: true }).partial()
    .shape,
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
    body: systemBody,
    responses: { 200: systemHook },
  }),
  delete: endpoint('DELETE', '/hooks/:hook_id', {
    doc: 'Remove a hook of the installation.',
    responses: { 204: z.null() },
  }),
}
