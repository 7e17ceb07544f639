// The rules of all files in their order, and for event rules the events that they are judged for.
import { type Compiled, type CompiledFile, compiledFile } from './compiled.ts'
import { isFor } from './events.ts'
import { modeOf } from './modes.ts'
import { isOwnDoing } from './own-event.ts'
import { isProject } from './project-ref.ts'
import type { DecideInput, Event, Mode, Occurrence, ProjectPolicy, Rule, RuleFile, RuleFileInForce, StandingRequest } from './types.ts'

export interface RuleInForce {
  rule: Rule
  /** `<file>#<rule name>` */
  name: string
  file: RuleFileInForce
  mode: Mode
  /** The rule's name; for an event with `@<event id>` behind it. */
  key: string
  /** The rule's `if` among the conditions of its file. */
  condition: Compiled
  compiled: CompiledFile
}

/** One judgement of a rule: a state rule's one, or one for each event of an event rule. */
export interface Judgement extends RuleInForce {
  occurrence?: Occurrence
  /** It was asked for before, of this head. */
  request?: StandingRequest
  /** Its event is done with: only what is kept (accept, approve) is still wished for. */
  keptOnly?: boolean
}

/** All rules of the files in force, in their order. */
export interface RuleSet {
  rules: readonly RuleInForce[]
  ofMergeRequests: readonly RuleInForce[]
  /** Those that act on the project itself. */
  ofProject: readonly RuleInForce[]
  /** Some rule is judged for events. */
  hasEvents: boolean
  observes: boolean
}

/** The last set for the rules of the file that comes last, which is most often a project's own. */
const sets = new WeakMap<RuleFile, { files: readonly RuleFileInForce[]; mode: Mode | undefined; set: RuleSet }>()

const noRules: RuleSet = { rules: [], ofMergeRequests: [], ofProject: [], hasEvents: false, observes: false }

/** The same set as long as the same files are in force in the same mode: it is made once, not for every decision. */
export function ruleSet(files: readonly RuleFileInForce[], policy?: ProjectPolicy): RuleSet {
  const last = files.at(-1)
  if (last === undefined) return noRules
  const before = sets.get(last.rules)
  const mode = policy?.mode
  if (before !== undefined && before.mode === mode && areSame(before.files, files)) return before.set
  const rules = inOrder(files, policy)
  const set = {
    rules,
    ofMergeRequests: rules.filter(({ rule }) => rule.ofProject !== true),
    ofProject: rules.filter(({ rule }) => rule.ofProject === true),
    hasEvents: rules.some(({ rule }) => rule.on !== undefined),
    observes: rules.some((each) => each.mode === 'observe'),
  }
  sets.set(last.rules, { files: [...files], mode, set })
  return set
}

function areSame(one: readonly RuleFileInForce[], other: readonly RuleFileInForce[]): boolean {
  const same = (left: RuleFileInForce, right: RuleFileInForce | undefined) =>
    left === right ||
    (left.rules === right?.rules &&
      left.path === right.path &&
      left.blob === right.blob &&
      left.trust === right.trust &&
      left.broken === right.broken &&
      left.origin?.project === right.origin?.project &&
      left.origin?.path === right.origin?.path)
  return one.length === other.length && one.every((each, index) => same(each, other[index]))
}

/** The operator's rules before the repository's, then file order. Two rules never share a name, whatever their files are called. */
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
      // A rule that observed has done nothing: once it acts, it is new.
      const told = mode === 'observe' ? { ...rule, fingerprint: `observe:${rule.fingerprint}` } : rule
      const own = before === 0 ? name : `${name}#${before + 1}`
      return { rule: told, file, mode, name: own, key: own, compiled, condition: compiled.rules[index] as Compiled }
    })
  })
}

/** What is to be judged: each state rule, and each event rule with each of its events, or with none. */
export function judgements(input: DecideInput): readonly Judgement[] {
  const { ofMergeRequests, ofProject, hasEvents } = ruleSet(input.files, input.policy)
  const rules = isProject(input.mergeRequest) ? ofProject : ofMergeRequests
  if (!hasEvents) return rules
  return rules.flatMap((each): Judgement[] => {
    const { rule, name } = each
    const { on } = rule
    if (on === undefined || each.mode === 'off') return [each]
    const requests = (input.memory.standing ?? []).filter((request) => request.rule === name)
    const fresh = input.events
      .filter(({ event }) => isFor(on, event) && !isOwnDoing(event, input))
      .map((occurrence) => {
        const request = requests.find((one) => one.occurrence.id === occurrence.id)
        return { ...each, key: `${name}@${occurrence.id}`, occurrence, ...(request === undefined ? {} : { request }) }
      })
    const kept = requests
      .filter((request) => request.fingerprint === rule.fingerprint)
      .filter(({ occurrence }) => !fresh.some((one) => one.occurrence.id === occurrence.id))
      .map((request) => ({ ...each, key: `${name}@${request.occurrence.id}`, occurrence: request.occurrence, request, keptOnly: true }))
    return kept.length + fresh.length === 0 ? [each] : [...kept, ...fresh]
  })
}

/** Whether a rule that acts on the project waits for the event. */
export function hearsOf({ files, policy }: Pick<DecideInput, 'files' | 'policy'>, event: Event): boolean {
  return ruleSet(files, policy).rules.some(
    ({ rule, mode }) => mode !== 'off' && rule.ofProject === true && rule.on !== undefined && isFor(rule.on, event),
  )
}
