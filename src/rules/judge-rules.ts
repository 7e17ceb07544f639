// Judges all rules on what is known: their verdicts, and the traces of those that are asked for.
import type { CompiledFile } from './compiled.ts'
import { isFor } from './events.ts'
import type { Judged, Limits } from './judge.ts'
import { createJudging, type Judging } from './judging.ts'
import { isOwnDoing } from './own-event.ts'
import { limitEndsInMs, patternLimit } from './pattern-limit.ts'
import { createStepBudget, MOST_STEPS } from './pattern-work.ts'
import type { Judgement } from './rules-in-force.ts'
import type { DecideInput, Decision, Trust, Verdict } from './types.ts'
import { withdrawalsOf } from './unknown-restraint.ts'
import { createView, type View } from './view.ts'

export interface JudgedRules {
  /** By the rule's place. */
  verdicts: readonly Verdict[]
  /** With its trace. */
  judged(place: number): Judged
  /** With the rule's event, where it has one. */
  view(judgement: Judgement): View
  /** When to evaluate again though nothing happens. */
  againInMs: readonly number[]
}

/** An event rule without an event of anybody else: nothing is read for it. */
function noEvent({ rule: { on = [] } }: Judgement, input: DecideInput): Judged {
  const wanted = on.map(({ kind }) => kind).join(' or ')
  const own = input.events.filter(({ event }) => isFor(on, event) && isOwnDoing(event, input)).map(({ event }) => event.kind)
  const actual =
    own.length === 0
      ? 'no such event'
      : `${[...new Set(own)].join(' and ')} by ${input.bot.username}: what Bellhop did itself starts no rule`
  const unblock = `an event that is ${wanted}${own.length === 0 ? '' : ', by anybody else'}`
  return { trace: { condition: 'on', verdict: 'false', wanted, actual, unblock }, needs: [] }
}

/** The head, null where it is not known, and the target branch that are judged. */
export type EvaluatedVersion = Pick<Decision, 'head' | 'target'>

/** The head or the target branch is another one since it was asked for. */
function overtaken({ request }: Judgement, { head, target }: EvaluatedVersion): Judged | undefined {
  if (request === undefined) return undefined
  if (request.target !== undefined && target !== undefined && request.target !== target) {
    const unblock = 'to ask again for the new target branch'
    return { trace: { condition: 'target_branch', verdict: 'false', wanted: request.target, actual: target, unblock }, needs: [] }
  }
  if (head === null || request.head === head) return undefined
  const [wanted, actual] = [request.head.slice(0, 8), head.slice(0, 8)]
  return { trace: { condition: 'head', verdict: 'false', wanted, actual, unblock: 'to ask again for the new head' }, needs: [] }
}

/** A rule that is off is not judged. */
function turnedOff(): Judged {
  const unblock = 'to let the rule act, or observe'
  return { trace: { condition: 'mode', verdict: 'false', wanted: 'act or observe', actual: 'off', unblock }, needs: [] }
}

/** What is said of a rule without a look at its conditions. */
function settledBefore(each: Judgement, input: DecideInput, version: EvaluatedVersion): Judged | undefined {
  if (each.mode === 'off') return turnedOff()
  if (each.rule.on === undefined) return undefined
  return each.occurrence === undefined ? noEvent(each, input) : overtaken(each, version)
}

/** The budgets of both sides: a repository cannot use up what the operator's rules need. */
function limitsFor({ work }: DecideInput): Record<Trust, Limits> {
  return {
    operator: { budget: createStepBudget(MOST_STEPS), work },
    repository: { budget: createStepBudget(work?.repositorySteps ?? MOST_STEPS), work },
  }
}

/** A view, and what was found out on it about the conditions of each file. */
interface Looking {
  view: View
  judging(file: CompiledFile, trust: Trust): Judging
}

function look(view: View, limits: Record<Trust, Limits>): Looking {
  const all = new Map<CompiledFile, Judging>()
  let last: { file: CompiledFile; judging: Judging } | undefined
  return {
    view,
    judging(file, trust) {
      if (last?.file === file) return last.judging
      const judging = all.get(file) ?? createJudging(file, view, limits[trust])
      all.set(file, judging)
      last = { file, judging }
      return judging
    },
  }
}

/** `state` is the view of all state rules; rules for events have one for each event. */
export function judgeRules(rules: readonly Judgement[], input: DecideInput, state: View, version: EvaluatedVersion): JudgedRules {
  const limits = limitsFor(input)
  const ofState = look(state, limits)
  const ofEvents = new Map<string, Looking>()
  const lookFor = ({ occurrence }: Judgement): Looking => {
    if (occurrence === undefined) return ofState
    const looking = ofEvents.get(occurrence.id) ?? look(createView(input, occurrence.event), limits)
    ofEvents.set(occurrence.id, looking)
    return looking
  }
  const judged = (place: number): Judged => {
    const each = rules[place] as Judgement
    const settled = settledBefore(each, input, version)
    if (settled !== undefined) return settled
    const beyond = exceeded[each.file.trust]
    if (beyond !== undefined) return beyond
    // Of what may take back it matters also that it does not hold.
    const goal = withdrawalsOf(each).length > 0 ? 'either' : 'true'
    return lookFor(each).judging(each.compiled, each.file.trust).judge(each.condition, goal)
  }
  const verdicts = rules.map((each): Verdict => {
    const { compiled, condition, file } = each
    if (each.rule.on === undefined && each.mode !== 'off') return ofState.judging(compiled, file.trust).verdict(condition)
    return settledBefore(each, input, version)?.trace.verdict ?? lookFor(each).judging(compiled, file.trust).verdict(condition)
  })
  // All of them, not only those that come after: a rule that restrains others may be among them.
  const exceeded = { operator: patternLimit(limits.operator.budget), repository: patternLimit(limits.repository.budget) }
  rules.forEach((each, place) => {
    if (exceeded[each.file.trust] !== undefined) verdicts[place] = settledBefore(each, input, version)?.trace.verdict ?? 'unknown'
  })
  if (input.work !== undefined) input.work.taken = Math.max(input.work.taken, limits.repository.budget.taken)
  return { verdicts, judged, view: (judgement) => lookFor(judgement).view, againInMs: limitEndsInMs(limits.repository.budget) }
}
