// A push to a target branch: open merge requests into it fall behind, and no hook names them.
import { hasRuleAboutTarget, isTriggeredByTarget } from '../../rules/engine/triggers.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../jobs.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import type { ReadEvent } from './events/concern.ts'

/** Pages of 100 entries. The sweep finds more. */
const maxPages = 5
/** After everything that people wait for. */
const priority = 10

/** Enqueues those for which a rule about their target branch may match. Throws what client, journal and queue throw. */
export async function evaluateBehind(
  { client, journal, queues }: Context,
  { event: { at }, push }: Pick<ReadEvent, 'event' | 'push'>,
  rules: Pick<RulesInForce, 'files' | 'policy'>,
): Promise<void> {
  // A new branch has no merge request behind it.
  if (push === undefined || push.from === null || push.to === null || !hasRuleAboutTarget(rules)) return
  const { project, branch } = push
  const opened = { id: project, state: 'opened', target_branch: branch, scope: 'all', per_page: 100 } as const
  for await (const page of client.pages(client.mergeRequests.list, opened, { maxPages })) {
    for (const each of page.body) {
      // A service may ignore the filters.
      if (each.iid === undefined || each.target_branch !== branch || each.state !== 'opened') continue
      const ref = { project, iid: each.iid }
      const [known] = await journal.mergeRequests.known(ref)
      if (isTriggeredByTarget(rules, at, known ?? { ref, keeps: false }, each))
        await enqueueEvaluation(queues.mergeRequests, ref, priority)
    }
  }
}
