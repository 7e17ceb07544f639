// The entries of a list as a service sent it, and the user with a name in it.
import { isMap } from '../../language/values/shapes.ts'

/** The items of a list, or undefined if the service sent no list. */
export function items<T>(list: readonly T[] | undefined): readonly (T | undefined)[] | undefined {
  return Array.isArray(list) ? list.map((each: T | null | undefined) => each ?? undefined) : undefined
}

/** The user with exactly this name; the service may also list users with similar names. */
export function userIn(body: unknown, username: string) {
  for (const each of Array.isArray(body) ? (body as unknown[]) : []) {
    if (!isMap(each) || typeof each.username !== 'string' || typeof each.id !== 'number') continue
    if (each.username.toLowerCase() !== username.toLowerCase()) continue
    return { id: each.id, name: each.username, isActive: each.state === 'active' }
  }
  return undefined
}

/** The id of that user. */
export const userNamed = (body: unknown, username: string): number | undefined => userIn(body, username)?.id
