// Users and their tokens.
import type { Api } from '../../api/index.ts'
import { checkPath, isPathTaken } from '../access/namespaces.ts'
import { addUser, expiryOf, makeToken, showToken, weekInDays, yearInDays } from '../access/tokens.ts'
import { forbidden, invalid, orNotFound, refuse, unauthorized } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { version as ourVersion, revision } from '../installation.ts'
import { pick } from '../records/fields.ts'
import type { User } from '../records/records.ts'
import { matchesUser, showUser } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

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
    return showUser(world, findUser(world, params.user_id), caller)
  },

  status: ({ params, world }) => showStatus(findUser(world, params.user_id)),

  setStatus({ params, caller, world }) {
    const { emoji, message = null, availability = 'not_set' } = params
    // A message or "busy" without an emoji gets a balloon.
    const shown = emoji ?? (message === null && availability === 'not_set' ? null : 'speech_balloon')
    return showStatus(world.users.update(caller.id, { status: { emoji: shown, message, availability } }))
  },

  create({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    checkPath('username', params.username)
    if (!/^[^@\s]+@[^@\s]+$/.test(params.email)) throw invalid('email', 'is invalid')
    if (isPathTaken(world, params.username)) throw refuse(409, 'Username has already been taken')
    const taken = world.users.all().some((user) => user.email.toLowerCase() === params.email.toLowerCase())
    if (taken) throw refuse(409, 'Email has already been taken')
    const given = pick(params, 'username', 'name', 'email', 'bot', 'can_create_group')
    return showUser(world, addUser(world, { ...given, is_admin: false }), caller)
  },

  createToken({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    const { user_id, name, scopes, oauth } = params
    findUser(world, user_id)
    const expires_at = expiryOf(params.expires_at, yearInDays)
    return makeToken(world, { user_id, name, scopes, expires_at, ...(oauth === true && { oauth }) })
  },

  currentToken({ token }) {
    if (token === undefined) throw unauthorized()
    if (token.oauth === true)
      throw refuse(400, '400 Bad request - This endpoint requires token type to be a personal access token')
    return showToken(token)
  },

  rotateCurrentToken({ params, token, world }) {
    if (token?.oauth === true) throw refuse(405, '405 Method Not Allowed')
    const expires_at = expiryOf(params.expires_at, weekInDays)
    // The second of two calls at once finds the token gone.
    if (token === undefined || world.tokens.get(token.id) === undefined) throw unauthorized()
    world.tokens.remove(token.id)
    const { user_id, name, scopes, project_id } = token
    return makeToken(world, { user_id, name, scopes, expires_at, project_id })
  },
}

export function findUser(world: World, id: number): User {
  return orNotFound(world.users.get(id), 'User')
}

function showStatus({ status }: User) {
  const { availability, ...shown } = status ?? { emoji: null, message: null, availability: 'not_set' as const }
  return { ...shown, availability, clear_status_at: null }
}

export const version: Handlers<Api>['version'] = () => ({ version: ourVersion, revision })
