// The outcome of a decision and of each of its rules, by which decisions are found and counted; and the receipt of a merge.
import type { CallResponse, Decision, Json } from '../types.ts'

/**
 * `failed`: a call was refused, or its effect is unknown; `acted`: a call was made or already applied, whatever else
 * waits; `blocked`: a matched rule asks for something that is held back or waits; `nothing`: there was nothing to do.
 */
export const decisionOutcomes = ['acted', 'nothing', 'blocked', 'failed'] as const
export type DecisionOutcome = (typeof decisionOutcomes)[number]

export function outcomeOf(decision: Pick<Decision, 'rules' | 'responses' | 'paused'>): DecisionOutcome {
  const { rules, responses, paused } = decision
  const came = (...results: CallResponse['result'][]) => responses.some(({ result }) => results.includes(result))
  if (came('refused', 'ambiguous')) return 'failed'
  if (came('done', 'already')) return 'acted'
  const asks = rules.flatMap(({ verdict, actions }) => (verdict === 'true' ? actions : []))
  const isHeld = asks.some(({ result, dryRun }) => dryRun !== true && (result === 'blocked' || result === 'waits'))
  return paused !== undefined || isHeld || came('moved', 'not_now', 'dropped') ? 'blocked' : 'nothing'
}

/** The names of the rules that matched, each once: an event rule is evaluated for each event. */
export function matchedRules({ rules }: Pick<Decision, 'rules'>): string[] {
  return [...new Set(rules.flatMap(({ name, verdict }) => (verdict === 'true' ? [name] : [])))]
}

/** `acted`: matched, and a call was made; `matched`: matched, and there was nothing to do. */
type RuleOutcome = 'acted' | 'matched' | 'unknown' | 'false'

/** An event rule has one for each event. `rule` is `<file>#<rule name>`. */
export function ruleOutcomes({
  rules,
  responses,
}: Pick<Decision, 'rules' | 'responses'>): { rule: string; outcome: RuleOutcome }[] {
  const acted = new Set(
    responses.flatMap(({ call, result }) => (result === 'done' || result === 'already' ? call.rules : [])),
  )
  return rules.map(({ file, name, key, verdict }) => {
    const rule = `${file}#${name}`
    if (verdict !== 'true') return { rule, outcome: verdict }
    return { rule, outcome: acted.has(key) ? 'acted' : 'matched' }
  })
}

/** The response to the call that merged it, or made the service or the merge queue merge it later. */
export const mergeIn = ({ responses }: Pick<Decision, 'responses'>): CallResponse | undefined =>
  responses.find(
    ({ call: { action, revalidate, to }, result }) =>
      action === 'accept' && (revalidate === true || to === 'queue') && (result === 'done' || result === 'already'),
  )

export type Receipt = NonNullable<ReturnType<typeof receiptOf>>

/**
 * Undefined for a decision that merged nothing. Approvals are those that counted, for the content of the head. `landed`:
 * by a merge queue, which knows no tree if it tested without git.
 */
export function receiptOf(
  decision: Decision & { facts?: Record<string, Json> },
  landed: { commit?: Json; tree?: string } = {},
) {
  const merge = mergeIn(decision)
  if (merge === undefined) return undefined
  const { rules, head, target, files, facts = {} } = decision
  const { endpoint, rules: keys } = merge.call
  const { commit = merge.created, tree } = landed
  const of = rules.filter(({ key }) => keys.includes(key))
  const blobOf = (file: string) => files.find(({ path }) => path === file)?.blob ?? null
  return {
    endpoint,
    at: merge.at,
    head,
    target,
    commit,
    tree,
    rules: of.map(({ name, file, line }) => ({ name, file, line, blob: blobOf(file) })),
    pipeline: facts.pipeline,
    approvals: facts.approved_by,
    facts,
  }
}
