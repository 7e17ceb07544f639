// What an action declares: its documentation, arguments and needs, and how it plans calls as data.
import type { CallData } from '../../../api/call-data.ts'
import type { Entry } from '../../../merge-queue/types.ts'
import type { Fact } from '../../facts/definition/fact.ts'
import type { FactName, facts } from '../../facts/index.ts'
import type { FactReader } from '../../facts/reading/fact-view.ts'
import type { FillValue } from '../../language/groups.ts'
import type { GroupMembers } from '../../language/operators/operator-shapes.ts'
import type { TextFacts } from '../../language/templates.ts'
import type { Condition, Json, RuleFileInForce } from '../../language/values/rule-types.ts'
import { onlyTrue, type Shape } from '../../language/values/shapes.ts'
import type {
  ActionTrace,
  Call,
  CallOutcome,
  CallResponse,
  DecideInput,
  Effect,
  Memory,
  OwnCall,
  SourceAnswer,
  SourceName,
  Trace,
} from '../../types.ts'
import type { Target } from './action-calls.ts'

type FactsOf<N extends FactName> = { [K in N]: (typeof facts)[K] extends Fact<infer T> ? T : never }

/** The input if no single rule requests the action. */
export interface JoinInput<N extends FactName = FactName>
  extends Pick<DecideInput, 'memory' | 'bot' | 'now' | 'queueEntry' | 'policy' | 'page'> {
  /** The facts that `needs` names. */
  facts: FactsOf<N>
  /** A fact that `reads` names. */
  fact(name: FactName): Json | undefined
  /** The answer of a source. One that was not read yet is read first, and everything is planned again. */
  answer(answerName: string): SourceAnswer | undefined
  /** The body of such an answer; undefined if it cannot be read, or only in part. */
  body(answerName: string): unknown
  /** The answers that were asked for and not read yet. */
  unread: ReadonlySet<SourceName>
  /** The path parameters of the merge request. */
  mr: { id: number; merge_request_iid: number }
  /** The path parameters of the merge request or the issue, for actions that can be done to both. */
  target: Target
}

export interface ActionInput<A extends Json = Json, N extends FactName = FactName> extends JoinInput<N> {
  args: A
  /** The rule that requests the action, as memory names it. */
  rule: string
  /** The action was done while the rule matched. */
  doneBefore: boolean
  /** What the service left out when the action was done. */
  dropped?: string
  /** The rule, or everything in the repository, may use all groups that Bellhop sees, not only the project's own. */
  anyGroup?: 'in the rule' | 'everywhere'
  /** The rule, with its event if it has one. */
  requestKey: string
  /** The conditions of the rule. */
  conditions: Condition
  /** The facts and groups of its texts. */
  texts: TextFacts
  /** The merge queue that it requests, as it is now. */
  queue?: QueueTerms
}

/** What the settings of a merge queue say about a merge request. */
export interface QueueTerms extends Pick<Entry, 'priority' | 'frozen' | 'frozenUntil' | 'frozenBecause'> {
  name: string
  target: string
  land: 'accept' | 'push'
  /** It pushes merge commits of the heads as they are, and cannot squash. */
  pushesHeads: boolean
  preempts: boolean
}

/** A call to be made, before it is known which rules request it. */
export interface PlannedCall extends Pick<Call, 'revalidate' | 'takesOff' | 'before' | 'memo' | 'replaced'> {
  call: CallData | OwnCall
  /** Absent: the effects that the action declares for its arguments. */
  effects?: FactEffect[]
}

/** The outcome of an action for one rule. */
export type ActionOutcome =
  /** `changesEntry`: the head is in the queue, and only its terms change: no limit counts the call once more. */
  | { result: 'call'; detail: string; calls: PlannedCall[]; changesEntry?: true }
  /**
   * `noticed` is passed to `notice`. `handedOver`: the service or the merge queue (`queue`) does the rest by itself, so
   * no later rule may win now.
   */
  | ({
      result: Exclude<ActionTrace['result'], 'call'>
      detail: string
      againInMs?: number
      noticed?: Json
      handedOver?: true
      /** Epoch milliseconds: when to plan it again without an event. */
      changesAt?: number
    } & Pick<ActionTrace, 'queue' | 'limitedUntil' | 'waitsFor'>)

