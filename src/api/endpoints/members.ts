// Members of projects and groups, in GitLab's shapes.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { accessLevel, date, id } from '../schemas/scalars.ts'
import { member } from '../schemas/user.ts'

const expires_at = z.union([date, z.literal('')]).optional()

function membersOf<const Kind extends 'projects' | 'groups'>(kind: Kind) {
  const query = { query: z.string().optional() }
  return {
    list: endpoint('GET', `/${kind}/:id/members`, [member], { query, doc: 'Direct members.' }),
    listAll: endpoint('GET', `/${kind}/:id/members/all`, [member], {
      query,
      doc: 'Members, inherited from groups included.',
    }),
    getDirect: endpoint('GET', `/${kind}/:id/members/:user_id`, member, { doc: 'One direct member.' }),
    get: endpoint('GET', `/${kind}/:id/members/all/:user_id`, member, {
      doc: 'One member, inherited from groups included.',
    }),
    add: endpoint('POST', `/${kind}/:id/members`, member, {
      doc: 'Add a member.',
      body: { user_id: id, access_level: accessLevel, expires_at },
      errors: { 409: 'already a member' },
    }),
    update: endpoint('PUT', `/${kind}/:id/members/:user_id`, member, {
      doc: 'Change a member’s level or end.',
      body: { access_level: accessLevel, expires_at },
    }),
    remove: endpoint('DELETE', `/${kind}/:id/members/:user_id`, z.null(), { doc: 'Remove a member.' }),
  }
}

export const projectMembers = membersOf('projects')
export const groupMembers = membersOf('groups')
