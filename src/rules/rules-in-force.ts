// The rules of all files in their order, and for event rules the events that they are judged for.
import { isFor } from './events.ts'
import { modeOf } from './modes.ts'
import { isProject } from './project-ref.ts'
import type { DecideInput, Event, Mode, Occurrence, ProjectPolicy, Rule, RuleFileInForce, StandingRequest } from './types.ts'

export interface RuleInForce {
  rule: Rule
  /** `<file>#<rule name>` */
  name: string
  file: RuleFileInForce
  mode: Mode
}

/** One judgement of a rule: a state rule's one, or one for each event of an event rule. */
export interface Judgement extends RuleInForce {
  /** The rule's name; for an event with `@<event id>` behind it. */
  key: string
  occurrence?: Occurrence
  /** It was asked for before, of this head. */
  request?: StandingRequest
  /** Its event is done with: only what is kept (accept, approve) is still wished for. */
  keptOnly?: boolean
}

/** The operator's rules before the repository's, then file order. Two rules never share a name, whatever their files are called. */
export function rulesInOrder(files: readonly RuleFileInForce[], policy?: ProjectPolicy): RuleInForce[] {
  const ordered = [...files].sort((a, b) => Number(a.trust === 'repository') - Number(b.trust === 'repository'))
  const seen = new Map<string, number>()
  return ordered.flatMap((file) =>
    file.rules.rules.map((rule) => {
      const name = `${file.path}#${rule.name}`
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      const mode = modeOf(rule, file, policy)
      // A rule that observed has done nothing: once it acts, it is new.
      const told = mode === 'observe' ? { ...rule, fingerprint: `observe:${rule.fingerprint}` } : rule
      return { rule: told, file, mode, name: before === 0 ? name : `${name}#${before + 1}` }
    }),
  )
}

/** What is to be judged: each state rule, and each event rule with each of its events, or with none. */
export function judgements(input: DecideInput): Judgement[] {
  const ofProject = isProject(input.mergeRequest)
  const own = rulesInOrder(input.files, input.policy).filter(({ rule }) => (rule.ofProject === true) === ofProject)
  return own.flatMap((each): Judgement[] => {
    const { rule, name } = each
    if (each.mode === 'off') return [{ ...each, key: name }]
    const { on } = rule
    if (on === undefined) return [{ ...each, key: name }]
    const requests = (input.memory.standing ?? []).filter((request) => request.rule === name)
    const fresh = input.events
      .filter(({ event }) => isFor(on, event) && !isOwn(event, input.bot))
      .map((occurrence) => {
        const request = requests.find((one) => one.occurrence.id === occurrence.id)
        return { ...each, key: `${name}@${occurrence.id}`, occurrence, ...(request === undefined ? {} : { request }) }
      })
    const kept = requests
      .filter((request) => request.fingerprint === rule.fingerprint)
      .filter(({ occurrence }) => !fresh.some((one) => one.occurrence.id === occurrence.id))
      .map((request) => ({ ...each, key: `${name}@${request.occurrence.id}`, occurrence: request.occurrence, request, keptOnly: true }))
    return kept.length + fresh.length === 0 ? [{ ...each, key: name }] : [...kept, ...fresh]
  })
}

/** Whether a rule that acts on the project waits for the event. */
export function hearsOf({ files, policy }: Pick<DecideInput, 'files' | 'policy'>, event: Event): boolean {
  return rulesInOrder(files, policy).some(
    ({ rule, mode }) => mode !== 'off' && rule.ofProject === true && rule.on !== undefined && isFor(rule.on, event),
  )
}

/** What Bellhop did itself starts no rule: it would be a loop (DESIGN §6). */
export function isOwn({ actor }: Pick<Event, 'actor'>, bot: DecideInput['bot']): boolean {
  return actor.id === undefined ? actor.username === bot.username : actor.id === bot.id
}
