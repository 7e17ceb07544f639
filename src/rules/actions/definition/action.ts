// What an action is: documentation, arguments, what it must know, and the calls that are still missing, as data.
import type { CallData } from '../../../api/call-data.ts'
import type { Fact } from '../../facts/definition/fact.ts'
import type { FactName, facts } from '../../facts/index.ts'
import type { Condition, Json } from '../../language/values/rule-types.ts'
import type { Shape } from '../../language/values/shapes.ts'
import type { ActionTrace, Call, CallOutcome, DecideInput, Effect, Memory, Occurrence, Trace } from '../../types.ts'

type FactsOf<N extends FactName> = { [K in N]: (typeof facts)[K] extends Fact<infer T> ? T : never }

/** What an action is given: its arguments, the facts that it asked for, and the merge request's path parameters. */
export interface ActionInput<A extends Json = Json, N extends FactName = FactName> {
  args: A
  facts: FactsOf<N>
  mr: { id: number; merge_request_iid: number }
  memory: Memory
  bot: DecideInput['bot']
  /** The body of a source that `reads` named; undefined where it cannot be read, or not to its end. */
  body(answerName: string): unknown
  /** The newest delivery that was heard of it, by its id. */
  heard: string | undefined
  /** The rule that asks, as it is remembered. */
  rule: string
  /** It was done while the rule held. */
  doneBefore: boolean
  /** A text for a note, with its `{{ fact }}` filled in. */
  fill(text: string): string
  /** A text that takes the place of another: never with a part missing. */
  fillWhole(text: string): { text: string } | { unknown: string[] }
  /** A fact that `also` named. */
  fact(name: FactName): Json | undefined
}

/** What is given where no single rule asks. */
export type JoinInput<N extends FactName = FactName> = Omit<
  ActionInput<Json, N>,
  'args' | 'rule' | 'doneBefore' | 'fill' | 'fillWhole'
>

/** A call that is to be made, before it is known which rules ask for it. */
export interface PlannedCall {
  call: CallData
  bound?: boolean
  /** What was so before, for a call that must not be made twice: `came` tells by it what became of one without an answer. */
  before?: Json
  /** Given to `remember` when it was done. */
  memo?: Json
  /** Where they are not those that the action declares for the arguments. */
  effects?: FactEffect[]
}

/** What one rule's action comes to. */
export type ActionOutcome =
  | { result: 'call'; detail: string; calls: PlannedCall[] }
  /** `noted` is given to `notice`; `handedOver`: the service does the rest by itself, so that no later rule goes before it now. */
  | {
      result: Exclude<ActionTrace['result'], 'call'>
      detail: string
      againInMs?: number
      noted?: Json
      handedOver?: true
    }

/** One rule's request for an action. */
export interface ActionRequest {
  args: Json
  /** It was done while the rule held, and is not done again; it still has its place in the order. */
  doneBefore: boolean
}

/** What an action requires beyond the rule's `if`, when not all of it is true. */
export interface Blocked {
  /** The names and verdicts of its own conditions, with what was found. */
  trace: Trace
  value(fact: FactName): Json | undefined
}

export type FactEffect = Effect<FactName>

/** What tells whether a call was done whose answer was lost. */
export interface AfterLoss {
  fact(name: FactName): Json | undefined
  /** The body of a source that `reads` named; undefined where it cannot be read, or not to its end. */
  body(answerName: string): unknown
  bot: DecideInput['bot']
  /** All that is in its mail, in the order in which it came. */
  events: readonly Occurrence[]
  /** The calls that the same decision had done before. */
  earlier: readonly Call[]
}

