// Decides by the rules in force: within their limits, and once more just before a merge. If the service's errors keep
// them from being decided, withdraws approvals, waiting merges and statuses.

import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../client/errors.ts'
import type { LoadedMergeRequest } from '../../journal/journal.ts'
import type { StoredRuleFiles } from '../../journal/tables/rule-files.ts'
import type { RunningJob } from '../../queue/types.ts'
import { isCallOf } from '../../rules/actions/definition/action-calls.ts'
import { actionNamed } from '../../rules/actions/index.ts'
import { type DecideInput, decideCalls } from '../../rules/engine/decide.ts'
import { emptyMemory, holdsAnything, rememberCalls } from '../../rules/engine/update-memory.ts'
import { bodyOf } from '../../rules/facts/definition/source.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { Call, CallResponse, RuleFileInForce } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import type { MergeRequestJob } from '../queues.ts'
import { logName } from '../reporting/names.ts'
import { enqueueOpen } from '../rule-files/enqueue-open.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { act } from './act.ts'
import { mergeRequestIn } from './answers.ts'
import type { BranchHistory } from './branch-history.ts'
import { type BuildInputState, branchHistory, buildInput, evaluationMarks } from './decide-input.ts'
import { type DecisionWithFacts, decideAgain, decideWithFacts, readAgain, withAnswer } from './fetch-facts.ts'
import { readFreezeOf } from './freezes.ts'
import { takeNewRuleUses } from './new-rule-counts.ts'
import { recordDecision } from './record-decision.ts'

/** With the rules that it was made by. */
export interface DecisionInForce extends DecisionWithFacts {
  rules: RulesInForce
}

// After so many failed attempts, an earlier approval counts as no longer supported by the rules.
const attemptsBeforeWithdrawal = 3

/** Throws what client and journal throw. After `attemptsBeforeWithdrawal`, withdraws held actions before that. */
export async function decideOrWithdraw(
  context: Context,
  job: RunningJob<MergeRequestJob>,
  given: Omit<BuildInputState, 'mergeRequest' | 'rules'> & Pick<LoadedMergeRequest, 'ruleFiles'>,
): Promise<DecisionInForce> {
  const { data: mergeRequest, attempt } = job
  let rules: RulesInForce | undefined
  try {
    // After the events: no event is evaluated by older rules.
    rules = await context.rules.inForce(mergeRequest.project, { stored: given.ruleFiles })
    if (rules.fresh) await enqueueOpen(context, mergeRequest.project, rules)
    return { ...(await decideWithinLimit(context, { ...given, mergeRequest, rules })), rules }
  } catch (error) {
    if (attempt >= attemptsBeforeWithdrawal && error instanceof ServiceError)
      await withdrawHeld(context, job, { cause: error, rules })
    throw error
  }
}

/** Counts limited actions before they are sent. Decides again when another merge request has used up the limit. */
async function decideWithinLimit(context: Context, given: BuildInputState): Promise<DecisionWithFacts> {
  const { client, journal, service } = context
  const { mergeRequest } = given
  const { project } = mergeRequest
  const repository = { id: project, path: given.rules.projectPath }
  const history: BranchHistory = { ...branchHistory(context, repository), stores: true }
  for (let { marks } = given; ; { marks } = await journal.load(mergeRequest, evaluationMarks)) {
    const initial = await buildInput(context, { ...given, marks })
    const decided = await decideWithFacts(client, initial, { cache: service.answers, history })
    const { newRuleLimit } = decided.input
    if (newRuleLimit === undefined || (await takeNewRuleUses(context, project, decided.decision, newRuleLimit)))
      return decided
  }
}

/**
 * Just before a call with `revalidate`: reads the rules, the freeze and facts again, the merge request last. They must
 * lead to the same call into the same target branch. Nothing is read or stored after that, and nothing waits.
 */
export async function isStillDecided(
  context: Context,
  { input: decided, rules: before }: DecisionInForce,
  { call, stored }: { call: Call; stored: StoredRuleFiles },
): Promise<boolean> {
  const { client, service } = context
  const { answers: cache } = service
  const { project } = decided.mergeRequest
  const { name } = sources.project
  const given =
    name in decided.answers ? await withAnswer(client, decided, name, { bypassCache: true, cache }) : decided
  const rules = await context.rules.refresh(project, bodyOf(sources.project, given.answers[name]), stored)
  // In case the push hook was lost.
  if (rules.version !== before.version) await enqueueOpen(context, project, rules)
  // The drafts of merge queues have no rules.
  const { files, policy } = decided.files.length === 0 ? { ...rules, files: [] } : rules
  const freeze = await readFreezeOf(context, project)
  const input = await readAgain(client, { ...given, files, policy, freeze }, cache)
  const target = (of: DecideInput) => mergeRequestIn(of).target_branch
  const result = await decideAgain(client, input, (last) => target(last) === target(decided) && decideCalls(last))
  // This call alone: the calls before it (squash) are done by now.
  const calls = result && 'calls' in result ? result.calls : []
  const left = calls.filter((each) => isCallOf(each, call.action))
  const sent = ({ endpoint, params }: Call) => JSON.stringify([endpoint, params])
  return left.length === 1 && left.every((each) => sent(each) === sent(call))
}

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
async function withdrawHeld(
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
