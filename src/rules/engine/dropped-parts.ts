// What the service left out of a call although it answered that the call was done.
import { actionNamed } from '../actions/index.ts'
import type { Call } from '../types.ts'

/** A text for each action; undefined if nothing is known to be left out. */
export function droppedParts(call: Call, answer: unknown): Record<string, string> | undefined {
  const found = [call.action, ...(call.with ?? [])].flatMap((name) => {
    const words = actionNamed(name)?.answered?.(call, answer).dropped
    return words === undefined ? [] : [[name, words] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
