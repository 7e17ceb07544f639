// Adds users; the administrator `root`: the first user, with the token from the command line.
import type { User } from '../records/records.ts'
import { nextNumber, now, type State, tokenDigest } from '../storage/world.ts'

/** Makes root in an empty state; in a stored one, root's token is replaced and everything else stays. */
export function ensureRoot(state: State, rootToken: string): void {
  const digest = tokenDigest(rootToken)
  const [first] = state.tokens.all()
  const root = state.users.first('username', 'root') ?? addRoot(state)
  if (first?.user_id === root.id && first.name === 'root') state.tokens.update(first.id, { digest })
  else
    state.tokens.add({
      id: nextNumber(state, 'tokens'),
      user_id: root.id,
      name: 'root',
      scopes: ['api'],
      digest,
      expires_at: null,
      created_at: root.created_at,
    })
}

function addRoot(state: State) {
  const names = { username: 'root', name: 'Administrator', email: 'admin@example.com' }
  return addUser(state, { ...names, bot: false, is_admin: true, can_create_group: true })
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
