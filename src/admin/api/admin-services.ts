// Which hosting service an admin request is about.
import type { Json } from '../../rules/types.ts'
import type { AdminContext } from '../admin-context.ts'
import { type AdminRoute, type Reply, refuse } from './route.ts'

/** By the services' names in refs; never empty. */
export type AdminServices = ReadonlyMap<string, AdminContext>

/** The description of the parameter in the OpenAPI document. */
export const serviceParameter = 'The name of the hosting service; required if Bellhop works for several.'

/** The context of the service that the input names, or the only one, and the rest of the input; 400 if it is unclear. */
export function contextFor(
  services: AdminServices,
  { input: { shape }, anyService }: Pick<AdminRoute, 'input' | 'anyService'>,
  given: Record<string, Json>,
): { context: AdminContext; input: Record<string, Json> } | Reply {
  const { service, ...rest } = given
  const [first, ...others] = services.values()
  const isOnly = others.length === 0
  // A route that declares `service` reads it itself.
  if (first !== undefined && (anyService === true || (isOnly && 'service' in shape)))
    return { context: first, input: given }
  const named = typeof service === 'string' ? services.get(service) : undefined
  const found = isOnly && service === undefined ? first : named
  if (found !== undefined) return { context: found, input: rest }
  const unknown = typeof service === 'string' ? `There is no service ${JSON.stringify(service)}. ` : ''
  return refuse(
    400,
    `${unknown}Name one of the hosting services (service, or --service in a command): ${[...services.keys()].join(', ')}.`,
  )
}
