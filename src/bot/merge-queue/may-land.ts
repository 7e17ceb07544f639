// Decides anew, before a landing and once more just before its call, whether the rules still request it.
import type { Journal } from '../../journal/types.ts'
import { decide } from '../../rules/engine/decide.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { MergeRequestRef, SourceAnswers } from '../../rules/types.ts'
import { withHistory } from '../evaluation/branch-history.ts'
import type { DecideOptions } from '../evaluation/decide-in-force.ts'
import { buildInput } from '../evaluation/decide-input.ts'
import { type DecisionWithFacts, decideAgain, decideWithFacts, readAgain } from '../evaluation/fetch-facts.ts'
import type { QueueProject } from './project.ts'

export interface LandingCheckOptions
  extends Pick<
    DecideOptions,
    'botUser' | 'client' | 'kept' | 'newRuleCounter' | 'now' | 'offLabel' | 'patterns' | 'ruleFiles'
  > {
  journal: DecideOptions['journal'] & Pick<Journal, 'pendingEvents'>
}

/**
 * The decision of the rules in force, on facts that are read for this, where it still requests exactly the entry that
 * stands; only what the head alone decides is not read again. Nothing is sent or stored. Throws what client and journal
 * throw.
 */
export async function requestedLanding(
  options: LandingCheckOptions,
  mergeRequest: MergeRequestRef,
  head: string,
  project: QueueProject,
): Promise<DecisionWithFacts | undefined> {
  const { client, journal, kept, patterns, ruleFiles } = options
  const memory = (await journal.memory(mergeRequest)) ?? emptyMemory()
  if (memory.queued?.sha !== head) return undefined
  const rules = await ruleFiles.refresh(mergeRequest.project, project)
  const answers: SourceAnswers = { [sources.project.name]: { ok: true, body: project, complete: true } }
  const pendingEvents = await journal.pendingEvents(mergeRequest)
  const initial = await buildInput(options, { mergeRequest, memory, rules, pendingEvents })
  const decided = await patterns.within(mergeRequest.project, (work) =>
    decideWithFacts(client, { ...initial, work }, withHistory(journal), { bypassCache: true, answers, kept }),
  )
  return isRequested(decided) ? decided : undefined
}

/**
 * The last look before a landing: reads the facts of all members again, the merge requests last. Nothing is read or
 * stored after that, and nothing waits. Throws what client and journal throw.
 */
export async function areStillRequested(
  { client, journal, kept }: LandingCheckOptions,
  members: readonly DecisionWithFacts[],
): Promise<boolean> {
  const pushesOf = withHistory(journal)
  const inputs = await Promise.all(members.map(async ({ input }) => readAgain(client, await pushesOf(input), kept)))
  const decided = await Promise.all(inputs.map((input) => decideAgain(client, input, decide)))
  return decided.every((result) => result !== undefined && 'decision' in result && isRequested(result))
}

/** A trace names the queue only where the entry stands just as it is requested, and nothing holds the rule back. */
const isRequested = ({ decision }: Pick<DecisionWithFacts, 'decision'>) =>
  decision.rules.some(({ actions }) => actions.some(({ queue }) => queue !== undefined))
