// What a merge request waits for before a rule merges or approves it. Each fact that is a cause declares it (`waitsFor`).
import type { Json } from '../../language/values/rule-types.ts'

/** With what each means. */
export const waitingCauses = {
  review: 'an approval, or a thread that must be resolved',
  pipeline: 'a successful pipeline of the head',
  conflict: 'a conflict with the target branch, or a rebase that is needed',
  queue: 'its turn in a merge queue or on a merge train',
  freeze: 'the end of a freeze, or the hours of a rule’s `clock`',
} as const

export type WaitingCause = keyof typeof waitingCauses

export const waitingCauseNames = Object.keys(waitingCauses) as WaitingCause[]

/** One cause, or that of each value that is one. */
export type WaitsFor = WaitingCause | Readonly<Record<string, WaitingCause>>

/** The cause that a fact is with this value; undefined where it is none. */
export function causeOf(waitsFor: WaitsFor | undefined, value: Json | undefined): WaitingCause | undefined {
  if (typeof waitsFor !== 'object') return waitsFor
  return typeof value === 'string' && Object.hasOwn(waitsFor, value) ? waitsFor[value] : undefined
}
