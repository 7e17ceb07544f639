// The verdict on a merge request in one sentence: what merges it, or what blocks that and which rule merges it then.
import { asksToWait } from '../actions/definition/accept-memory.ts'
import { NOT_READ } from '../facts/definition/fact.ts'
import { count } from '../language/values/wording.ts'
import type { ActionTrace, Decision, RuleTrace, Trace } from '../types.ts'
import { conditionsToChange, sayBroken, unmetIn } from './explain.ts'

const MOST_REASONS = 3

/** What a verdict is said of. */
type Decided = Pick<Decision, 'rules' | 'files' | 'responses' | 'state' | 'paused'>

/** Rules that merge come first, then those that approve, then the others; each in their order. */
export function byWeight(rules: readonly RuleTrace[]): Record<'merge' | 'approve' | 'other', RuleTrace[]> {
  const those = (...of: RuleTrace['leadsTo'][]) => rules.filter(({ leadsTo }) => of.includes(leadsTo))
  return { merge: those('merge'), approve: those('approve'), other: those('close', undefined) }
}

/** One sentence. Its texts are as hostile as those of the decision. `hidden`: the reader may not read some rules. */
export function sayVerdict(decided: Decided, { hidden = false } = {}): string {
  const { rules, files, responses, state, paused } = decided
  const merged = responses.find(({ call }) => call.endpoint === 'mergeRequests.accept')
  const named = (rule: RuleTrace) => `rule ${JSON.stringify(rule.name)}`
  if (merged?.result === 'done' || merged?.result === 'already') {
    const by = rules.find(({ key }) => merged.call.rules.includes(key))
    const what = asksToWait(merged.call) ? 'Set to merge when its pipeline succeeds' : 'Merged'
    return `${what}${by === undefined ? '' : `, by ${named(by)}`}.`
  }
  if (state !== undefined && state !== 'opened') return ENDED[state] ?? `It is ${state}.`
  const stopped = paused ?? sayBroken(files)
  if (stopped !== undefined) return `Not merged: ${stopped}.`
  if (merged !== undefined) return `Not merged: the service answered ${merged.message ?? String(merged.status)}.`
  const nearest = nearestIn(rules)
  if (nearest === undefined)
    return hidden ? 'Not merged: no rule of this repository merges it.' : 'Not merged: no rule merges it.'
  const { rule, accept } = nearest
  return accept === undefined ? ofUnmatched(rule, named(rule)) : ofMatched(accept, named(rule))
}

/** The rule that merges it, with what became of that; else the one of which the fewest conditions have to change. */
function nearestIn(rules: readonly RuleTrace[]): { rule: RuleTrace; accept?: ActionTrace } | undefined {
  const merging = byWeight(rules).merge.filter(({ mode }) => mode === undefined)
  const rule = merging.find(({ verdict }) => verdict === 'true')
  const accept = rule?.actions.find(({ action }) => action === 'accept')
  if (rule !== undefined && accept !== undefined) return { rule, accept }
  const [nearest] = merging.toSorted((one, other) => farFrom(one) - farFrom(other))
  return nearest && { rule: nearest }
}

/** The conditions that block the merge of which the verdict is said; none where it waits for a command. */
export function blockersOf({ rules, state }: Pick<Decided, 'rules' | 'state'>): Trace[] {
  const nearest = state === undefined || state === 'opened' ? nearestIn(rules) : undefined
  const conditions = nearest?.accept === undefined ? nearest?.rule.conditions : nearest.accept.conditions
  return conditions === undefined || conditions.condition === 'on' ? [] : blockersIn(conditions)
}

const ENDED: Record<string, string> = {
  merged: 'Merged.',
  closed: 'Not merged: it is closed.',
  locked: 'The service is merging it.',
}

function ofMatched({ result, detail, conditions, queue }: ActionTrace, rule: string): string {
  if (result === 'call') return `Now: ${detail}, by ${rule}.`
  if (result === 'waits') return `${queue === undefined ? 'Not merged yet' : 'Queued'}: ${detail}, by ${rule}.`
  if (result === 'blocked') {
    const reasons = conditions === undefined ? [] : reasonsIn(conditions)
    return `Not merged: ${reasons.length === 0 ? detail : joined(reasons)}; then it merges by ${rule}.`
  }
  return `Not merged: ${detail}, by ${rule}.`
}

function ofUnmatched({ conditions }: RuleTrace, rule: string): string {
  if (conditions.condition === 'on')
    return `Not merged: nobody has asked for it; ${rule} waits for ${conditions.expected}.`
  return `Not merged: ${joined(reasonsIn(conditions))}; then it merges by ${rule}.`
}

/** Rules that wait for an event come last. */
const farFrom = ({ conditions }: RuleTrace) =>
  conditions.condition === 'on' ? Number.POSITIVE_INFINITY : conditionsToChange(conditions)

/** The first reasons in one phrase. */
export function joined(reasons: readonly string[]): string {
  const more = reasons.length - MOST_REASONS
  const shown = reasons.slice(0, MOST_REASONS).join(', ')
  return more > 0 ? `${shown}, and ${count(more, 'more condition')}` : shown
}

/** A word in quotes: it reads as well without them. */
const ONE_WORD = /^"([\w.-]+)"$/

/** `pipeline is running`, `labels is none (needs any of "ready")`: what a single word needs, goes without saying. */
export function sayReason({ condition, expected, actual }: Trace): string {
  const isPlain = ONE_WORD.test(expected) || /^(true|false)$/.test(expected)
  const needs = isPlain || expected === '' ? '' : ` (needs ${expected})`
  return `${condition.replaceAll('_', ' ')} is ${actual.replace(ONE_WORD, '$1')}${needs}`
}

/** What has to change, each in words. Of alternatives, what the nearest needs. */
export const reasonsIn = (trace: Trace): string[] => blockersIn(trace).map(sayReason)

/** What was not read is left out where something else blocks. */
function blockersIn(trace: Trace): Trace[] {
  const all = unmetIn(trace, nearestOf)
  const read = all.filter(({ actual }) => actual !== NOT_READ)
  return read.length === 0 ? all : read
}

const nearestOf = (open: readonly Trace[]) =>
  open.toSorted((one, other) => conditionsToChange(one) - conditionsToChange(other))[0]
