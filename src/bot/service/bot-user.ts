// The bot user (GET /user): asked once for each token, also by concurrent jobs.
import { LRUCache } from 'lru-cache'
import type { Client } from '../../client/create-client.ts'

export interface BotUser {
  id: number
  username: string
  /** The address of its commits, as it chose; absent if the service does not say it. */
  commitEmail?: string
}

/** Throws ServiceError. */
export type BotUserLookup = () => Promise<BotUser>

/** Concurrent callers share one request; a failure is not cached. */
export function createBotUserLookup(client: Pick<Client, 'users'>, token: () => string): BotUserLookup {
  const users = new LRUCache<string, BotUser>({
    max: 2,
    ignoreFetchAbort: true,
    async fetchMethod() {
      const { id, username, commit_email: commitEmail } = (await client.users.current({})).body
      if (id === undefined || username === undefined) throw new Error('GET /user does not say who the token belongs to')
      return { id, username, ...(commitEmail ? { commitEmail } : {}) }
    },
  })
  return () => users.forceFetch(token())
}
