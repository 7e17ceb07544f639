// The bot user (GET /user): asked once for each token, also by concurrent jobs.
import { LRUCache } from 'lru-cache'
import type { Client } from '../../client/create-client.ts'

export interface BotUser {
  id: number
  username: string
}

/** Throws ServiceError. */
export type BotUserLookup = () => Promise<BotUser>

/** Concurrent callers share one request; a failure is not cached. */
export function createBotUserLookup(client: Pick<Client, 'users'>, token: () => string): BotUserLookup {
  const users = new LRUCache<string, BotUser>({
    max: 2,
    ignoreFetchAbort: true,
    async fetchMethod() {
      const { id, username } = (await client.users.current({})).body
      if (id === undefined || username === undefined) throw new Error('GET /user does not say who the token belongs to')
      return { id, username }
    },
  })
  return () => users.forceFetch(token())
}
