// Changes a value that several processes change.

interface StoredValue {
  /** The JSON text of the present value; undefined if there is none. */
  read(): Promise<string | undefined>
  /** Stores `to` if the value is still `from`; returns false if it is another. */
  swap(from: string | undefined, to: string): Promise<boolean>
}

/** Atomic: `to` may run again on a conflict. Undefined, and an equal value, leave it as it is. */
export async function change<T>(
  { read, swap }: StoredValue,
  to: (before: T | undefined) => T | undefined,
): Promise<void> {
  for (;;) {
    const from = await read()
    const value = to(from === undefined ? undefined : (JSON.parse(from) as T))
    const text = value === undefined ? undefined : JSON.stringify(value)
    if (text === undefined || text === from || (await swap(from, text))) return
  }
}
