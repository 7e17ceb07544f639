// A list as a service sent it, entry by entry, and the user of a name in one.

/** The items of a list, or undefined if the service sent no list. */
export function items<T>(list: readonly T[] | undefined): readonly (T | undefined)[] | undefined {
  return Array.isArray(list) ? list.map((each: T | null | undefined) => each ?? undefined) : undefined
}

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
