// Projects and their protected branches.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  mergeSettings,
  message,
  project,
  projectSwitches,
  pushLimits,
  pushRule as pushRuleSchema,
  shareLink,
  simpleProject,
  upload,
} from '../schemas/project.ts'
import { protectedBranch, pushEvent } from '../schemas/repository.ts'
import {
  accessLevel,
  avatar,
  count,
  customAttributes,
  date,
  id,
  idOrPath,
  name,
  refName,
  sort,
  visibility,
} from '../schemas/scalars.ts'
import { resourceAccessToken, userSummary } from '../schemas/user.ts'
import { hooks } from './hooks.ts'
import { projectMembers } from './members.ts'

const path = '/projects/:id/protected_branches'
/** Nobody 0, developer 30, maintainer 40, administrator 60. */
const level = z.literal([0, 30, 40, 60])
/** Each entry names one of the three. */
const list = z
  .array(z.object({ access_level: level.optional(), user_id: id.optional(), group_id: id.optional() }))
  .max(100)
  .optional()

const protectedBranches = {
  list: endpoint('GET', path, [protectedBranch], {
    doc: 'List protected branches; not on the page.',
    query: { search: z.string().max(255).optional() },
  }),
  create: endpoint('POST', path, protectedBranch, {
    doc: 'Protect a branch, or all that match a pattern such as `release/*`; not on the page.',
    body: {
      name: refName,
      /** Default: 40, unless a list says who may. */
      push_access_level: level.optional(),
      merge_access_level: level.optional(),
      allow_force_push: z.boolean().default(false),
      /** Premium, like the next; Free ignores both. */
      allowed_to_push: list,
      allowed_to_merge: list,
    },
    errors: { 409: 'the name is protected' },
  }),
  delete: endpoint('DELETE', `${path}/:name`, z.null(), {
    doc: 'Unprotect; not on the page.',
    pathParams: { name: refName },
  }),
}

