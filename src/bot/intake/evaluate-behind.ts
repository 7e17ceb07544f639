// A push to a target branch: open merge requests into it fall behind, and no hook names them.
import { patternLimitIn } from '../../rules/engine/conditions/pattern-limit.ts'
import { ruleSet } from '../../rules/engine/conditions/rules-in-force.ts'
import { decide } from '../../rules/engine/decide.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { mergeRequestSource } from '../../rules/facts/definition/sources.ts'
import { factNamed } from '../../rules/facts/index.ts'
import { factsIn } from '../../rules/language/conditions.ts'
import type { Condition, MergeRequestRef, RuleFileInForce } from '../../rules/types.ts'
import { enqueueEvaluation } from '../evaluation/merge-request-job.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import type { ReadEvent } from './events/concern.ts'
import type { IntakeContext } from './intake-context.ts'
import { unknownBot } from './select-targets.ts'

/** Of 100 each; the sweep finds more. */
const maxPages = 5
/** After everything that people wait for. */
const priority = 10

const dependsOnTarget = (condition: Condition) =>
  factsIn(condition).some((name) => factNamed(name)?.changesWithTarget === true)

/** Enqueues those for which a rule about their target branch may match. Throws what client, journal and queue throw. */
export async function evaluateBehind(
  context: IntakeContext,
  { event: { at }, push }: Pick<ReadEvent, 'event' | 'push'>,
  { files, policy }: Pick<RulesInForce, 'files' | 'policy'>,
): Promise<void> {
  // A new branch has no merge request behind it.
  if (push === undefined || push.from === null || push.to === null) return
  if (!ruleSet(files, policy).rules.some(({ rule, mode }) => mode !== 'off' && dependsOnTarget(rule.if))) return
  const { project, branch } = push
  const { client, mergeRequests } = context
  const rules = files.map((file) => ({ ...file, rules: onlyThoseAboutTarget(file) }))
  const opened = { id: project, state: 'opened', target_branch: branch, scope: 'all', per_page: 100 } as const
  for await (const page of client.pages(client.mergeRequests.list, opened, { maxPages })) {
    for (const each of page.body) {
      // A service may ignore the filters.
      if (each.iid === undefined || each.target_branch !== branch || each.state !== 'opened') continue
      const ref = { project, iid: each.iid }
      if (await mayMatch(context, { files: rules, policy }, ref, { at, body: each }))
        await enqueueEvaluation(mergeRequests, ref, priority)
    }
  }
}

function onlyThoseAboutTarget({ rules }: RuleFileInForce): RuleFileInForce['rules'] {
  return { ...rules, rules: rules.rules.filter((rule) => dependsOnTarget(rule.if)) }
}

/** By what the list shows of it: false where every rule is false. */
async function mayMatch(
  { journal, heavyProjects }: IntakeContext,
  { files, policy }: Pick<RulesInForce, 'files' | 'policy'>,
  mergeRequest: MergeRequestRef,
  { at, body }: { at: string; body: object },
): Promise<boolean> {
  if (heavyProjects.has(mergeRequest.project)) return true
  const memory = (await journal.mergeRequests.memory(mergeRequest)) ?? emptyMemory()
  const input = {
    ...{ mergeRequest, memory, events: [], now: at, files, policy, bot: unknownBot },
    answers: { [mergeRequestSource]: { ok: true as const, body, complete: true } },
    project: { mergeRequestPipelines: false },
  }
  const result = decide(input)
  if ('needs' in result) return true
  if (patternLimitIn(result.decision) !== undefined) heavyProjects.add(mergeRequest.project)
  return result.decision.rules.some(({ verdict }) => verdict !== 'false')
}