export interface Action<A extends Json = Json, N extends FactName = FactName> {
  name: string
  doc: string
  /** As it is written in a rule. */
  example: string
  args: Shape<A>
  /** What it must know to send only a difference. */
  needs: readonly N[]
  /** Done once for as long as the rule stays true. */
  oneWay?: boolean
  /** It has no state to compare with: only event rules may ask for it, once for each event. */
  onlyOnEvents?: boolean
  /** It acts on the project, not on a merge request: a rule asks for such actions alone, for an event. */
  ofProject?: boolean
  /** An event's request is kept until it is withdrawn, the head moves or, with `until it is done`, it is done. */
  standing?: 'until it is done' | 'while the head stays'
  /** Facts that it needs for these arguments besides: given by `fact`. */
  also?(args: A): readonly FactName[]
  /** Names of answers that it needs besides facts: `user@alice`. */
  reads?(args: A): string[]
  /** Texts among its arguments that may name facts: they are read as well. */
  texts?(args: A): string[]
  /** Each rule has its own, for each event or only for the newest: requests of different rules do not conflict. */
  perRule?: 'each' | 'the newest'
  /** Each of its arguments is a value of its own: the first rule wins for each. */
  byField?: boolean
  /** It is asked also when it was done before: what it made may have to be kept up to date. */
  keepsUp?: boolean
  /** While a rule asks for this, nothing is done about these: the restraining action wins (DESIGN §4). */
  restrains?: readonly string[]
  /** It restrains also when it was done while the rule held: what gives way would undo it. */
  restrainsWhenDone?: boolean
  /** An event's request restrains while the head stays, until an event requests what it restrains. */
  restrainsTheHead?: boolean
  /** While a rule asks for this, what events asked for of what it restrains is over. */
  endsStanding?: boolean
  /**
   * What its calls change in facts. Observe mode, rule tests and what-if apply it; `check` compares those of two rules.
   * `given` is absent where nothing but the rule is known.
   */
  effects?(args: A, given?: ActionInput<A, N>): FactEffect[]
  /** Comes after all other actions. */
  last?: boolean
  /** Trust decides who may ask for it: `merge` lets code in. */
  policy?: 'merge'
  /** It takes back an approval or a waiting merge: no limit, pause, mode or policy holds it back. */
  withdraws?: true
  /** Done by new rules only so often an hour: the new-rule limit. */
  limitedWhenNew?: boolean
  /** Conditions of its own. */
  requires?(args: A): Condition[]
  /** What comes of it while its own conditions are not all true. */
  blocked?(blocked: Blocked): ActionOutcome
  calls(input: ActionInput<A, N>): ActionOutcome
  /** For requests that share one call: the outcome of each request, in order; each call with the requests it serves. */
  join?(
    requests: readonly (ActionRequest & { args: A })[],
    input: JoinInput<N>,
  ): { outcomes: ActionOutcome[]; calls: (PlannedCall & { requests: number[] })[]; noted?: Json }
  /** A held action is taken back when no rule asks for it any more. */
  withdraw?: {
    /** Whether there is anything of Bellhop's own to take back; costs no source. */
    stands(memory: DecideInput['memory'], asking: readonly string[]): boolean
    /** `asking`: the rules that ask for the action now. */
    calls(input: JoinInput<N>, asking: readonly string[]): ActionOutcome
    /** What it must know, where that is not what doing it needs. An action with `policy` gets what is known, and takes back in doubt. */
    needs?: readonly FactName[]
    /** Names of answers that it needs besides facts. */
    reads?: readonly string[]
  }
  /** What became of a call with `before` whose answer was lost. Without it the next decision sends what still differs. */
  reconcile?: {
    /** What it must know. */
    needs?(call: Call): readonly FactName[]
    /** Names of answers that it needs besides facts. */
    reads?: readonly string[]
    outcome(call: Call, given: AfterLoss): CallOutcome
  }
  /** Whether the call fulfils a standing request. */
  fulfils?(call: CallData): boolean
  /** What is remembered after one of its calls was done or was so already, or (not `certain`) may have been done. */
  remember?(memory: Memory, call: Call, certain: boolean): Memory
  /** What is remembered of what was found to be so, without a call: that somebody else undid what is held. */
  notice?(memory: Memory, noted: Json): Memory
}

/** Declares an action. The registry holds it without its argument type, which only its own reader and its own calls know. */
export function action<A extends Json, const N extends FactName>(declared: Action<A, N>): Action {
  return declared as unknown as Action
}
