// What a merge request waits for before a rule merges or approves it. Facts that are a cause declare it (`waitsFor`).
import type { Json } from '../../language/values/rule-types.ts'

/** The causes with their meanings. */
export const waitingCauses = {
  review: 'An approval was missing, or a thread that must be resolved.',
  pipeline: 'No pipeline of the head had succeeded; also while a failed one waits to be fixed.',
  conflict: 'It had conflicts with the target branch, or needed a rebase.',
  queue: 'It was in a merge queue or on a merge train.',
  freeze: 'Its merge queue was frozen, or it was outside the hours of a rule.',
} as const

export type WaitingCause = keyof typeof waitingCauses

export const waitingCauseNames = Object.keys(waitingCauses) as WaitingCause[]

/** One cause, or the causes of some values. */
export type WaitsFor = WaitingCause | Readonly<Record<string, WaitingCause>>

/** The cause for this value of a fact; undefined if there is none. */
export function causeOf(waitsFor: WaitsFor | undefined, value: Json | undefined): WaitingCause | undefined {
  if (typeof waitsFor !== 'object') return waitsFor
  return typeof value === 'string' && Object.hasOwn(waitsFor, value) ? waitsFor[value] : undefined
}
