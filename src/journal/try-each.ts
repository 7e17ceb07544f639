// Steps that do not depend on each other.

/** Runs all in turn, and then throws the first error. */
export async function tryEach(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps)
    try {
      await step()
    } catch (thrown) {
      errors.push(thrown)
    }
  if (errors.length > 0) throw errors[0]
}
