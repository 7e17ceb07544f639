// Waiting for a fact that comes true by itself.

/**
 * Waits for a fact, which it looks at again after `interval` milliseconds. The time is only the limit after which it
 * will not come true any more, also on a busy machine.
 */
export function eventually<T>(fact: () => T | Promise<T>, interval = 10): Promise<T> {
  return vi.waitFor(fact, { timeout: 150_000, interval })
}
