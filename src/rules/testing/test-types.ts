// A rule test: what is given, what happens, and what the rules must do about it.

import type { Json } from '../language/values/rule-types.ts'
import type { Memory, Occurrence, Override, SourceAnswer, SourceAnswers, SourceName } from '../types.ts'
import type { OverrideValue } from './override-value.ts'

/** What differs from the state before; at first, from an ordinary merge request. */
export interface Given {
  facts: Record<string, OverrideValue>
  /** ISO 8601. */
  now?: string
}

export interface TestEvent {
  kind: string
  actor?: string
  /** Access level of the actor. */
  access: string
  comment?: string
  changed: string[]
  /** The branch or tag, and what a push did to it. */
  ref?: string
  refChange?: 'created' | 'updated' | 'deleted'
}

/** A call by its endpoint, and the parameters that it must have at least. */
export interface ExpectedCall {
  endpoint: string
  params: Record<string, Json>
}

export interface RuleTest {
  name: string
  line: number
  /** Earlier states, oldest first. */
  before: Given[]
  given: Given
  event?: TestEvent
  /** A recorded delivery in place of the event: the name of a file. */
  delivery?: string
  /** Rules whose actions are what must be done; empty: nothing. */
  expected?: { action: string; args: Json }[][]
  calls?: ExpectedCall[]
  /** Rule name → the condition that must be first in its way. */
  blockers: Record<string, string>
}

/** The state that a test's rules are evaluated in. */
export interface Scene {
  /** Later ones go over earlier ones. */
  overrides: Override[]
  now: string
  answers: SourceAnswers
  memory: Memory
  people: People
  events: Occurrence[]
}

/** Everyone and everything that is asked for by name is there. */
export interface People {
  answer(name: SourceName): SourceAnswer
}
