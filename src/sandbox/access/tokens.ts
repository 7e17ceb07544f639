// Tokens of users and projects: how they are made and shown, and the warning before they expire.
import { randomBytes } from 'node:crypto'
import { sendExpiringToken } from '../hooks/resources.ts'
import { invalid } from '../http/error-response.ts'
import type { Token, User } from '../records/records.ts'
import { nextNumber, now, type State, tokenDigest, type World } from '../storage/world.ts'
import { checkExpiry, hasEnded, inDays } from './expiry.ts'

// What GitLab gives to a new token, and to one that replaces another.
export const yearInDays = 365
export const weekInDays = 7

/** Throws 400 for what is no day of the coming year. */
export function expiryOf(given: string | undefined, otherwise: number): string {
  const date = checkExpiry(given) ?? inDays(otherwise)
  if (date > inDays(yearInDays)) throw invalid('expires_at', `must be before ${inDays(yearInDays + 1)}`)
  return date
}

/** Makes a token, and shows its text, which nobody sees again. */
export function makeToken(world: World, given: Omit<Token, 'id' | 'digest' | 'created_at'>) {
  const token =
    given.oauth === true ? randomBytes(32).toString('hex') : `glpat-${randomBytes(20).toString('base64url')}`
  const id = nextNumber(world, 'tokens')
  const made = world.tokens.add({ id, ...given, digest: tokenDigest(token), created_at: now(world) })
  scheduleWarning(world, made)
  return { ...showToken(made), token }
}

export function showToken({ digest, oauth, project_id, ...shown }: Token) {
  return { ...shown, scopes: [...shown.scopes], expires_at: shown.expires_at ?? null, active: true, revoked: false }
}

/** So long before a project's token expires the warning is sent, as in GitLab by default. */
const warningMs = weekInDays * 24 * 60 * 60_000

/** Schedules the warning of a project's token until the sandbox stops; sends a due one now. Other tokens have none. */
function scheduleWarning(world: World, { id, project_id, expires_at }: Token) {
  if (project_id === undefined || expires_at === null) return
  const at = Date.parse(expires_at) - warningMs
  const [key, task] = [`project ${project_id}`, async (later: World) => warn(later, id)] as const
  if (at <= world.clock.now()) world.background(key, task)
  else world.later(at, key, task)
}

function warn(world: World, id: number) {
  const token = world.tokens.get(id)
  const project = world.projects.get(token?.project_id)
  if (token === undefined || project === undefined || hasEnded(token)) return
  sendExpiringToken(world, project, token)
}

/** Makes root in an empty state; in a stored one, root's token is replaced and everything else stays. */
export function ensureRoot(state: State, rootToken: string): void {
  const digest = tokenDigest(rootToken)
  const [first] = state.tokens.all()
  const names = { username: 'root', name: 'Administrator', email: 'admin@example.com' }
  const rights = { bot: false, is_admin: true, can_create_group: true }
  const root = state.users.first('username', 'root') ?? addUser(state, { ...names, ...rights })
  if (first?.user_id === root.id && first.name === 'root') state.tokens.update(first.id, { digest })
  else
    state.tokens.add({
      id: nextNumber(state, 'tokens'),
      user_id: root.id,
      name: 'root',
      scopes: ['api', 'sudo'],
      digest,
      expires_at: null,
      created_at: root.created_at,
    })
}

export function addUser(
  state: State,
  given: Pick<User, 'username' | 'name' | 'email' | 'bot' | 'can_create_group' | 'is_admin'>,
): User {
  return state.users.add({
    ...given,
    id: nextNumber(state, 'users'),
    namespace_id: nextNumber(state, 'namespaces'),
    state: 'active',
    created_at: now(state),
  })
}