/** One rule's request for an action. */
export interface ActionRequest {
  args: Json
  /** False only for an action that is also planned when its rule does not match. */
  matches: boolean
  /** What its rule lacks, in public words; absent if it matches, or Bellhop is turned off. */
  missing?: (() => string) | undefined
  file: Pick<RuleFileInForce, 'trust'>
  /** It was done while the rule matched and is not done again, but keeps its place in the order. */
  doneBefore: boolean
}

/** The action's own conditions, when not all of them are true. */
export interface UnmetConditions {
  trace: Trace
  value(fact: FactName): Json | undefined
}

export type FactEffect = Effect<FactName>

export interface ReconcileInput extends Pick<JoinInput, 'fact' | 'body' | 'bot'> {
  /** The calls that the same decision made before. */
  earlier: readonly Call[]
}

/**
 * When a rule does the action. Absent: each time that the state is not as requested.
 *
 * - `one_way`: once for as long as the rule matches.
 * - `fresh`: the same, but `calls` runs nevertheless, because what it did must stay up to date.
 * - `followed`: the same, but `calls` runs until the work of the service after the call has ended, for an event too.
 * - `on_events`: it has no state to compare with: only event rules may request it, and it is done once per event.
 * - `until_done`, `while_head_stays`: an event's request stays until it is withdrawn, the head moves or it is done.
 * - `unmatched_too`: only state rules may request it. It is also planned when they do not match.
 */
export type When = 'one_way' | 'fresh' | 'followed' | 'on_events' | 'until_done' | 'while_head_stays' | 'unmatched_too'

export interface Action<A extends Json = Json, N extends FactName = FactName> {
  name: string
  doc: string
  /** What other tools call it: `check` suggests the action for these words. */
  synonyms?: readonly string[]
  /** An example, as a rule writes it. */
  example: string
  args: Shape<A>
  /** The facts that it compares with, so that it sends only a difference. */
  needs: readonly N[]
  /** What else it reads for these arguments. */
  reads?: {
    /** Facts that `fact` returns. */
    facts?(args: A, given?: Pick<JoinInput, 'memory' | 'now'>): readonly FactName[]
    /** Names of answers that are read with the facts: `user@alice`. */
    answers?(args: A): string[]
    /** The sources that it reads for some arguments, but not for its example. */
    sources?: readonly string[]
  }
  /** The texts and names in its arguments. */
  template?: {
    /** Texts that may name facts. Those facts are read too. */
    texts?(args: A): string[]
    /** People whom its texts mention are notified. */
    mentions?: true
    /** Users, groups, the operator's chats and the CODEOWNERS file, in addition to the names in its effects. */
    names?(args: A): { kind: 'user' | 'group' | 'chat' | 'code_owners'; name: string; members?: GroupMembers }[]
    /** The arguments with the named groups of the rule filled in; absent if they name none. */
    fillArgs?(args: A, fill: FillValue): A
  }
  /** A function is for one-way actions. */
  when?: When | ((args: A) => 'one_way' | 'fresh')
  /** What it can be done to other than merge requests: issues with the same call, or projects for their events. */
  on?: 'issues' | 'projects'
  /**
   * Requests of different rules do not conflict: one rule has a request for each event (`rule`), or only for the newest
   * (`newest_event`); or the first rule wins for each argument (`field`).
   */
  per?: 'rule' | 'newest_event' | 'field'
  /** While a rule requests it, these actions are not done, and their standing requests end. */
  restrains?: {
    actions: readonly string[]
    /** Also after it was done, because they would undo it; or while the head stays, until an event requests them. */
    also?: 'after_it_was_done' | 'while_head_stays'
  }
  /**
   * - `merge`: it lets code in, so trust decides who may request it, and the new-rule limit applies.
   * - `new_rules`: the new-rule limit applies.
   * - `maintainers`: it runs code: only maintainers command it, and an event requests it for the head at that time.
   * - `never`: it withdraws an approval or a waiting merge: no limit, pause, mode or policy holds it back.
   */
  limited?: 'merge' | 'new_rules' | 'maintainers' | 'never'
  /**
   * What its calls change in facts. Observe mode, rule tests and what-if apply it; `check` compares those of two rules.
   * `given` is absent if only the rule is known.
   */
  effects?(args: A, given?: ActionInput<A, N>): FactEffect[]
  /** Its own conditions. Without a view: those that apply whatever the facts are. */
  requires?(args: A, view?: Pick<FactReader, 'fact'>): Condition[]
  /** The outcome while not all of its own conditions are true. */
  blocked?(unmet: UnmetConditions): ActionOutcome
  calls(input: ActionInput<A, N>): ActionOutcome
  /**
   * For requests that share one call: the outcome of each request, in order, and each call with the requests it serves.
   * `unmet`: why the pipeline does not count as green, whatever its status is.
   */
  join?(
    requests: readonly (ActionRequest & { args: A })[],
    input: JoinInput<N>,
  ): { outcomes: ActionOutcome[]; calls: (PlannedCall & { requests: number[] })[]; noticed?: Json; unmet?: string }
  /** A held action is withdrawn when no rule requests it any more. */
  withdraw?: {
    /** Whether something that Bellhop did is in effect, by memory. `requesting`: the rules that request it now. */
    isInEffect(memory: DecideInput['memory'], requesting: readonly string[]): boolean
    calls(input: JoinInput<N>, requesting: readonly string[]): ActionOutcome
    /** The facts it needs, if not those of the action. A merge or an approval is withdrawn even if they are unknown. */
    needs?: readonly FactName[]
  }
  /**
   * Finds the outcome of a call with `before` and a lost response: unknown if a fact that it asks for is. If absent, the
   * next decision sends what differs.
   */
  reconcile?(call: Call, given: ReconcileInput): CallOutcome
  /** What the response to a call says: what the service left out, in words, and what was created, for `remember`. */
  answered?(call: Call, answer: unknown): { dropped?: string; created?: Json }
  /**
   * The memory after one of its calls took effect or, if not `certain`, may have taken effect. `at`: when it was sent
   * (ISO 8601). `created`: what `answered` returned, if there was a response.
   */
  remember?(memory: Memory, call: Call, certain: boolean, at: string, created?: Json): Memory
  /** The memory after one of its calls cannot be made now, though the state allowed it. */
  refused?(memory: Memory, response: CallResponse): Memory
  /** The memory after `noticed`: what was found without a call, such as that somebody else undid a held action. */
  notice?(memory: Memory, noticed: Json): Memory
}

