// Who the bot is on the hosting service (GET /user): asked once for all jobs, which at a start may all want it at the same time.
import type { Client } from '../client/create-client.ts'

/** The user of the token. Whoever asks while a call is under way waits for its answer; a failed try (a ServiceError of the client) is not kept. */
export function rememberSelf(client: Pick<Client, 'users'>): () => Promise<{ id: number; username: string }> {
  let known: Promise<{ id: number; username: string }> | undefined
  async function ask() {
    const { id, username } = (await client.users.current({})).body
    if (id === undefined || username === undefined) throw new Error('GET /user does not say who the token belongs to')
    return { id, username }
  }
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}
