// Whether the bot's token may write: tried on a project that cannot exist.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'

export interface TokenScope {
  is: 'fine' | 'too_narrow' | 'unknown'
  /** The service's words. */
  reason?: string
}

/** Changes nothing. Throws what is no ServiceError. */
export async function askTokenScope(client: Pick<Client, 'projects'>): Promise<TokenScope> {
  try {
    await client.projects.star({ id: 'bellhop-doctor/there-is-no-such-project' })
    return { is: 'fine' }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.status === 404) return { is: 'fine' }
    if (error.status === 403) return { is: 'too_narrow', reason: error.serviceMessage ?? '403' }
    return { is: 'unknown', reason: error.message }
  }
}

const trustedForMs = 10 * 60_000

/** Returns the last result at once; reads again in the background after ten minutes, or for another token. */
export function createTokenScope(given: {
  client: Pick<Client, 'projects'>
  token: () => string
  now: () => number
}): () => TokenScope {
  const { client, token, now } = given
  let known: { of: string; at: number; scope: TokenScope } | undefined
  return () => {
    const of = token()
    if (known?.of !== of || now() - known.at >= trustedForMs) {
      const lookup = { of, at: now(), scope: known?.of === of ? known.scope : ({ is: 'unknown' } as const) }
      known = lookup
      askTokenScope(client).then(
        (scope) => {
          if (known === lookup) known = { ...lookup, scope }
        },
        (error: unknown) => {
          if (known === lookup) known = { ...lookup, scope: { is: 'unknown', reason: String(error) } }
        },
      )
    }
    return known.scope
  }
}
