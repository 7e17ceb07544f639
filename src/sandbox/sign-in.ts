// Who calls: a personal token as PRIVATE-TOKEN, as Bearer, or for git as the password of Basic (api-v4.md §5).
import type { IncomingHttpHeaders } from 'node:http'
import type { User } from './records.ts'
import { type State, tokenDigest } from './world.ts'

/** `refused` is a token that nobody has: never taken for nobody. */
export type Caller = User | null | 'refused'

/** The caller of an API request. */
export function signIn(world: State, headers: IncomingHttpHeaders): Caller {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]
  const token = headers['private-token'] ?? bearer
  return token === undefined ? null : findOwner(world, String(token))
}

/** The caller of a git request; any user name goes with a token. */
export function signInGit(world: State, headers: IncomingHttpHeaders): Caller {
  const basic = /^Basic\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic === undefined) return signIn(world, headers)
  const pair = Buffer.from(basic, 'base64').toString()
  return findOwner(world, pair.slice(pair.indexOf(':') + 1))
}

function findOwner(world: State, token: string): Caller {
  const [found] = world.tokens.where('digest', tokenDigest(token))
  return (found && world.users.get(found.user_id)) ?? 'refused'
}
