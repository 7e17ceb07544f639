// A list as a service sent it, entry by entry.

/** The items of a list, or undefined if the service sent no list. */
export function items<T>(list: readonly T[] | undefined): readonly (T | undefined)[] | undefined {
  return Array.isArray(list) ? list.map((each: T | null | undefined) => each ?? undefined) : undefined
}
