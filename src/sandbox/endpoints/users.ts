// Users and their tokens (hosting-service.md §3.6).
import { randomBytes } from 'node:crypto'
import type { Api } from '../../api/index.ts'
import { checkExpiry, inDays } from '../access/expiry.ts'
import { checkPath, isPathTaken } from '../access/namespaces.ts'
import { forbidden, invalid, noSuchRoute, notFound, refuse, unauthorized } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { isSince, revision } from '../installation.ts'
import type { Token } from '../records/records.ts'
import { matchesUser, showUser } from '../records/show-records.ts'
import { nextNumber, now, tokenDigest, type World } from '../storage/world.ts'

/** All known scopes; only `api`, `read_api`, `read_user`, `self_rotate` and `*_repository` are enforced. */
const scopes = new Set([
  'api',
  'read_api',
  'read_user',
  'self_rotate',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'create_runner',
  'k8s_proxy',
  'ai_features',
  'sudo',
  'admin_mode',
])

export const users: Handlers<Api['users']> = {
  current: ({ caller, world }) => showUser(world, caller, caller),

  list({ params, caller, world }) {
    const found = (
      params.username === undefined ? world.users.all() : world.users.where('username', params.username.toLowerCase())
    )
      .filter((user) => matchesUser(user, params.search))
      .reverse()
    return pageOf(found, params, (user) => showUser(world, user, caller))
  },

  get({ params, caller, world }) {
    const user = world.users.get(params.user_id)
    if (user === undefined) throw notFound('User')
    return showUser(world, user, caller)
  },

  create({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    checkPath('username', params.username)
    if (!/^[^@\s]+@[^@\s]+$/.test(params.email)) throw invalid('email', 'is invalid')
    if (isPathTaken(world, params.username)) throw refuse(409, 'Username has already been taken')
    const taken = world.users.all().some((user) => user.email.toLowerCase() === params.email.toLowerCase())
    if (taken) throw refuse(409, 'Email has already been taken')
    const user = world.users.add({
      id: nextNumber(world, 'users'),
      namespace_id: nextNumber(world, 'namespaces'),
      username: params.username,
      name: params.name,
      email: params.email,
      state: 'active',
      bot: params.bot,
      is_admin: false,
      can_create_group: params.can_create_group,
      created_at: now(world),
    })
    return showUser(world, user, caller)
  },

  createToken({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    if (world.users.get(params.user_id) === undefined) throw notFound('User')
    if (params.scopes.some((scope) => !scopes.has(scope))) throw invalid('scopes', 'can only contain available scopes')
    const { user_id, name, scopes: given } = params
    const expires_at = expiryOf(params.expires_at, yearInDays)
    return makeToken(world, { user_id, name, scopes: given, expires_at, ...(params.oauth === true && { oauth: true }) })
  },

  currentToken({ token, world }) {
    if (!isSince(world, '15.5')) throw noSuchRoute()
    if (token === undefined) throw unauthorized()
    if (token.oauth === true) throw refuse(400, '400 Bad request - This endpoint requires token type to be a personal access token')
    return showToken(token)
  },

  rotateCurrentToken({ params, token, world }) {
    if (!isSince(world, '16.10')) throw noSuchRoute()
    if (token?.oauth === true) throw refuse(405, '405 Method Not Allowed')
    const expires_at = expiryOf(params.expires_at, weekInDays)
    // Of two calls at once, the second finds the token gone.
    if (token === undefined || world.tokens.get(token.id) === undefined) throw unauthorized()
    world.tokens.remove(token.id)
    const { user_id, name, scopes: kept } = token
    return makeToken(world, { user_id, name, scopes: kept, expires_at })
  },
}

// What GitLab gives to a new token, and to one that replaces another (hosting-service.md §3.6).
const yearInDays = 365
const weekInDays = 7

function expiryOf(given: string | undefined, otherwise: number): string {
  const date = checkExpiry(given) ?? inDays(otherwise)
  if (date > inDays(yearInDays)) throw invalid('expires_at', `must be before ${inDays(yearInDays + 1)}`)
  return date
}

function makeToken(world: World, given: Omit<Token, 'id' | 'digest' | 'created_at'>) {
  const token =
    given.oauth === true ? randomBytes(32).toString('hex') : `glpat-${randomBytes(20).toString('base64url')}`
  const id = nextNumber(world, 'tokens')
  return {
    ...showToken(world.tokens.add({ id, ...given, digest: tokenDigest(token), created_at: now(world) })),
    token,
  }
}

function showToken({ digest, oauth, ...shown }: Token) {
  return { ...shown, scopes: [...shown.scopes], expires_at: shown.expires_at ?? null, active: true, revoked: false }
}

export const version: Handlers<Api>['version'] = ({ world }) => ({ version: world.installation.version, revision })
