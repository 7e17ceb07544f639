// Namespaces of projects.
import { developer, groupLevel } from '../access/access.ts'
import { isPathTaken } from '../access/namespaces.ts'
import { ErrorResponse, notFound } from '../http/error-response.ts'
import type { Project, User } from '../records/records.ts'
import { showNamespace } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

/** The id of a namespace where the user may create projects: their own, a group's from Developer, any for admins. */
export function findNamespace(world: World, user: User, wanted: number | string): number | undefined {
  const id = typeof wanted === 'number' ? wanted : namespaceAt(world, wanted)
  if (id === undefined || id === user.namespace_id) return id
  const group = world.groups.get(id)
  if (group !== undefined) return groupLevel(world, user, group) >= developer ? id : undefined
  return user.is_admin && world.users.first('namespace', id) !== undefined ? id : undefined
}

function namespaceAt(world: World, path: string) {
  const key = path.toLowerCase()
  return world.groups.first('path', key)?.id ?? world.users.first('username', key)?.namespace_id
}

export type ProjectPlace = Pick<Project, 'namespace_id' | 'name' | 'path'>

export function pathIn(world: World, { namespace_id, path }: Pick<ProjectPlace, 'namespace_id' | 'path'>): string {
  return `${showNamespace(world, namespace_id).full_path}/${path}`
}

/** Paths ignore case. Throws 404 when the namespace is gone. */
export function refuseTaken(world: World, place: ProjectPlace, { status = 400, self = 0 } = {}): void {
  const { namespace_id } = place
  const namespace = world.groups.get(namespace_id) ?? world.users.first('namespace', namespace_id)
  if (namespace === undefined) throw notFound('Namespace')
  const others = world.projects.where('namespace', namespace_id).filter(({ id }) => id !== self)
  const full = pathIn(world, place)
  const own = world.projects.get(self)?.path_with_namespace.toLowerCase() === full.toLowerCase()
  const taken = ['has already been taken']
  const message = {
    ...(others.some(({ name }) => name === place.name) && { name: taken }),
    ...(!own && isPathTaken(world, full) && { path: taken }),
  }
  if (Object.keys(message).length > 0) throw new ErrorResponse(status, { message })
}
