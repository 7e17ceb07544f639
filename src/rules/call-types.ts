// Calls as data: what a decision asks for, and what became of it.
import type { CallData, EndpointName } from '../api/call-data.ts'
import type { Json } from './language/values/rule-types.ts'

/** A call that does not go to the service: to Bellhop's own merge queue or journal, or to a chat of the operator. */
export interface OwnCall {
  to: 'queue' | 'journal' | 'chat'
  endpoint: 'mergeQueue.enter' | 'mergeQueue.leave' | 'freeze.change' | 'chat.post'
  params: CallData['params']
}

/** A call as data: where it goes, what it does there, its parameters, and the rules that request it. */
export interface Call {
  to: 'service' | OwnCall['to']
  endpoint: EndpointName | OwnCall['endpoint']
  params: CallData['params']
  action: string
  /** Other actions that share the call. */
  with?: string[]
  rules: string[]
  /** Passed to the action's `remember` once the call was done. */
  memo?: Json
  /** The state before a call that must not be repeated: `reconcile` compares it if the response is lost. */
  before?: Json
  /** Valid only for the evaluated state: the merge request is read again just before it is sent. */
  revalidate?: boolean
  /** The entries that it takes off a list, by parameter: an update that it is combined with does not send them. */
  takesOff?: Record<string, number[]>
  /** A status that somebody else set under Bellhop's name, and that the call replaces: operators are notified. */
  replaced?: { name: string; state: string; by: string }
  effects?: Effect[]
}

/** What a call changes in a fact: its value, or entries of its list. */
export type Effect<Name extends string = string> =
  | { fact: Name; value: Json }
  | { fact: Name; add: string[] }
  | { fact: Name; remove: string[] }

export interface CallResponse {
  call: Call
  status: number | null
  /**
   * `already`: the state was as requested (304). `moved`: the evaluated state has changed (409). `dropped`: it was done
   * in part, and the service said nothing of the rest. `refused`: another 4xx. `ambiguous`: it may have been applied.
   */
  result: 'done' | 'already' | 'dropped' | 'moved' | 'not_now' | 'refused' | 'ambiguous'
  message?: string
  /** A text for each action: what the service left out. */
  dropped?: Record<string, string>
  /** What the call created, as far as the action remembers it. */
  created?: Json
  at: string
  tookMs: number
}

/** The outcome of a call without a response, according to the present state. */
export type CallOutcome = 'done' | 'not_done' | 'unknown'
