// Web hooks of a project, of a group and of the installation (GitLab's API pages).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { groupHook, hook, hookDelivery, hookEvents, systemHook } from '../schemas/project.ts'

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
    list: endpoint('GET', `/${kind}/:id/hooks`, [shown], { doc: `List the hooks of ${called}.` }),
    get: endpoint('GET', `/${kind}/:id/hooks/:hook_id`, shown, { doc: `One hook of ${called}.` }),
    create: endpoint('POST', `/${kind}/:id/hooks`, shown, {
      doc: `Add a hook of ${called}.`,
      body,
    }),
    update: endpoint('PUT', `/${kind}/:id/hooks/:hook_id`, shown, {
      doc: `Edit a hook of ${called}; without \`token\` the old one stays.`,
      body,
    }),
  }
}

const removed = { 200: hook, 204: z.null() }

export const hooks = {
  ...hooksOf('projects', 'a project', hook),
  delete: endpoint('DELETE', '/projects/:id/hooks/:hook_id', removed, { doc: 'Remove a hook; idempotent.' }),
  events: endpoint('GET', '/projects/:id/hooks/:hook_id/events', [hookDelivery], {
    doc: 'What became of the hook’s last deliveries, newest first; not on the page, since 17.4.',
  }),
}

/** Premium, for owners; 404 on Free. */
export const groupHooks = {
  ...hooksOf('groups', 'a group, for all its projects (Premium)', groupHook),
  delete: endpoint('DELETE', '/groups/:id/hooks/:hook_id', z.null(), { doc: 'Remove a hook of a group.' }),
}

const systemBody = z
  .object(body)
  .pick({ url: true, push_events: true, tag_push_events: true, merge_requests_events: true })
  .extend(z.object(body).pick({ enable_ssl_verification: true, token: true, signing_token: true }).shape).shape

export const systemHooks = {
  list: endpoint('GET', '/hooks', [systemHook], { doc: 'List the hooks of the installation (administrators).' }),
  create: endpoint('POST', '/hooks', systemHook, {
    doc: 'Add a hook for all projects of the installation.',
    body: systemBody,
  }),
  update: endpoint('PUT', '/hooks/:hook_id', systemHook, {
    doc: 'Edit a hook of the installation; without `token` the old one stays.',
    body: systemBody,
  }),
  delete: endpoint('DELETE', '/hooks/:hook_id', z.null(), { doc: 'Remove a hook of the installation.' }),
}