/** The filters of GET /groups/:id/projects. */
export const groupProjectFilters = {
  archived: z.boolean().optional(),
  visibility: visibility.optional(),
  order_by: z.enum(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at']).default('created_at'),
  sort: sort.default('desc'),
  /** In the name. */
  search: z.string().optional(),
  simple: z.boolean().optional(),
  owned: z.boolean().optional(),
  starred: z.boolean().optional(),
}

/** The filters of GET /projects, /users/:user_id/projects and /projects/:id/forks. */
const projectFilters = {
  ...groupProjectFilters,
  membership: z.boolean().optional(),
  statistics: z.boolean().optional(),
  with_issues_enabled: z.boolean().optional(),
  with_merge_requests_enabled: z.boolean().optional(),
}

export const projectList = {
  anonymous: true,
  reduced: { by: 'simple', schema: z.array(simpleProject) },
} as const

const forCreation = {
  /** The parameter's spelling; the field is `printing_merge_requests_link_enabled`. */
  printing_merge_request_link_enabled: z.boolean().optional(),
  namespace_id: id.optional(),
}
const settings = {
  path: name.optional(),
  description: z.string().max(2000).optional(),
  ...z.object({ ...projectSwitches, ...mergeSettings }).partial().shape,
  visibility: visibility.optional(),
  import_url: z.string().max(2000).optional(),
  lfs_enabled: z.boolean().optional(),
  tag_list: z.array(z.string().max(255)).optional(),
  avatar: avatar.optional(),
  ci_config_path: z.string().max(255).optional(),
  /** Administrators only. */
  repository_storage: z.string().max(255).optional(),
  approvals_before_merge: count.optional(),
}
const toggled = { 201: project, 304: z.null() }
const unrelated = { 204: z.null(), 304: z.null() }

const approvalsPath = '/projects/:id/approvals'
const fields = {
  approvals_before_merge: count,
  /** A push to the source branch withdraws all approvals. */
  reset_approvals_on_push: z.boolean(),
}
const premiumOnly = { 404: 'not of this tier' }

const approvalSettings = {
  get: endpoint('GET', approvalsPath, z.object(fields), {
    doc: 'How approvals count in the project; Premium.',
    errors: premiumOnly,
  }),
  update: endpoint('POST', approvalsPath, z.object(fields), {
    doc: 'Edit how approvals count in the project; Premium.',
    body: z.object(fields).partial().shape,
    needsOneOf: true,
    errors: premiumOnly,
  }),
}

const events = {
  list: endpoint('GET', '/projects/:id/events', [pushEvent], {
    doc: 'Who pushed what, newest first; not on the page. Services forget it after some years.',
    query: {
      action: z.enum(['pushed']).optional(),
      /** Until the end of the day before, in UTC. */
      before: date.optional(),
      sort: sort.default('desc'),
    },
  }),
}

const pushRulePath = '/projects/:id/push_rule'
const limits = z.object(pushLimits).partial().shape

const pushRule = {
  get: endpoint('GET', pushRulePath, pushRuleSchema, { doc: 'The push rule.' }),
  create: endpoint('POST', pushRulePath, pushRuleSchema, {
    doc: 'Add a push rule.',
    body: limits,
    errors: { 422: 'the project has one' },
  }),
  update: endpoint('PUT', pushRulePath, pushRuleSchema, {
    doc: 'Edit the push rule.',
    body: limits,
    needsOneOf: true,
  }),
  delete: endpoint('DELETE', pushRulePath, z.null(), { doc: 'Remove the push rule; idempotent.' }),
}

export const projects = {
  list: endpoint('GET', '/projects', [project], {
    doc: 'List visible projects; search by name.',
    query: { ...projectFilters, custom_attributes: customAttributes.optional() },
    ...projectList,
  }),
  ofUser: endpoint('GET', '/users/:user_id/projects', [project], {
    doc: 'List a user’s visible projects, by id or user name.',
    pathParams: { user_id: idOrPath },
    query: projectFilters,
    ...projectList,
  }),
  get: endpoint('GET', '/projects/:id', project, {
    doc: 'A single project.',
    query: { statistics: z.boolean().optional() },
    anonymous: true,
  }),
  users: endpoint('GET', '/projects/:id/users', [userSummary], {
    doc: 'Users of a project.',
    query: { search: z.string().optional() },
  }),
  create: endpoint('POST', '/projects', project, {
    doc: 'Create a project; `name` or `path` is required, each is derived from the other.',
    body: { name: name.optional(), default_branch: refName.optional(), ...settings, ...forCreation },
  }),
  createForUser: endpoint('POST', '/projects/user/:user_id', project, {
    doc: 'Create a project for a user; administrators only.',
    body: { name, ...settings, ...forCreation },
  }),
  update: endpoint('PUT', '/projects/:id', project, {
    doc: 'Edit.',
    body: { name: name.optional(), default_branch: refName.optional(), ...settings },
    alwaysSent: ['name'],
  }),
  delete: endpoint('DELETE', '/projects/:id', message, {
    doc: 'Remove a project with all that belongs to it.',
    status: 202,
  }),
  fork: endpoint('POST', '/projects/:id/fork', project, {
    doc: 'Fork, in the background: `import_status` of the new project tells.',
    body: { namespace: idOrPath },
    errors: { 409: 'the name or path is taken there' },
  }),
  forks: endpoint('GET', '/projects/:id/forks', [project], {
    doc: 'List forks that the caller can see.',
    query: projectFilters,
    ...projectList,
  }),
  star: endpoint('POST', '/projects/:id/star', toggled, { doc: 'Star; 304 when starred.' }),
  unstar: endpoint('POST', '/projects/:id/unstar', toggled, { doc: 'Unstar; 304 when not starred.' }),
  archive: endpoint('POST', '/projects/:id/archive', project, {
    doc: 'Archive; idempotent; administrators and owners.',
  }),
  unarchive: endpoint('POST', '/projects/:id/unarchive', project, {
    doc: 'Unarchive; idempotent; administrators and owners.',
  }),
  upload: endpoint('POST', '/projects/:id/uploads', upload, {
    doc: 'Upload a file for descriptions and comments, as multipart/form-data.',
    body: { file: z.file() },
  }),
  share: endpoint('POST', '/projects/:id/share', shareLink, {
    doc: 'Share with a group.',
    body: { group_id: id, group_access: accessLevel, expires_at: z.union([date, z.literal('')]).optional() },
  }),
  unshare: endpoint('DELETE', '/projects/:id/share/:group_id', z.null(), { doc: 'Unshare.' }),
  hooks,
  events,
  createForkRelation: endpoint('POST', '/projects/:id/fork/:forked_from_id', project, {
    doc: 'Create a fork relation; administrators only.',
    pathParams: { forked_from_id: idOrPath },
  }),
  deleteForkRelation: endpoint('DELETE', '/projects/:id/fork', unrelated, {
    doc: 'Delete the fork relation; administrators only.',
  }),
  housekeeping: endpoint('POST', '/projects/:id/housekeeping', message, {
    doc: 'Start the housekeeping task; real installations answer 409 while one runs.',
    means: { 409: 'already' },
  }),
  pushRule,
  protectedBranches,
  approvalSettings,
  mirrorPull: endpoint('POST', '/projects/:id/mirror/pull', { 200: message }, { doc: 'Start pull mirroring.' }),
  members: projectMembers,
  accessTokens: {
    create: endpoint('POST', '/projects/:id/access_tokens', resourceAccessToken, {
      doc: 'Make an access token of a project, with a bot user who is its member.',
      body: {
        name,
        scopes: z.array(z.string()).min(1),
        expires_at: z.string().optional(),
        access_level: accessLevel.default(40),
      },
    }),
  },
}
