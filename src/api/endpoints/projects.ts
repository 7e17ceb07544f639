// Projects.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
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
import {
  accessLevel,
  count,
  customAttributes,
  date,
  id,
  idOrPath,
  name,
  pageQuery,
  refName,
  sort,
  visibility,
} from '../schemas/scalars.ts'
import { resourceAccessToken, userSummary } from '../schemas/user.ts'
import { hooks } from './hooks.ts'
import { projectMembers } from './members.ts'
import { protectedBranches } from './protected-branches.ts'

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
  ...pageQuery,
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
  ...pageOf(project),
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
  /** An image; sent as multipart. */
  avatar: z.file().optional(),
  ci_config_path: z.string().max(255).optional(),
  /** Administrators only. */
  repository_storage: z.string().max(255).optional(),
  approvals_before_merge: count.optional(),
}
const toggle = { responses: { 201: project, 304: z.null() } } as const

const projectAccessTokens = {
  create: endpoint('POST', '/projects/:id/access_tokens', {
    doc: 'Make an access token of a project, with a bot user who is its member.',
    body: {
      name,
      scopes: z.array(z.string()).min(1),
      expires_at: z.string().optional(),
      access_level: accessLevel.default(40),
    },
    responses: { 201: resourceAccessToken },
  }),
}

const approvalsPath = '/projects/:id/approvals'
const fields = {
  approvals_before_merge: count,
  /** A push to the source branch withdraws all approvals. */
  reset_approvals_on_push: z.boolean(),
}
const premiumOnly = { 404: 'not of this tier' }

const approvalSettings = {
  get: endpoint('GET', approvalsPath, {
    doc: 'How approvals count in the project; Premium.',
    responses: { 200: z.object(fields) },
    errors: premiumOnly,
  }),
  update: endpoint('POST', approvalsPath, {
    doc: 'Edit how approvals count in the project; Premium.',
    body: z.object(fields).partial().shape,
    needsOneOf: true,
    responses: { 201: z.object(fields) },
    errors: premiumOnly,
  }),
}

const pushRulePath = '/projects/:id/push_rule'
const limits = z.object(pushLimits).partial().shape

const pushRule = {
  get: endpoint('GET', pushRulePath, {
    doc: 'The push rule.',
    responses: { 200: pushRuleSchema },
  }),
  create: endpoint('POST', pushRulePath, {
    doc: 'Add a push rule.',
    body: limits,
    responses: { 201: pushRuleSchema },
    errors: { 422: 'the project has one' },
  }),
  update: endpoint('PUT', pushRulePath, {
    doc: 'Edit the push rule.',
    body: limits,
    needsOneOf: true,
    responses: { 200: pushRuleSchema },
  }),
  delete: endpoint('DELETE', pushRulePath, {
    doc: 'Remove the push rule; idempotent.',
    responses: { 204: z.null() },
  }),
}

export const projects = {
  list: endpoint('GET', '/projects', {
    doc: 'List visible projects; search by name.',
    query: { ...projectFilters, custom_attributes: customAttributes.optional() },
    ...projectList,
  }),
  ofUser: endpoint('GET', '/users/:user_id/projects', {
    doc: 'List a user’s visible projects, by id or user name.',
    pathParams: { user_id: idOrPath },
    query: projectFilters,
    ...projectList,
  }),
  get: endpoint('GET', '/projects/:id', {
    doc: 'A single project.',
    query: { statistics: z.boolean().optional() },
    responses: { 200: project },
    anonymous: true,
  }),
  users: endpoint('GET', '/projects/:id/users', {
    doc: 'Users of a project.',
    query: { search: z.string().optional(), ...pageQuery },
    ...pageOf(userSummary),
  }),
  create: endpoint('POST', '/projects', {
    doc: 'Create a project; `name` or `path` is required, each is derived from the other.',
    body: { name: name.optional(), default_branch: refName.optional(), ...settings, ...forCreation },
    responses: { 201: project },
  }),
  createForUser: endpoint('POST', '/projects/user/:user_id', {
    doc: 'Create a project for a user; administrators only.',
    body: { name, ...settings, ...forCreation },
    responses: { 201: project },
  }),
  update: endpoint('PUT', '/projects/:id', {
    doc: 'Edit.',
    body: { name: name.optional(), default_branch: refName.optional(), ...settings },
    alwaysSent: ['name'],
    responses: { 200: project },
  }),
  delete: endpoint('DELETE', '/projects/:id', {
    doc: 'Remove a project with all that belongs to it.',
    responses: { 202: message },
  }),
  fork: endpoint('POST', '/projects/:id/fork', {
    doc: 'Fork, in the background: `import_status` of the new project tells.',
    body: { namespace: idOrPath },
    responses: { 201: project },
    errors: { 409: 'the name or path is taken there' },
  }),
  forks: endpoint('GET', '/projects/:id/forks', {
    doc: 'List forks that the caller can see.',
    query: projectFilters,
    ...projectList,
  }),
  star: endpoint('POST', '/projects/:id/star', {
    doc: 'Star; 304 when starred.',
    ...toggle,
  }),
  unstar: endpoint('POST', '/projects/:id/unstar', {
    doc: 'Unstar; 304 when not starred.',
    ...toggle,
  }),
  archive: endpoint('POST', '/projects/:id/archive', {
    doc: 'Archive; idempotent; administrators and owners.',
    responses: { 201: project },
  }),
  unarchive: endpoint('POST', '/projects/:id/unarchive', {
    doc: 'Unarchive; idempotent; administrators and owners.',
    responses: { 201: project },
  }),
  upload: endpoint('POST', '/projects/:id/uploads', {
    doc: 'Upload a file for descriptions and comments, as multipart/form-data.',
    body: { file: z.file() },
    responses: { 201: upload },
  }),
  share: endpoint('POST', '/projects/:id/share', {
    doc: 'Share with a group.',
    body: { group_id: id, group_access: accessLevel, expires_at: z.union([date, z.literal('')]).optional() },
    responses: { 201: shareLink },
  }),
  unshare: endpoint('DELETE', '/projects/:id/share/:group_id', {
    doc: 'Unshare.',
    responses: { 204: z.null() },
  }),
  hooks,
  createForkRelation: endpoint('POST', '/projects/:id/fork/:forked_from_id', {
    doc: 'Create a fork relation; administrators only.',
    pathParams: { forked_from_id: idOrPath },
    responses: { 201: project },
  }),
  deleteForkRelation: endpoint('DELETE', '/projects/:id/fork', {
    doc: 'Delete the fork relation; administrators only.',
    responses: { 204: z.null(), 304: z.null() },
  }),
  housekeeping: endpoint('POST', '/projects/:id/housekeeping', {
    doc: 'Start the housekeeping task; real installations answer 409 while one runs.',
    means: { 409: 'already' },
    responses: { 201: message },
  }),
  pushRule,
  protectedBranches,
  approvalSettings,
  mirrorPull: endpoint('POST', '/projects/:id/mirror/pull', {
    doc: 'Start pull mirroring.',
    responses: { 200: message },
  }),
  members: projectMembers,
  accessTokens: projectAccessTokens,
}
