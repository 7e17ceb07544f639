// Namespaces of users and groups, for those who may see them.
import type { Api } from '../../api/index.ts'
import { canSeeGroup } from '../access/access.ts'
import { notFound } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { showNamespace } from '../records/show-records.ts'

export const namespaces: Handlers<Api['namespaces']> = {
  get({ params: { id }, caller, world }) {
    const path = String(id).toLowerCase()
    const isId = typeof id === 'number'
    const user = isId ? world.users.first('namespace', id) : world.users.first('username', path)
    const group = isId ? world.groups.get(id) : world.groups.first('path', path)
    const isSeen =
      user === undefined ? group && canSeeGroup(world, caller, group) : user.id === caller.id || caller.is_admin
    if (isSeen !== true) throw notFound('Namespace')
    const { full_name, ...shown } = showNamespace(world, user?.namespace_id ?? group?.id ?? 0)
    return shown
  },
}
