// The desks of all hosting services that this process works for, and which of them a request is about.
import type { Json } from '../rules/types.ts'
import type { Desk } from './desk.ts'
import { type AdminRoute, type Reply, refuse } from './route.ts'

/** By the services' names in refs; never empty. */
export type Desks = ReadonlyMap<string, Desk>

/** Said in the OpenAPI document of every operation. */
export const serviceParameter = 'The hosting service that is asked about, by its name: needed where Bellhop works for several.'

/** The desk of the service that the input names, or the only one, and the rest of the input; a refusal where that is not clear. */
export function deskFor(
  desks: Desks,
  { input: { shape }, ofAll }: Pick<AdminRoute, 'input' | 'ofAll'>,
  given: Record<string, Json>,
): { desk: Desk; input: Record<string, Json> } | Reply {
  const { service, ...rest } = given
  const [first, ...others] = desks.values()
  const isAlone = others.length === 0
  // What a route itself means by it, it says itself.
  if (first !== undefined && (ofAll === true || (isAlone && 'service' in shape))) return { desk: first, input: given }
  const found = isAlone && service === undefined ? first : typeof service === 'string' ? desks.get(service) : undefined
  if (found !== undefined) return { desk: found, input: rest }
  const unknown = typeof service === 'string' ? `There is no service ${JSON.stringify(service)}. ` : ''
  return refuse(400, `${unknown}Say by "service" which hosting service is meant (${[...desks.keys()].join(', ')}).`)
}
