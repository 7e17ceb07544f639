// Whether a merge request changes the rules of its project: then a job notes what that would change.
import { ServiceError } from '../../client/errors.ts'
import type { PendingEvent } from '../../journal/types.ts'
import { bodyOf } from '../../rules/facts/definition/source.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { DecideInput, Event } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../queues.ts'
import { hasRuleChangeNote } from '../rule-files/enqueue-open.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'
import { type AnswersOf, mergeRequestIn } from './answers.ts'
import { withAnswer } from './fetch-facts.ts'

// After everything that people wait for.
export const noteJobPriority = 20

/** It opened the merge request, or pushed to it. */
export const mayChangeRules = ({ kind, pushed }: Event) =>
  kind === 'merge_request.open' || (kind.startsWith('merge_request.') && pushed !== undefined)

/** Undefined if its changes cannot be read. What is read of them, later evaluations need not read. */
export async function touchesRules(
  { client, service: { answers: cache } }: Context,
  input: AnswersOf,
): Promise<boolean | undefined> {
  const { name } = sources.changes
  const known = input.answers[name] ?? cache.find(input, name)
  const { [name]: read } = known ? { [name]: known } : (await withAnswer(client, input, name, { cache })).answers
  const paths = bodyOf(sources.changes, read)?.changes?.flatMap((each) => [each.old_path, each.new_path])
  return paths?.includes(repositoryRulePath)
}

/** What the service does not answer now, the job asks again. */
function unlessOurs(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error
}

/**
 * Enqueues the note, with what an evaluation read. If that does not tell whether the rules change, the job finds out.
 * Throws JournalUnavailable and QueueUnavailable.
 */
export async function enqueueChangedRules(
  context: Context,
  input: DecideInput,
  pendingEvents: readonly PendingEvent[],
): Promise<void> {
  const { mergeRequest, policy } = input
  const isAbout = ({ event }: PendingEvent) => event.iid === mergeRequest.iid && mayChangeRules(event)
  // Other modes write nothing.
  if ((policy?.mode ?? 'act') !== 'act' || !pendingEvents.some(isAbout)) return
  const isOpen = mergeRequestIn(input).state === 'opened'
  const touches = isOpen ? await touchesRules(context, input).catch(unlessOurs) : undefined
  const isSame = touches === false && !(await hasRuleChangeNote(context.journal, mergeRequest))
  if (!isSame) await enqueueEvaluation(context.queues.ruleChanges, mergeRequest, noteJobPriority)
}
