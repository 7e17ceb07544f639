// Finds a user in the service's answer to a search by name.
import { items } from './list-items.ts'

/** The id of exactly this user; the service may list users with similar names too. */
export function userNamed(body: unknown, username: string): number | undefined {
  const found = items(Array.isArray(body) ? body : undefined)?.find(
    (each) =>
      typeof each === 'object' &&
      each !== null &&
      'username' in each &&
      typeof each.username === 'string' &&
      each.username.toLowerCase() === username.toLowerCase(),
  )
  return typeof found === 'object' && found !== null && 'id' in found && typeof found.id === 'number'
    ? found.id
    : undefined
}
