// Namespaces of users and groups, for those who may see them.
import type { Api } from '../../api/index.ts'
import { canSeeGroup, takesPartIn } from '../access/access.ts'
import { notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { contains } from '../records/filter.ts'
import { showNamespace } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

export const namespaces: Handlers<Api['namespaces']> = {
  list({ params, caller, world }) {
    const users = caller.is_admin ? world.users.all() : [caller]
    const groups = world.groups.all().filter((group) => caller.is_admin || takesPartIn(world, caller, group))
    const ids = [...users.map(({ namespace_id }) => namespace_id), ...groups.map(({ id }) => id)]
    const found = ids
      .map((id) => show(world, id))
      .filter(({ name, full_path }) => contains(`${name}\n${full_path}`, params.search ?? ''))
    return pageOf(found, params, (each) => each)
  },

  get({ params: { id }, caller, world }) {
    const path = String(id).toLowerCase()
    const user = typeof id === 'number' ? world.users.first('namespace', id) : world.users.first('username', path)
    const group = typeof id === 'number' ? world.groups.get(id) : world.groups.first('path', path)
    if (user !== undefined && (user.id === caller.id || caller.is_admin)) return show(world, user.namespace_id)
    if (group === undefined || !canSeeGroup(world, caller, group)) throw notFound('Namespace')
    return show(world, group.id)
  },
}

function show(world: World, id: number) {
  const { full_name, ...shown } = showNamespace(world, id)
  return shown
}
