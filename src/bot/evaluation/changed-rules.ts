// Whether a merge request changes the rules of its project: then a job notes what that would change.
import type { PendingEvent } from '../../journal/types.ts'
import { bodyOf } from '../../rules/facts/definition/source.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { DecideInput, Event, SourceAnswer } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../queues.ts'
import { hasRuleChangeNote } from '../rule-files/enqueue-open.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'
import { type AnswersOf, mergeRequestIn } from './answers.ts'
import { withAnswer } from './fetch-facts.ts'

// After everything that people wait for.
export const noteJobPriority = 20

/** Whether the event may have brought other changes: it opened the merge request, or pushed to it. */
export const mayChangeRules = ({ kind, pushed }: Event) =>
  kind === 'merge_request.open' || (kind.startsWith('merge_request.') && pushed !== undefined)

/** The changes of the merge request as it was read, which later evaluations then need not read. */
export async function changesOf(
  { client, service: { answers: cache } }: Context,
  input: AnswersOf,
): Promise<SourceAnswer> {
  const { name } = sources.changes
  const before = input.answers[name] ?? cache.find(input, name)
  if (before !== undefined) return before
  const { [name]: read } = (await withAnswer(client, input, name, { cache })).answers
  return read ?? { ok: false, reason: 'it was not read' }
}

export const touchesRules = (changes: SourceAnswer) =>
  bodyOf(sources.changes, changes)?.changes?.some((each) =>
    [each.old_path, each.new_path].includes(repositoryRulePath),
  ) === true

/**
 * Enqueues the note, with what an evaluation read. If that does not tell whether the rules change, the job finds out.
 * Throws JournalUnavailable and QueueUnavailable.
 */
export async function enqueueChangedRules(
  context: Context,
  input: DecideInput,
  pendingEvents: readonly PendingEvent[],
): Promise<void> {
  const { journal, queues } = context
  const { mergeRequest, policy } = input
  const { state } = mergeRequestIn(input)
  // Other modes write nothing.
  if ((policy?.mode ?? 'act') !== 'act' || !pendingEvents.some(({ event }) => mayChangeRules(event))) return
  const changes = state === 'opened' ? await changesOf(context, input).catch(() => undefined) : undefined
  const isSame = changes?.ok === true && !touchesRules(changes) && !(await hasRuleChangeNote(journal, mergeRequest))
  if (!isSame) await enqueueEvaluation(queues.ruleChanges, mergeRequest, noteJobPriority)
}
