// Who calls: a personal token as PRIVATE-TOKEN, as Bearer, or for git as the password of Basic (api-v4.md §5).
import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint } from '../api/endpoint.ts'
import type { User } from './records.ts'
import { type State, tokenDigest } from './world.ts'

/** `refused` is a token that nobody has: never taken for nobody. `insufficient`: its scopes do not suffice (hosting-service.md §3.6). */
export type Caller = User | null | 'refused' | 'insufficient'

/** The caller of an API request, whose token has one of the scopes. */
export function signIn(world: State, headers: IncomingHttpHeaders, scopes: readonly string[]): Caller {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]
  const token = headers['private-token'] ?? bearer
  return token === undefined ? null : findOwner(world, String(token), scopes)
}

/** The caller of a git request; any user name goes with a token. */
export function signInGit(world: State, headers: IncomingHttpHeaders, service: 'git-upload-pack' | 'git-receive-pack'): Caller {
  const scopes = service === 'git-upload-pack' ? ['api', 'read_repository', 'write_repository'] : ['api', 'write_repository']
  const basic = /^Basic\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic === undefined) return signIn(world, headers, scopes)
  const pair = Buffer.from(basic, 'base64').toString()
  return findOwner(world, pair.slice(pair.indexOf(':') + 1), scopes)
}

/** The scopes of which a call needs one. */
export function scopesFor({ method, path }: Pick<Endpoint, 'method' | 'path'>): readonly string[] {
  if (method !== 'GET') return ['api']
  if (path === '/user') return ['api', 'read_api', 'read_user']
  return path.startsWith('/projects/:id/repository/files/') ? ['api', 'read_api', 'read_repository'] : ['api', 'read_api']
}

function findOwner(world: State, text: string, scopes: readonly string[]): Caller {
  const [token] = world.tokens.where('digest', tokenDigest(text))
  const user = token === undefined ? undefined : world.users.get(token.user_id)
  if (token === undefined || user === undefined) return 'refused'
  return scopes.some((scope) => token.scopes.includes(scope)) ? user : 'insufficient'
}
