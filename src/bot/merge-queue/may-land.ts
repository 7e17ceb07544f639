// Decides anew, just before a landing, whether the rules still request it.
import type { Journal } from '../../journal/types.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { MergeRequestRef, SourceAnswers } from '../../rules/types.ts'
import { withHistory } from '../evaluation/branch-history.ts'
import type { DecideOptions } from '../evaluation/decide-in-force.ts'
import { buildInput } from '../evaluation/decide-input.ts'
import { decideWithFacts } from '../evaluation/fetch-facts.ts'
import type { QueueProject } from './project.ts'

export interface LandingCheckOptions
  extends Pick<
    DecideOptions,
    'botUser' | 'client' | 'kept' | 'newRuleCounter' | 'now' | 'offLabel' | 'patterns' | 'ruleFiles'
  > {
  journal: DecideOptions['journal'] & Pick<Journal, 'pendingEvents'>
}

/**
 * Whether the rules in force, on facts that are read for this, still request exactly the entry that it has; only what the
 * head alone decides is not read again. Nothing is sent or stored. Throws what client and journal throw.
 */
export async function mayLand(
  options: LandingCheckOptions,
  mergeRequest: MergeRequestRef,
  head: string,
  project: QueueProject,
): Promise<boolean> {
  const { client, journal, kept, patterns, ruleFiles } = options
  const memory = (await journal.memory(mergeRequest)) ?? emptyMemory()
  if (memory.queued?.sha !== head) return false
  const rules = await ruleFiles.refresh(mergeRequest.project, project)
  const answers: SourceAnswers = { [sources.project.name]: { ok: true, body: project, complete: true } }
  const pendingEvents = await journal.pendingEvents(mergeRequest)
  const initial = await buildInput(options, { mergeRequest, memory, rules, pendingEvents })
  const { decision } = await patterns.within(mergeRequest.project, (work) =>
    decideWithFacts(client, { ...initial, work }, withHistory(journal), { bypassCache: true, answers, kept }),
  )
  // A trace names the queue only where the entry stands just as it is requested, and nothing holds the rule back.
  return decision.rules.some(({ actions }) => actions.some(({ queue }) => queue !== undefined))
}
