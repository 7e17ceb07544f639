// Waiting for a fact that comes true by itself.
import { vi } from 'vitest'

/** Waits for a fact; the time is only the limit after which it will not come true any more. */
export function eventually<T>(fact: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(fact, { timeout: 20_000, interval: 10 })
}
