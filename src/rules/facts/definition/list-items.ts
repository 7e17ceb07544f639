// The entries of a list as a service sent it, and the user with a name in it.

/** The items of a list, or undefined if the service sent no list. */
export function items<T>(list: readonly T[] | undefined): readonly (T | undefined)[] | undefined {
  return Array.isArray(list) ? list.map((each: T | null | undefined) => each ?? undefined) : undefined
}

/** The id of the user with exactly this name; the service may also list users with similar names. */
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
