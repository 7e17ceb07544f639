// LDAP links of groups: stored and shown; the sandbox has no directory.
import type { Api } from '../../api/index.ts'
import { findGroupFor, owner } from '../access/access.ts'
import { notFound, refuse } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { requirePremium } from '../installation.ts'
import type { LdapLink, User } from '../records/records.ts'
import { nextNumber, type World } from '../storage/world.ts'

type Groups = Handlers<Api['groups']>

export const ldapLinks: Groups['ldapLinks'] = {
  create({ params, caller, world }) {
    requirePremium(world)
    const group = findGroupFor(world, caller, params.id, owner)
    const { cn, group_access, provider } = params
    const present = world.ldapLinks
      .where('group', group.id)
      .some((link) => link.cn === cn && link.provider === provider)
    if (present) throw refuse(409, 'Cn has already been taken')
    world.ldapLinks.add({ id: nextNumber(world, 'ldapLinks'), group_id: group.id, cn, group_access, provider })
    return { cn, group_access, provider }
  },

  delete({ params, caller, world }) {
    return removeLinks(world, caller, params.id, (link) => link.cn === params.cn)
  },

  deleteOfProvider({ params, caller, world }) {
    return removeLinks(world, caller, params.id, (link) => link.cn === params.cn && link.provider === params.provider)
  },
}

function removeLinks(world: World, caller: User, id: number | string, isMeant: (link: LdapLink) => boolean) {
  requirePremium(world)
  const group = findGroupFor(world, caller, id, owner)
  const found = world.ldapLinks.where('group', group.id).filter(isMeant)
  if (found.length === 0) throw notFound('LDAP Group Link')
  for (const link of found) world.ldapLinks.remove(link.id)
  return null
}

export const ldapSync: Groups['ldapSync'] = ({ params, caller, world }) => {
  requirePremium(world)
  const group = findGroupFor(world, caller, params.id, owner)
  const links = world.ldapLinks.where('group', group.id).length
  const kept = links === 1 ? 'the 1 link of this group is' : `the ${links} links of this group are`
  return {
    message: `202 Accepted - there is no directory behind this sandbox: ${kept} kept, and nobody was added or removed`,
  }
}
