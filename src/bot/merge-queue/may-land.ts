// Decides anew, before a landing and once more just before its call, whether the rules still request it.
import { acceptMemory } from '../../rules/actions/definition/accept-memory.ts'
import { type DecideInput, decide } from '../../rules/engine/decide.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { Decision, MergeRequestRef, SourceAnswers } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { buildInput, evaluationMarks } from '../evaluation/decide-input.ts'
import { decideAgain, decideWithFacts, readAgain } from '../evaluation/fetch-facts.ts'
import type { QueueProject } from './queue-run.ts'

/**
 * The input on which the rules in force request exactly the entry that it has, read for this; undefined if they do not.
 * Only what the head alone decides is not read again. Nothing is sent or stored. Throws what client and journal throw.
 */
export async function requestedLanding(
  context: Context,
  mergeRequest: MergeRequestRef,
  head: string,
  project: QueueProject,
): Promise<DecideInput | undefined> {
  const { client, journal, service } = context
  const loaded = await journal.load(mergeRequest, evaluationMarks)
  const memory = { ...(loaded.memory ?? emptyMemory()), pushes: loaded.pushes }
  if (acceptMemory(memory).queued?.sha !== head) return undefined
  const rules = await context.rules.refresh(mergeRequest.project, project, loaded.ruleFiles)
  const answers: SourceAnswers = { [sources.project.name]: { ok: true, body: project, complete: true } }
  const initial = await buildInput(context, { ...loaded, mergeRequest, memory, rules })
  const reading = { bypassCache: true, answers, cache: service.answers, history: { journal } }
  const { decision, input } = await decideWithFacts(client, initial, reading)
  return isRequested(decision) ? input : undefined
}

/**
 * The last look before a landing: reads the facts of all members again, the merge requests last. Nothing is read or
 * stored after that, and nothing waits. Throws what client and journal throw.
 */
export async function areStillRequested(
  { client, service }: Context,
  members: readonly DecideInput[],
): Promise<boolean> {
  const inputs = await Promise.all(members.map((each) => readAgain(client, each, service.answers)))
  const decided = await Promise.all(inputs.map((input) => decideAgain(client, input, decide)))
  return decided.every((result) => 'decision' in result && isRequested(result.decision))
}

/** A trace names the queue only if the entry stands just as it is requested, and nothing holds the rule back. */
const isRequested = ({ rules }: Decision) =>
  rules.some(({ actions }) => actions.some(({ queue }) => queue !== undefined))
