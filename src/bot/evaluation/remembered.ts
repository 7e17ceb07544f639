// The memory of a merge request as of the responses so far.
import type { DecideInput } from '../../rules/engine/decide.ts'
import { remembersRebase } from '../../rules/engine/memory/follow-rebase.ts'
import { holdsAnything, keepsAnything, remember } from '../../rules/engine/update-memory.ts'
import { withOldApprovals } from '../../rules/facts/approvals.ts'
import { mergeRequestSource } from '../../rules/facts/definition/sources.ts'
import { isProject } from '../../rules/facts/definition/subject-ref.ts'
import type { CallResponse, Memory } from '../../rules/types.ts'
import { mergeRequestIn } from './answers-of.ts'
import type { DecisionWithFacts } from './fetch-facts.ts'

/** What is to be remembered; whether any event may end something of it; and whether it is needed no longer. */
export interface Remembered {
  memory: Memory
  keeps: boolean
  over: boolean
  /** Merged or closed; undefined if it was not read. */
  ended: boolean | undefined
}

/** The memory after the responses to the calls of a decision. `merged`: one of them merged it. */
export function remembered(
  { decision, input }: DecisionWithFacts,
  responses: readonly CallResponse[],
  waits: Memory['waits'],
  merged = false,
): Remembered {
  const state = merged ? 'merged' : mergeRequestIn(input).state
  const made = remember(input.memory, { ...decision, responses: [...responses] })
  const after = withOldApprovals(made, input.answers, input.bot)
  const memory = { ...after, ...(waits === undefined ? {} : { waits }) }
  return {
    memory,
    keeps: state === 'merged' ? holdsAnything(memory) : keepsAnything(memory),
    over: isOver(state, memory) || isUnread(input, memory),
    ended: state === undefined ? undefined : state === 'merged' || state === 'closed',
  }
}

/** A closed merge request may be reopened: its memory stays while something may have to be withdrawn, or does not count. */
function isOver(state: unknown, memory: Memory): boolean {
  return state === 'merged' || (state === 'closed' && !holdsAnything(memory) && !remembersRebase(memory))
}

/** No rule read its state, so it may be merged already. */
function isUnread({ answers, mergeRequest }: DecideInput, memory: Memory): boolean {
  return (
    !(mergeRequestSource in answers) && !isProject(mergeRequest) && !keepsAnything(memory) && !remembersRebase(memory)
  )
}
