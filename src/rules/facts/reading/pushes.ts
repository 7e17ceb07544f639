// The way of a branch from one head to another, by the pushes that Bellhop saw.
import type { Memory } from '../../types.ts'

type Push = Memory['pushes'][number]

/**
 * The pushes from one head (null: the start of the branch) to another, in order; undefined where one is missing. Fails
 * closed.
 */
export function pushesBetween(from: string | null, to: string, pushes: readonly Push[]): Push[] | undefined {
  const left = [...pushes]
  const chain: Push[] = []
  for (let at: string | null = to; at !== from; ) {
    // Hooks may come out of order, and a branch may move back and forth: each push is used once, the newest first.
    const index = left.findLastIndex((push) => push.to === at)
    const [push] = index < 0 ? [] : left.splice(index, 1)
    if (push === undefined) return undefined
    chain.unshift(push)
    at = push.from
  }
  return chain
}
