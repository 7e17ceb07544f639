// Whether the bot's token may write: tried on a project that cannot be there, as services of every age can be asked so (hosting-service.md §3.6).
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'

export interface TokenScope {
  is: 'fine' | 'too narrow' | 'unknown'
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
    if (error.status === 403) return { is: 'too narrow', reason: error.serviceMessage ?? '403' }
    return { is: 'unknown', reason: error.message }
  }
}

const believedMs = 10 * 60_000

/**
 * What was found out last, at once; asked anew behind it where that was ten minutes ago, or the token is another one. Unknown until the first
 * answer is there, and while the service does not tell.
 */
export function createTokenScope(given: {
  client: Pick<Client, 'projects'>
  token: () => string
  now: () => number
}): () => TokenScope {
  const { client, token, now } = given
  let known: { of: string; at: number; scope: TokenScope } | undefined
  return () => {
    const of = token()
    if (known?.of !== of || now() - known.at >= believedMs) {
      const asked = { of, at: now(), scope: known?.of === of ? known.scope : ({ is: 'unknown' } as const) }
      known = asked
      askTokenScope(client).then(
        (scope) => {
          if (known === asked) known = { ...asked, scope }
        },
        (error: unknown) => {
          if (known === asked) known = { ...asked, scope: { is: 'unknown', reason: String(error) } }
        },
      )
    }
    return known.scope
  }
}
