// Finds the hook of a group or of the installation that serves a project without a hook of its own.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { type HookPlace, hookUrl, placeFor, type ShownHook } from './desired-hook.ts'
import { hookCalls } from './hook-calls.ts'
import { ourHooks } from './install.ts'

/** `hidden`: the token may not see every such hook. */
type ServedBy = { by: string } | { hidden: boolean }

/** `isOn` tells whether the service sends to a hook. Throws ServiceError, except for refusals. */
export async function servedBy(
  client: Client,
  place: HookPlace,
  path: string,
  isOn: (hook: ShownHook) => boolean,
): Promise<ServedBy> {
  // Such hooks exist only with a shared secret.
  if (place.tokens.length + place.signing.length === 0) return { hidden: false }
  const names = path.split('/').slice(0, -1)
  const groups = names.map((_, index) => names.slice(0, index + 1).join('/')).reverse()
  const owners = [
    ...groups.map((id) => ({ id, of: 'group' as const, name: id })),
    { id: 0, of: 'system' as const, name: 'the installation' },
  ]
  const shared = placeFor(place, { of: 'group' })
  let hidden = false
  for (const { name, ...owner } of owners) {
    try {
      const [hook] = await ourHooks(hookCalls(client, owner), { url: hookUrl(shared, 0) }, shared)
      if (hook !== undefined && isOn(hook)) return { by: name }
    } catch (error) {
      if (!(error instanceof ServiceError && error.kind === 'refused' && error.status !== 401)) throw error
      hidden = true
    }
  }
  return { hidden }
}