/** Whether it is done once for as long as the rule matches. */
export const isOneWay = ({ when }: Pick<Action, 'when'>): boolean =>
  typeof when === 'function' || when === 'one_way' || when === 'fresh' || when === 'followed'

/** Whether an event's request stays until it is done, withdrawn, or the head moves. */
export const isStanding = (action: Pick<Action, 'when'> | undefined): boolean =>
  action?.when === 'until_done' || action?.when === 'while_head_stays'

/** What one action remembers about a merge request, in `memory.of` under its name. `T` is plain JSON. */
export const actionMemory = <T>(name: string) => ({
  of: ({ of = {} }: Pick<Memory, 'of'>) => of[name] as T | undefined,
  /** The memory with another value; undefined removes it. */
  put({ of: { [name]: _before, ...others } = {}, ...memory }: Memory, value: T | undefined): Memory {
    const of = value === undefined ? others : { ...others, [name]: value as Json }
    return Object.keys(of).length === 0 ? memory : { ...memory, of }
  },
})

/** Declares an action. The registry drops the argument type: only the action itself reads its arguments. */
export function action<A extends Json, const N extends FactName>(declared: Action<A, N>): Action {
  return declared as unknown as Action
}

/** Declares an action that a rule writes as `name: true`. */
export function actionWithoutArgs<const N extends FactName>(
  declared: Omit<Action<true, N>, 'args' | 'example'> & Partial<Pick<Action<true, N>, 'args'>>,
): Action {
  return action({ args: onlyTrue, ...declared, example: `${declared.name}: true` })
}

export const oneCall = (
  detail: string,
  call: PlannedCall['call'],
  more?: Omit<PlannedCall, 'call'>,
): ActionOutcome & { result: 'call' } => ({ result: 'call', detail, calls: [{ call, ...more }] })
export const nothingToDo = (detail: string): ActionOutcome => ({ result: 'nothing_to_do', detail })
export const blockedBy = (detail: string): ActionOutcome => ({ result: 'blocked', detail })
