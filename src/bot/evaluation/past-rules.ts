// Finds merges past the rules: what somebody else merged is evaluated once, by the rules and the facts of just before.

import type { LoadedMergeRequest } from '../../journal/journal.ts'
import { lastOpenState } from '../../journal/last-open-state.ts'
import { pastRulesId, pastRulesOperation } from '../../journal/tables/audit.ts'
import { acceptMemory } from '../../rules/actions/definition/accept-memory.ts'
import {
  factsBeforeMerge,
  type LastEvaluation,
  type MergeEvidence,
  transientFacts,
} from '../../rules/backtest/past-facts.ts'
import { hasMergingRule, mergeOnly, type PastRules, pastRules } from '../../rules/backtest/past-rules.ts'
import { parseTime } from '../../rules/facts/definition/service-values.ts'
import { mergeRequestSource, sources } from '../../rules/facts/definition/sources.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { Actor, DecideInput, Event, SourceName } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { notify } from '../notifications/notify.ts'
import { mergeRequestIn } from './answers.ts'
import type { DecisionInForce } from './decide-in-force.ts'
import { branchHistory } from './decide-input.ts'
import { decideWithFacts, withAnswer } from './fetch-facts.ts'
import { withoutReplays } from './record-decision.ts'

const isMerge = ({ kind }: Event) => kind === 'merge_request.merge'

/**
 * Records and notifies a merge by somebody else that no rule would have made, if this evaluation is the first that sees
 * it merged. Writes nothing at the service. Throws what client and journal throw.
 */
export async function reportPastRules(
  context: Context,
  decided: DecisionInForce,
  loaded: Pick<LoadedMergeRequest, 'ended' | 'pendingEvents'>,
): Promise<void> {
  const events = withoutReplays(loaded.pendingEvents).map(({ event }) => event)
  const merge = events.find(isMerge)
  // Without its event, only an evaluation that saw it open tells that the merge is new.
  if (loaded.ended === true || (merge === undefined && loaded.ended === undefined)) return
  if (!hasMergingRule(decided.input)) return
  if (merge === undefined && !(mergeRequestSource in decided.input.answers)) return
  const input = await withSource(context, decided.input, mergeRequestSource)
  const body = mergeRequestIn(input)
  if (body.state !== 'merged') return
  const by = mergerOf(body, merge)
  if (isOwnMerge(by, decided)) return
  const found = await evaluateAsThen(context, { ...decided, input }, { body, by, events })
  if (found !== undefined) await record(context, input, { ...found, by, at: momentOf(body, input) })
}

/** The service names who merged it, which the page of the API does not show; else the event does. */
function mergerOf({ merge_user: user, merged_by: older }: Record<string, unknown>, merge: Event | undefined): Actor {
  const named = [user, older].find(isMap)
  const { id, username } = named ?? merge?.actor ?? {}
  return {
    ...(typeof id === 'number' ? { id } : {}),
    ...(typeof username === 'string' && username !== '' ? { username } : {}),
  }
}

/** Where nobody is named, a merge that Bellhop requested counts as its own. */
function isOwnMerge({ id, username }: Actor, { input: { bot, memory }, decision }: DecisionInForce): boolean {
  if (id !== undefined) return id === bot.id
  if (username !== undefined) return username === bot.username
  const { queued, waitingSha } = acceptMemory(memory)
  return queued !== undefined || waitingSha !== undefined || decision.settled?.call.revalidate === true
}

function evidenceOf(events: readonly Event[]): MergeEvidence {
  if (events.length === 0) return 'none'
  return events.findIndex(isMerge) === 0 ? 'merge' : 'events'
}

const momentOf = ({ merged_at }: Record<string, unknown>, { now }: Pick<DecideInput, 'now'>) =>
  new Date(parseTime(merged_at) ?? now).toISOString()

/** Decides as it was: once with what the service says now, and again without what may have changed since. */
async function evaluateAsThen(
  context: Context,
  { input, rules }: DecisionInForce,
  { body, by, events }: { body: Record<string, unknown>; by: Actor; events: readonly Event[] },
): Promise<PastRules | undefined> {
  const { client, journal, service } = context
  const { mergeRequest, policy, bot, project } = input
  const part = mergeOnly(input, { by, target: String(body.target_branch), at: momentOf(body, input) })
  const last = await lastOpenState(journal, mergeRequest)
  const seen = last?.head === body.sha ? last?.facts : undefined
  const history = branchHistory(context, { id: mergeRequest.project, path: rules.projectPath })
  const decide = ({ answers }: DecideInput, present: LastEvaluation, evidence: MergeEvidence) => {
    const overrides = [...factsBeforeMerge(seen, present, evidence), ...part.overrides]
    const initial = { ...part, mergeRequest, policy, bot, project, overrides }
    return decideWithFacts(client, initial, { cache: service.answers, answers, history })
  }
  // Which rules are for its target branch must be known, whatever else is.
  const now = await decide(await withSource(context, input, sources.project.name), {}, 'events')
  const present = transientFacts({ ...now.input, overrides: undefined })
  const then = await decide(now.input, present, evidenceOf(events))
  return pastRules(then.decision, then.input)
}

const withSource = async ({ client, service: { answers: cache } }: Context, input: DecideInput, name: SourceName) =>
  name in input.answers ? input : withAnswer(client, input, name, { cache })

async function record(
  context: Context,
  { mergeRequest: { project, iid } }: DecideInput,
  { by: { username }, at, rule, failed, unknown }: PastRules & { by: Actor; at: string },
): Promise<void> {
  const by = username ?? ''
  const to = { project, iid, rule, failed, unknown }
  await context.journal.audit.save({ id: pastRulesId({ project, iid }), at, by, operation: pastRulesOperation, to })
  context.log.info({ event: 'merged_past_rules', by, rule, failed, unknown }, 'somebody merged it, and no rule would')
  if (failed.length === 0) return
  const about = { project, projectPath: '', iid, by, rule, conditions: failed }
  await notify(context, { kind: 'merged_past_rules', about }, JSON.stringify([project, iid]))
}
