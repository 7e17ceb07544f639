// Who the bot is on the hosting service (GET /user): asked once for all jobs, which at a start may all want it at the same time, and again of a new token.
import type { Client } from '../client/create-client.ts'

interface Self {
  id: number
  username: string
}

/**
 * The user of the token, which `token` gives as it is now. Whoever asks while a call is under way waits for its answer; a failed try (a
 * ServiceError of the client) is not kept.
 */
export function rememberSelf(client: Pick<Client, 'users'>, token: () => string): () => Promise<Self> {
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
