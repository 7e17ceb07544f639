// Finds merges past the rules: what somebody else merged is evaluated once, by the rules and the facts of just before.
import { type LoadedMergeRequest, lastOpenState } from '../../journal/journal.ts'
import { pastRulesId, pastRulesOperation } from '../../journal/tables/audit.ts'
import { acceptMemory } from '../../rules/actions/definition/accept-memory.ts'
import { factsBeforeMerge, type MergeEvidence, transientFacts } from '../../rules/backtest/past-facts.ts'
import { mergeOnly, mergingRules, pastRules } from '../../rules/backtest/past-rules.ts'
import { ruleSet } from '../../rules/engine/conditions/rules-in-force.ts'
import { parseTime } from '../../rules/facts/definition/service-values.ts'
import { mergeRequestSource, sources } from '../../rules/facts/definition/sources.ts'
import { projectRef, subjectOf } from '../../rules/facts/definition/subject-ref.ts'
import { isFor } from '../../rules/language/events.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { Actor, DecideInput, Event, SourceName } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { notify } from '../notifications/notify.ts'
import { enqueueEvaluation } from '../queues.ts'
import { fileAt, isCommit } from '../rule-files/read-rule-file.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'
import { mergeRequestIn } from './answers.ts'
import { touchesRules } from './changed-rules.ts'
import type { DecisionInForce } from './decide-in-force.ts'
import { branchHistory } from './decide-input.ts'
import { decideWithFacts, withAnswer } from './fetch-facts.ts'
import { withoutReplays } from './record-decision.ts'

type Merge = Actor & { at: string; head: unknown; target: string; evidence: MergeEvidence }

/**
 * Records and notifies a merge by somebody else that no rule would have made, if this evaluation is the first that sees
 * it. Writes nothing at the service. Throws what client and journal throw.
 */
export async function reportPastRules(
  context: Context,
  decided: DecisionInForce,
  loaded: Pick<LoadedMergeRequest, 'ended' | 'pendingEvents'>,
): Promise<void> {
  const events = withoutReplays(loaded.pendingEvents).map(({ event }) => event)
  const hasEvent = events.some(isMerge)
  // Without its event, only an evaluation that saw it open tells that the merge is new.
  const isNew = hasEvent || (loaded.ended === false && mergeRequestSource in decided.input.answers)
  if (loaded.ended === true || !isNew || mergingRules(decided.input).length === 0) return
  const input = await withSource(context, decided.input, mergeRequestSource)
  const merge = mergeOf(input, events)
  if (merge === undefined || isOwn(merge, decided)) return
  const files = await filesBefore(context, input)
  const found = await evaluateAsThen(context, { ...decided, input: { ...input, files } }, merge)
  if (found === undefined) return
  const { project, iid } = input.mergeRequest
  const { at, username: by = '' } = merge
  const to = { project, iid, ...found }
  await context.journal.audit.save({ id: pastRulesId(project, iid), at, by, operation: pastRulesOperation, to })
  context.log.info({ event: 'merged_past_rules', by, ...found }, 'somebody merged it, and no rule would')
  const { rule, failed: conditions } = found
  if (conditions.length === 0) return
  const about = { project, projectPath: '', iid, by, rule, conditions }
  await notify(context, { kind: 'merged_past_rules', about }, JSON.stringify([project, iid]))
  await raise(context, input, merge)
}

/** The rule files before the merge: what it changes of them does not count for itself. */
async function filesBefore(context: Context, input: DecideInput): Promise<DecideInput['files']> {
  const { diff_refs: refs } = mergeRequestIn(input)
  const target = isMap(refs) ? refs.start_sha : undefined
  if (typeof target !== 'string' || !isCommit(target) || !(await touchesRules(context, input))) return input.files
  const { project } = input.mergeRequest
  const before = await fileAt(context.client, project, repositoryRulePath, target)
  return (await context.rules.asIf(project, before)).files
}

/** Rules may wait for the merge as an event, for the merge request and for the project. */
async function raise(
  { journal, queues, now }: Context,
  { mergeRequest, files, policy }: DecideInput,
  { id, username }: Actor,
) {
  const { project, iid } = mergeRequest
  const at = new Date(now()).toISOString()
  const event: Event = { kind: 'merge_request.merged_past_rules', project, iid, actor: { id, username }, at }
  for (const ref of [mergeRequest, projectRef(project)]) {
    const rules = ruleSet(files, policy).of[subjectOf(ref)]
    if (!rules.some(({ mode, rule }) => mode !== 'off' && isFor(rule.on ?? [], event))) continue
    await journal.events.add(ref, { deliveryId: pastRulesId(project, iid), event })
    await enqueueEvaluation(queues.mergeRequests, ref)
  }
}

const isMerge = ({ kind }: Event) => kind === 'merge_request.merge'

const withSource = async ({ client, service: { answers: cache } }: Context, input: DecideInput, name: SourceName) =>
  name in input.answers ? input : withAnswer(client, input, name, { cache })

/** Undefined if it is not merged. The service names who merged it, which the page of the API does not show. */
function mergeOf(input: DecideInput, events: readonly Event[]): Merge | undefined {
  const { state, merged_at, merge_user: user, sha: head, target_branch: target } = mergeRequestIn(input)
  if (state !== 'merged' || typeof target !== 'string') return undefined
  const place = events.findIndex(isMerge)
  const { id, username } = isMap(user) ? user : (events[place]?.actor ?? {})
  return {
    id: typeof id === 'number' ? id : undefined,
    username: typeof username === 'string' ? username : undefined,
    at: new Date(parseTime(merged_at) ?? input.now).toISOString(),
    head,
    target,
    evidence: events.length === 0 ? 'none' : place === 0 ? 'merge' : 'events',
  }
}

/** Where nobody is named, a merge that Bellhop requested counts as its own. */
function isOwn({ id, username }: Actor, { input: { bot, memory }, decision }: DecisionInForce): boolean {
  if (id !== undefined || username !== undefined) return id === undefined ? username === bot.username : id === bot.id
  const { queued, waitingSha } = acceptMemory(memory)
  return queued !== undefined || waitingSha !== undefined || decision.settled?.call.revalidate === true
}

/** Decides once with what the service says now, and again without what may have changed since. */
async function evaluateAsThen(context: Context, { input, rules }: DecisionInForce, merge: Merge) {
  const { client, journal, service } = context
  const { mergeRequest, policy, bot, project } = input
  const part = mergeOnly(input, { ...merge, by: merge })
  const last = await lastOpenState(journal, mergeRequest)
  const seen = last?.head === merge.head ? last?.facts : undefined
  const history = branchHistory(context, { id: mergeRequest.project, path: rules.projectPath })
  const decide = (read: DecideInput, evidence: MergeEvidence) => {
    const present = transientFacts({ ...read, overrides: undefined })
    const overrides = [...factsBeforeMerge(seen, present, evidence), ...part.overrides]
    const initial = { ...part, mergeRequest, policy, bot, project, overrides }
    return decideWithFacts(client, initial, { cache: service.answers, answers: read.answers, history })
  }
  // Which rules are for its target branch must be known, whatever else is.
  const now = await decide(await withSource(context, input, sources.project.name), 'events')
  const then = await decide(now.input, merge.evidence)
  return pastRules(then.decision, then.input)
}
