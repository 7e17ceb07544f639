// Groups (api-v4.md §4.1).
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { group } from '../schemas/group.ts'
import { accessLevel, id, idOrPath, name, pageQuery, visibility } from '../schemas/scalars.ts'
import { member } from '../schemas/user.ts'

const pathParams = { id: idOrPath }
const members = {
  list: endpoint({
    method: 'GET',
    path: '/groups/:id/members',
    doc: 'Direct members of a group.',
    pathParams,
    query: pageQuery,
    answers: { 200: z.array(member) },
    paged: true,
  }),
  add: endpoint({
    method: 'POST',
    path: '/groups/:id/members',
    doc: 'Add a member to a group.',
    pathParams,
    body: { user_id: id, access_level: accessLevel },
    answers: { 201: member },
  }),
}

export const groups = {
  list: endpoint({
    method: 'GET',
    path: '/groups',
    doc: 'List visible groups (api-v4.md §4.1).',
    query: {
      search: z.string().optional(),
      order_by: z.enum(['name', 'path']).default('name'),
      sort: z.enum(['asc', 'desc']).default('asc'),
      ...pageQuery,
    },
    answers: { 200: z.array(group) },
    paged: true,
    anonymous: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/groups/:id',
    doc: 'Group details (api-v4.md §4.1).',
    pathParams,
    answers: { 200: group },
    anonymous: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/groups',
    doc: 'Create a group (api-v4.md §4.1).',
    body: {
      name,
      path: name,
      description: z.string().optional(),
      visibility: visibility.optional(),
      lfs_enabled: z.boolean().optional(),
      request_access_enabled: z.boolean().optional(),
      parent_id: id.optional(),
    },
    answers: { 201: group },
  }),
  members,
}
