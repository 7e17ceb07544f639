// The rules of all files in order, the events that each event rule is evaluated for, and the values that they fill in.
import type { Action } from '../../actions/definition/action.ts'
import { actionNamed } from '../../actions/index.ts'
import { subjectOf } from '../../facts/definition/subject-ref.ts'
import { isFor } from '../../language/events.ts'
import { fillValues } from '../../language/groups.ts'
import { modeOf } from '../../language/policy.ts'
import type { TextFacts } from '../../language/templates.ts'
import { fingerprint } from '../../language/values/fingerprint.ts'
import type {
  Mode,
  ProjectPolicy,
  Rule,
  RuleAction,
  RuleFileInForce,
  Subject,
} from '../../language/values/rule-types.ts'
import type { DecideInput, Event, Occurrence, StandingRequest } from '../../types.ts'
import { isOwnDoing } from '../memory/standing-requests.ts'
import { type CompiledCondition, compiledFile } from './evaluate-condition.ts'

export interface RuleInForce {
  rule: Rule
  /** `<file>#<rule name>` */
  name: string
  file: RuleFileInForce
  mode: Mode
  /** The rule's name; for an event with `@<event id>` behind it. */
  key: string
  condition: CompiledCondition
  /** Its actions that withdraw approvals or waiting merges. None for event rules: anybody may cause events. */
  withdrawals: readonly Action[]
}

/** One evaluation of a rule: one for a state rule, one per event for an event rule. */
export interface RuleEvaluation extends RuleInForce {
  occurrence?: Occurrence
  /** The standing request of an earlier evaluation. */
  request?: StandingRequest
  /** The event is processed: only the standing requests (accept, approve) remain. */
  standingOnly?: boolean
}

interface RuleSet {
  rules: readonly RuleInForce[]
  of: Readonly<Record<Subject, readonly RuleInForce[]>>
  hasEvents: boolean
  hasObservers: boolean
}

/** The rule sets of files in force, by mode. */
const sets = new WeakMap<readonly RuleFileInForce[], Map<Mode | undefined, RuleSet>>()

/** Cached as long as the list of files is the same. */
export function ruleSet(files: readonly RuleFileInForce[], policy?: ProjectPolicy): RuleSet {
  const known = sets.get(files) ?? new Map<Mode | undefined, RuleSet>()
  sets.set(files, known)
  const before = known.get(policy?.mode)
  if (before !== undefined) return before
  const rules = inOrder(files, policy)
  const rulesOf = (subject: Subject) => rules.filter(({ rule }) => (rule.subject ?? 'merge_request') === subject)
  const set = {
    rules,
    of: { merge_request: rulesOf('merge_request'), issue: rulesOf('issue'), project: rulesOf('project') },
    hasEvents: rules.some(({ rule }) => rule.on !== undefined),
    hasObservers: rules.some((each) => each.mode === 'observe'),
  }
  known.set(policy?.mode, set)
  return set
}

/** The operator's rules before the repository's, then file order. Rule names stay unique if two files have one path. */
function inOrder(files: readonly RuleFileInForce[], policy: ProjectPolicy | undefined): RuleInForce[] {
  const ordered = [...files].sort((a, b) => Number(a.trust === 'repository') - Number(b.trust === 'repository'))
  const seen = new Map<string, number>()
  return ordered.flatMap((file) => {
    const compiled = compiledFile(file.rules)
    return file.rules.rules.map((rule, index) => {
      const name = `${file.path}#${rule.name}`
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      const mode = modeOf(rule, file, policy)
      // A rule that only observed counts as new once it acts.
      const inMode = mode === 'observe' ? { ...rule, fingerprint: `observe:${rule.fingerprint}` } : rule
      const own = before === 0 ? name : `${name}#${before + 1}`
      const condition = compiled[index] as CompiledCondition
      return { rule: inMode, file, mode, name: own, key: own, condition, withdrawals: withdrawalsOf(rule) }
    })
  })
}

const withdrawalsOf = ({ on, actions }: Rule): Action[] =>
  on !== undefined
    ? []
    : actions.flatMap(({ action }) => actionNamed(action) ?? []).filter(({ limited }) => limited === 'never')

/** The evaluations to make: each state rule, and each event rule with each of its events, or with none. */
export function ruleEvaluations(input: DecideInput): readonly RuleEvaluation[] {
  const { of, hasEvents } = ruleSet(input.files, input.policy)
  const rules = of[subjectOf(input.mergeRequest)]
  if (!hasEvents) return rules
  return rules.flatMap((each): RuleEvaluation[] => {
    const { rule, name } = each
    const { on } = rule
    if (on === undefined || each.mode === 'off') return [each]
    const requests = (input.memory.standing ?? []).filter((request) => request.rule === name)
    const fresh = input.events
      .filter(({ event }) => isFor(on, event) && !isOwnDoing(event, input))
      .map((occurrence) => {
        const request = requests.find((one) => one.occurrence.id === occurrence.id)
        return { ...each, key: `${name}@${occurrence.id}`, occurrence, request }
      })
    const kept = requests
      .filter((request) => request.fingerprint === rule.fingerprint)
      .filter(({ occurrence }) => !fresh.some((one) => one.occurrence.id === occurrence.id))
      .map((request) => ({
        ...each,
        key: `${name}@${request.occurrence.id}`,
        occurrence: request.occurrence,
        request,
        standingOnly: true,
      }))
    return kept.length + fresh.length === 0 ? [each] : [...kept, ...fresh]
  })
}

/** Whether a rule for issues is turned on. */
export function hasRulesForIssues({ files, policy }: Pick<DecideInput, 'files' | 'policy'>): boolean {
  return ruleSet(files, policy).of.issue.some(({ mode }) => mode !== 'off')
}

/** Whether a rule for the project waits for the event. */
export function hasRuleFor({ files, policy }: Pick<DecideInput, 'files' | 'policy'>, event: Event): boolean {
  return ruleSet(files, policy).of.project.some(
    ({ rule, mode }) => mode !== 'off' && rule.on !== undefined && isFor(rule.on, event),
  )
}

/** The rule with its values. A state rule with other values counts as changed: it does its one-way actions again. */
export function withValues(evaluation: RuleEvaluation, facts: TextFacts): RuleEvaluation {
  const { rule, occurrence } = evaluation
  if (!rule.actions.some(({ fills }) => fills === true)) return evaluation
  const actions = rule.actions.map((each) => withArgs(each, facts))
  const values = actions.filter(({ fills }) => fills === true).map(({ args, refused }) => refused ?? args)
  const own = occurrence === undefined ? `${rule.fingerprint}:${fingerprint(values)}` : rule.fingerprint
  return { ...evaluation, rule: { ...rule, actions, fingerprint: own } }
}

function withArgs(requested: RuleAction, facts: TextFacts): RuleAction {
  const template = requested.fills === true ? actionNamed(requested.action)?.template : undefined
  if (template?.fillArgs === undefined) return requested
  let refused: string | undefined
  const args = template.fillArgs(
    requested.args,
    fillValues(facts, (reason) => {
      refused ??= reason
    }),
  )
  return { ...requested, args: refused === undefined ? args : requested.args, refused }
}
