// Members of projects and groups, in GitLab's shapes.
import * as z from 'zod'
import { endpoint, pageOf } from '../endpoint.ts'
import { accessLevel, date, id, pageQuery } from '../schemas/scalars.ts'
import { member } from '../schemas/user.ts'

const expires_at = z.union([date, z.literal('')]).optional()

function membersOf<const Kind extends 'projects' | 'groups'>(kind: Kind) {
  const query = { query: z.string().optional(), ...pageQuery }
  const list = { query, ...pageOf(member) }
  return {
    list: endpoint('GET', `/${kind}/:id/members`, { ...list, doc: 'Direct members.' }),
    listAll: endpoint('GET', `/${kind}/:id/members/all`, { ...list, doc: 'Members, inherited from groups included.' }),
    getDirect: endpoint('GET', `/${kind}/:id/members/:user_id`, {
      doc: 'One direct member.',
      responses: { 200: member },
    }),
    get: endpoint('GET', `/${kind}/:id/members/all/:user_id`, {
      doc: 'One member, inherited from groups included.',
      responses: { 200: member },
    }),
    add: endpoint('POST', `/${kind}/:id/members`, {
      doc: 'Add a member.',
      body: { user_id: id, access_level: accessLevel, expires_at },
      responses: { 201: member },
      errors: { 409: 'already a member' },
    }),
    update: endpoint('PUT', `/${kind}/:id/members/:user_id`, {
      doc: 'Change a member’s level or end.',
      body: { access_level: accessLevel, expires_at },
      responses: { 200: member },
    }),
    remove: endpoint('DELETE', `/${kind}/:id/members/:user_id`, {
      doc: 'Remove a member.',
      responses: { 204: z.null() },
    }),
  }
}

export const projectMembers = membersOf('projects')
export const groupMembers = membersOf('groups')
