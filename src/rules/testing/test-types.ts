// A rule test: the given state, the event, and what the rules must do.

import type { Json, Subject } from '../language/values/rule-types.ts'
import type { DecideInput, Override } from '../types.ts'
import type { OverrideValue } from './overrides.ts'

/** What differs from the earlier state, or from the ordinary merge request. */
export interface GivenState {
  facts: Record<string, OverrideValue>
  service?: TestedService
  /** ISO 8601. */
  now?: string
}

export interface TestedService {
  /** The direct members of each group with their level, by the path of the group. */
  groups?: Record<string, Record<string, string>>
  codeOwners?: string
  busy?: string[]
  openReviews?: Record<string, number>
  labelledBy?: Record<string, string>
}

export interface TestEvent {
  kind: string
  actor?: string
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
  subject: Subject
  /** The only rules of the file that the test runs; all if undefined. */
  rules?: string[]
  /** Earlier states, oldest first. */
  before: GivenState[]
  given: GivenState
  event?: TestEvent
  /** A recorded delivery in place of the event: the name of a file. */
  delivery?: string
  /** The actions that must be done, for each rule; empty if nothing must be done. */
  expected?: { action: string; args: Json }[][]
  /** Whether more may be done. */
  mayDoMore: boolean
  calls?: ExpectedCall[]
  /** Rule name → the condition that must block it first. */
  blockers: Record<string, string>
}

/** The state that a test's rules are evaluated in. */
export interface Scene extends Pick<DecideInput, 'now' | 'answers' | 'memory' | 'events'> {
  subject: Subject
  /** Later ones win. */
  overrides: Override[]
}
