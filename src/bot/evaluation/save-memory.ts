// Saves the memory of a merge request as of the responses so far.
import type { Journal } from '../../journal/types.ts'
import type { RunningJob } from '../../queue/types.ts'
import type { DecideInput } from '../../rules/engine/decide.ts'
import { remembersRebase } from '../../rules/engine/memory/follow-rebase.ts'
import { holdsAnything, keepsAnything, remember } from '../../rules/engine/update-memory.ts'
import { withOldApprovals } from '../../rules/facts/approvals.ts'
import { mergeRequestSource } from '../../rules/facts/definition/sources.ts'
import { isProject } from '../../rules/facts/definition/subject-ref.ts'
import { withStable } from '../../rules/facts/reading/stable-facts.ts'
import type { CallResponse, Memory } from '../../rules/types.ts'
import { type DecisionWithFacts, mergeRequestIn } from './fetch-facts.ts'
import type { MergeRequestJob } from './merge-request-job.ts'

/** Returns a function that saves the memory if it changed, and returns it; throws JobTakenOver. */
export function memoryCheckpoint(
  journal: Pick<Journal, 'saveMemory'>,
  { data: mergeRequest, claim }: RunningJob<MergeRequestJob>,
  { decision, input }: DecisionWithFacts,
  waits: Memory['waits'],
): (responses: readonly CallResponse[]) => Promise<Memory> {
  const body = mergeRequestIn(input)
  let saved: string | undefined
  return async (responses) => {
    const made = remember(input.memory, { ...decision, responses: [...responses] })
    const after = withOldApprovals(made, input.answers, input.bot)
    const memory = { ...withStable(after, body, input.now), ...(waits === undefined ? {} : { waits }) }
    const text = JSON.stringify(memory)
    if (text === saved) return memory
    await claim()
    await journal.saveMemory(mergeRequest, memory, isOver(body, memory) || isUnread(input, memory))
    saved = text
    return memory
  }
}

/** A closed merge request may be reopened: its memory stays while something may have to be withdrawn, or does not count. */
function isOver({ state }: Record<string, unknown>, memory: Memory): boolean {
  return state === 'merged' || (state === 'closed' && !holdsAnything(memory) && !remembersRebase(memory))
}

/** No rule read its state, so it may be merged already. */
function isUnread({ answers, mergeRequest }: DecideInput, memory: Memory): boolean {
  return (
    !(mergeRequestSource in answers) && !isProject(mergeRequest) && !keepsAnything(memory) && !remembersRebase(memory)
  )
}
