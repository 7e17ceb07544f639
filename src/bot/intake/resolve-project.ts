// Finds the project of an event whose payload has only its path, as old issue and wiki hooks (hosting-service.md §2.1).
import { isIssue, numberOf } from '../../rules/facts/definition/subject-ref.ts'
import { mayBeNamed } from '../../rules/language/events.ts'
import type { IntakeContext } from './intake-context.ts'
import type { DeliverySummary } from './read-delivery.ts'

/** Unchanged where no rule can wait for the event. Throws what the client throws. */
export async function resolveProject(
  { client, limitConcurrency }: Pick<IntakeContext, 'client' | 'limitConcurrency'>,
  summary: DeliverySummary,
): Promise<DeliverySummary> {
  const { event, concern, projectPath } = summary
  if (event.project !== undefined || projectPath === undefined || concern.about !== 'none' || !mayBeNamed(event))
    return summary
  const { id } = (await limitConcurrency(() => client.projects.get({ id: projectPath }))).body
  if (id === undefined) return summary
  const { iid = 0 } = event
  const about = isIssue({ iid }) ? { about: 'issue' as const, project: id, iid: numberOf({ iid }) } : concern
  return { ...summary, event: { ...event, project: id }, concern: about }
}
