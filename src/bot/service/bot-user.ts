// The bot user (GET /user): asked once for each token, also by concurrent jobs.
import type { Client } from '../../client/create-client.ts'

interface Self {
  id: number
  username: string
}

/** Concurrent callers share one request; a failure (ServiceError) is not cached. */
export function createBotUserLookup(client: Pick<Client, 'users'>, token: () => string): () => Promise<Self> {
  let known: { of: string; self: Promise<Self> } | undefined
  async function ask() {
    const { id, username } = (await client.users.current({})).body
    if (id === undefined || username === undefined) throw new Error('GET /user does not say who the token belongs to')
    return { id, username }
  }
  return () => {
    const of = token()
    if (known?.of === of) return known.self
    const asked = { of, self: ask() }
    known = asked
    asked.self.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.self
  }
}
