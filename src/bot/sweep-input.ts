// What a sweep is given: what it works with, and which projects.
import type { Client } from '../client/create-client.ts'
import type { Journal } from '../journal/types.ts'
import type { LookAtHook } from './disabled-hooks.ts'
import type { SpreadOptions } from './rule-change-spread.ts'
import type { SweepMark } from './sweep-mark.ts'

export interface SweepOptions extends SpreadOptions {
  client: Client
  journal: Journal
  now: () => number
  /** Absent: nobody would be told of a disabled hook. */
  lookAtHook?: LookAtHook | undefined
}

export interface ProjectToSweep {
  project: number
  path?: string
  /** Nobody has sent a delivery for it: only its own rules, or the operator's that name it, say that Bellhop is wanted there. */
  uninvited?: true
  /** The operator's rules or policy name it. */
  named?: true
  /** Iids that this sweep has woken already. */
  woken: Set<number>
  /** Iids that this sweep has looked at already. */
  looked: Set<number>
  /** How far a dry run is, which leaves no mark in the journal. */
  mark?: SweepMark
}
