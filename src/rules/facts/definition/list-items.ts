// A list as a service sent it, entry by entry.

/** The items of a list that a service sent, or undefined where it sent none: its word for "list" is not believed. */
export function items<T>(list: readonly T[] | undefined): readonly (T | undefined)[] | undefined {
  return Array.isArray(list) ? list.map((each: T | null | undefined) => each ?? undefined) : undefined
}
