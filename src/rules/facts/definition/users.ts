// Finds a user in the service's answer to a search by name.
import { items } from './list-items.ts'

/** The id of exactly this user; undefined where there is none. A service may answer with others whose names are alike. */
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
