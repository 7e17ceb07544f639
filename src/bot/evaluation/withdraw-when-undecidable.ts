// Withdraws approvals, waiting merges and statuses if the service's errors keep the rules from being decided.
import { randomUUID } from 'node:crypto'
import type { ServiceError } from '../../client/errors.ts'
import type { RunningJob } from '../../queue/types.ts'
import { actionNamed } from '../../rules/actions/index.ts'
import { emptyMemory, holdsAnything, rememberCalls } from '../../rules/engine/update-memory.ts'
import type { CallResponse, RuleFileInForce } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import type { MergeRequestJob } from '../jobs.ts'
import { logName } from '../reporting/names.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { act } from './act.ts'
import { decideWithFacts } from './fetch-facts.ts'
import { recordDecision } from './record-decision.ts'

/** Approvals, waiting merges and statuses let something merge; other held actions stay. */
function isWithdrawn(name: string): boolean {
  const { limited, when } = actionNamed(name) ?? {}
  return limited === 'merge' || when === 'unmatched_too'
}

/** The rules with only the actions that are planned if no rule matches, and none matches. */
function withoutMatches({ rules, ...file }: RuleFileInForce): RuleFileInForce[] {
  const left = rules.rules.flatMap((rule) => {
    const actions = rule.actions.filter(({ action }) => actionNamed(action)?.when === 'unmatched_too')
    return actions.length === 0 ? [] : [{ ...rule, if: { any: [] }, actions }]
  })
  return left.length === 0 ? [] : [{ ...file, rules: { ...rules, rules: left } }]
}

/**
 * Decides as if no rule matched: a change too large to be read must not keep an earlier approval. `rules`: undefined
 * if they could not be read. Throws what client, journal and queue throw.
 */
export async function withdrawHeld(
  given: Context,
  job: RunningJob<MergeRequestJob>,
  { cause, rules }: { cause: ServiceError; rules: Pick<RulesInForce, 'files' | 'policy'> | undefined },
): Promise<void> {
  const { client, journal, now } = given
  const { data: mergeRequest, claim } = job
  const memory = (await journal.mergeRequests.memory(mergeRequest)) ?? emptyMemory()
  const of = Object.entries(memory.of ?? {}).filter(([name]) => isWithdrawn(name))
  const held = { ...emptyMemory(), of: Object.fromEntries(of) }
  const isHeld = holdsAnything(held)
  const files = (rules?.files ?? []).flatMap(withoutMatches)
  if (!isHeld && files.length === 0) return
  const context = { ...given, log: given.log.child({ mergeRequest: await logName(journal, mergeRequest) }) }
  const started = now()
  const initial = {
    policy: rules?.policy,
    files,
    events: [],
    mergeRequest,
    memory: held,
    bot: await context.botUser(),
    now: new Date(started).toISOString(),
    project: { mergeRequestPipelines: false },
  }
  const { decision, input } = await decideWithFacts(client, initial)
  // Each attempt decides again; once the statuses are set, nothing is left to do.
  if (!isHeld && decision.calls.length === 0) return
  const checkpoint = async (responses: readonly CallResponse[]) => {
    await claim()
    await journal.mergeRequests.save(mergeRequest, { memory: rememberCalls(memory, responses) })
  }
  const { responses, stopped } = await act(context, decision, { checkpoint, claim, isStillDecided: async () => false })
  const paused = `the rules cannot be decided: ${cause.message}`
  const circumstances = { pendingEvents: [], evaluation: randomUUID(), tookMs: now() - started }
  await claim()
  const after = { memory: rememberCalls(memory, responses) }
  await recordDecision(context, input, { ...decision, paused, responses }, { ...circumstances, ...after })
  if (stopped !== undefined) throw stopped.by
}
