// Users and their tokens (hosting-service.md §3.6).
import { randomBytes } from 'node:crypto'
import type { Api } from '../../api/index.ts'
import { checkPath, isPathTaken } from '../access/namespaces.ts'
import { forbidden, invalid, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { revision } from '../installation.ts'
import { matchesUser, showUser } from '../records/show-records.ts'
import { nextNumber, now, tokenDigest } from '../storage/world.ts'

/** All known scopes; only `api`, `read_api`, `read_user` and `*_repository` are enforced. */
const scopes = new Set([
  'api',
  'read_api',
  'read_user',
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
    const token = `glpat-${randomBytes(20).toString('base64url')}`
    const { digest, ...shown } = world.tokens.add({
      id: nextNumber(world, 'tokens'),
      user_id: params.user_id,
      name: params.name,
      scopes: params.scopes,
      digest: tokenDigest(token),
      created_at: now(world),
    })
    return { ...shown, scopes: [...shown.scopes], expires_at: null, active: true, revoked: false, token }
  },
}

export const version: Handlers<Api>['version'] = ({ world }) => ({ version: world.installation.version, revision })
