// Members of projects and groups.
import type { Api } from '../../api/index.ts'
import { findGroup, findProject, findProjectFor, groupLevel, maintainer, memberLevelIn, owner, projectLevel } from '../access.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { addMember } from '../members.ts'
import type { AccessLevel } from '../records.ts'
import { forbidden, notFound } from '../refusal.ts'
import { showMember } from '../show.ts'
import { unserved } from './unserved.ts'

export const projectMembers: Handlers<Api['projects']['members']> = {
  list({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    return pageOf(world.members.where('source', `project:${project.id}`), params, (member) => showMember(world, member))
  },

  listAll: unserved,
  getDirect: unserved,

  get({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    const user = world.users.get(params.user_id)
    const level = user === undefined ? 0 : memberLevelIn(world, user, project)
    if (user === undefined || level === 0) throw notFound()
    return showMember(world, { user_id: user.id, access_level: level as AccessLevel, expires_at: null })
  },

  add({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    if (params.access_level > projectLevel(world, caller, project)) throw forbidden()
    if (world.users.get(params.user_id) === undefined) throw notFound('User')
    const { user_id, access_level } = params
    const expires_at = params.expires_at || null
    return showMember(world, addMember(world, { source: 'project', source_id: project.id, user_id, access_level, expires_at }))
  },

  update: unserved,
  remove: unserved,
}

export const groupMembers: Handlers<Api['groups']['members']> = {
  list({ params, caller, world }) {
    const group = findGroup(world, caller, params.id)
    return pageOf(world.members.where('source', `group:${group.id}`), params, (member) => showMember(world, member))
  },

  listAll: unserved,
  getDirect: unserved,
  get: unserved,

  add({ params, caller, world }) {
    const group = findGroup(world, caller, params.id)
    if (groupLevel(world, caller, group) < owner) throw forbidden()
    if (world.users.get(params.user_id) === undefined) throw notFound('User')
    const { user_id, access_level } = params
    const expires_at = params.expires_at || null
    return showMember(world, addMember(world, { source: 'group', source_id: group.id, user_id, access_level, expires_at }))
  },

  update: unserved,
  remove: unserved,
}
