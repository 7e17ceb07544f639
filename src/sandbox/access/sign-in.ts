// Authentication: a personal token as PRIVATE-TOKEN or Bearer, an OAuth token as Bearer, both as git's Basic password.
import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint } from '../../api/endpoint.ts'
import { insufficientScope, orNotFound, refuse } from '../http/error-response.ts'
import type { Token, User } from '../records/records.ts'
import { type State, tokenDigest } from '../storage/world.ts'
import { hasEnded } from './expiry.ts'

/** null: no token. `refused`: unknown token. `insufficient`: the token lacks a scope. */
type Caller = User | null | 'refused' | 'insufficient'

/** Accepts a token with one of the scopes. */
export function signIn(world: State, headers: IncomingHttpHeaders, scopes: readonly string[]): Caller {
  // No job runs here, so no job token is right.
  const names = ['private-token', 'job-token'] as const
  const isGiven = names.some((name) => headers[name] !== undefined) || bearerOf(headers) !== undefined
  return isGiven ? ownerOf(world, usedToken(world, headers), scopes) : null
}

/** The token that signs a call in; undefined without a valid one. OAuth comes first. */
export function usedToken(world: State, headers: IncomingHttpHeaders): Token | undefined {
  const bearer = bearerOf(headers)
  const ofBearer = bearer === undefined ? undefined : findToken(world, bearer)
  const given = headers['private-token']
  if (ofBearer?.oauth === true || given === undefined) return ofBearer
  const token = findToken(world, String(given))
  return token?.oauth === true ? undefined : token
}

function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]
}

/**
 * The user that `wanted` names, by id or user name: administrators act as anybody with a token of the scope `sudo`.
 * Throws 403 and 404.
 */
export function actingAs(world: State, caller: User, token: Token | undefined, wanted: string): User {
  if (!caller.is_admin) throw refuse(403, '403 Forbidden - Must be admin to use sudo')
  if (token?.scopes.includes('sudo') !== true) throw insufficientScope(['sudo'])
  const user = /^\d+$/.test(wanted)
    ? world.users.get(Number(wanted))
    : world.users.first('username', wanted.toLowerCase())
  return orNotFound(user, `User with ID or username '${wanted}'`)
}

/** Accepts any user name with a token. */
export function signInGit(world: State, headers: IncomingHttpHeaders, service: 'git-upload-pack' | 'git-receive-pack') {
  const scopes =
    service === 'git-upload-pack' ? ['api', 'read_repository', 'write_repository'] : ['api', 'write_repository']
  const basic = /^Basic\s+(.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic === undefined) return signIn(world, headers, scopes)
  const pair = Buffer.from(basic, 'base64').toString()
  return ownerOf(world, findToken(world, pair.slice(pair.indexOf(':') + 1)), scopes)
}

/** The scopes of which a call needs one. */
export function scopesFor({ method, path }: Pick<Endpoint, 'method' | 'path'>): readonly string[] {
  if (path === '/personal_access_tokens/self/rotate') return ['api', 'self_rotate']
  if (method !== 'GET') return ['api']
  if (path === '/personal_access_tokens/self') return ['api', 'read_api', 'read_user', 'self_rotate']
  if (path === '/user') return ['api', 'read_api', 'read_user']
  return path.startsWith('/projects/:id/repository/files/')
    ? ['api', 'read_api', 'read_repository']
    : ['api', 'read_api']
}

function ownerOf(world: State, token: Token | undefined, scopes: readonly string[]): Caller {
  const user = world.users.get(token?.user_id)
  if (token === undefined || user === undefined) return 'refused'
  return scopes.some((scope) => token.scopes.includes(scope)) ? user : 'insufficient'
}

function findToken(world: State, text: string): Token | undefined {
  const [token] = world.tokens.where('digest', tokenDigest(text))
  return token === undefined || hasEnded(token) ? undefined : token
}
