// What a fact declares: its documentation, type and sources, and how it is read from their answers.
import type { Tolerant } from '../../../api/endpoint.ts'
import type { FactType } from '../../language/operators/fact-types.ts'
import type { Json, Subject, WaitsFor } from '../../language/values/rule-types.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { DecideInput, Event, FactValue, SourceAnswer, SourceName } from '../../types.ts'
import type { Source } from './source.ts'
import { sourceNamed, sources } from './sources.ts'

/**
 * What may change a fact, other than events of the merge request or issue itself. `note by others`: notes that Bellhop
 * did not write. `updated_at` does not show emojis, and no hook of a push to the target branch names a merge request.
 */
export type Trigger = 'emoji' | 'note' | 'note by others' | 'pipeline' | 'status' | 'target branch'

/** A source's answer as a fact sees it. */
export type Reading<B> =
  | { is: 'read'; body: Tolerant<B>; complete: boolean }
  | { is: 'absent'; reason: string; status?: number }

export const notRead = { is: 'absent', reason: 'it is not read yet' } as const

/** The reading of an answer whose body is trusted to have this shape. */
export function readingOf<B>(answer: SourceAnswer | undefined): Reading<B> {
  if (answer === undefined) return notRead
  if (!answer.ok) return { is: 'absent', reason: answer.reason, status: answer.status }
  return { is: 'read', body: answer.body as Tolerant<B>, complete: answer.complete }
}

/** The actual value of a fact whose source no verdict needed. */
export const NOT_READ = 'not read'
/** Public texts show this in place of a value that some reader may not read. */
export const NOT_SHOWN = '(not shown here: it may be private)'

/** The public value of a fact that no public text may show. */
export const notShown: FactValue = { is: 'absent', reason: NOT_SHOWN }

/** The value of a fact; undefined if it is not known. */
export const knownIn = (fact: FactValue | undefined): Json | undefined =>
  fact?.is === 'known' ? fact.value : undefined

/** The same for a text. */
export function textOf(fact: FactValue | undefined): string | undefined {
  const value = knownIn(fact)
  return typeof value === 'string' ? value : undefined
}

/** The input from which facts are read. */
export interface FactView extends Pick<DecideInput, 'mergeRequest' | 'memory' | 'now' | 'bot' | 'project' | 'policy'> {
  /**
   * An answer that was not read yet is absent, and the fact unread, whatever it makes of the others. `instance` names
   * one of several, such as a project by id; the default is that of the event.
   */
  source<B>(source: Source<B>, instance?: string): Reading<B>
  /** The event that is evaluated, for event rules. */
  event?: Event
}

export interface Fact<T extends Json = Json> {
  doc: string
  /** What other tools call it: `check` suggests the fact for these words. */
  synonyms?: readonly string[]
  type: FactType<T>
  from: readonly SourceName[]
  read(view: FactView): FactValue
  /** The part of the value that every reader of the merge request may read; absent if that is the whole value. */
  readPublic?(view: FactView): FactValue
  /** One condition on it, as YAML. */
  example: string
  /** Conditions write it as a key inside another fact (`pipeline: { of_fork: success }`), or inside a word that is none. */
  writtenAs?: { fact: string; key: string }
  /** Conditions name a label next to its operators. This is the fact for that label; alone, the fact is unknown. */
  ofLabel?(label: string): Fact<T>
  /** Conditions may write these words next to its operators, each as `word: counts`. This is the fact with them. */
  widened?: { words: readonly string[]; by(words: readonly string[]): Fact<T> }
  /** Only rules with `on:` can use it. */
  ofEvents?: boolean
  /** Issues have it too; `only`: merge requests do not. Absent if issues have nothing like it. */
  ofIssues?: true | 'only'
  /** The values that issues have, if they do not have all. */
  valuesOfIssues?: readonly T[]
  /** People wrote the text: for a confidential issue it is shown nowhere. */
  isWritten?: true
  /** Only installations of this tier show it; absent if all do. */
  tier?: 'premium'
  /** It never changes for one merge request, so the value in a delivery needs no second read. */
  stable?: true
  /** It cannot change without a change of `updated_at`, or a timer follows it (ages and the clock). */
  showsInUpdatedAt?: true
  /** What else changes it than events of the merge request itself. Pipelines follow from its source (triggers.ts). */
  changesWith?: readonly Trigger[]
  /** Recorded with each decision for backtests: it is small, and the service cannot tell past values. */
  recorded?: true
  /** It does not change after the merge request is closed or merged; `merged`: only after it is merged. */
  lasting?: true | 'merged'
  /** Nobody can change it after the merge or close, so no text then says how to fix it. The same for `lasting`. */
  whileOpen?: true
  /** Its value just before the merge or close: the service merges no draft and nothing with conflicts. */
  beforeEnd?: { merged?: T; closed?: T }
  /** `members_of` leaves out Bellhop's own user: what it did by a rule is not the consent of its group. */
  consents?: true
  /** What a merge request waits for while a condition on it is not met, for time figures; absent for no cause. */
  waitsFor?: WaitsFor
  /** Its values are names that the project or the service knows. */
  names?: 'label' | 'user' | 'milestone' | 'branch' | 'group'
  /**
   * What somebody can do to make a condition on it true: the words before the expected value, a text for each truth, or
   * a function; absent if nobody can change it.
   */
  toFix?:
    | string
    | { true?: string; false?: string }
    | ((expected: string, actual: Json | undefined, ofIssue: boolean) => string | undefined)
  /** The values that people can bring about: other conditions cannot be fixed. Absent for all values. */
  reachable?: readonly T[]
}

/** `since_labelled ready` is the fact `since_labelled` of the label `ready`; `approved_by (stale counts)` is a widened one. */
export const unlabelled = (name: string): string => name.split(' ', 1)[0] ?? name

/** The name of a fact with these words, in their order. */
export const widenedName = (fact: string, words: readonly string[]): string =>
  `${fact} (${words.join(', ')} ${words.length === 1 ? 'counts' : 'count'})`

/** The words in such a name. */
export const wordsOf = (name: string): string[] =>
  (/\((.*) counts?\)$/.exec(name)?.[1] ?? '').split(', ').filter((word) => word !== '')

/** The fact of a label, or a widened one, by such a name. */
export function ofLabel(name: string, factNamed: (name: string) => Fact | undefined): Fact | undefined {
  const plain = unlabelled(name)
  const fact = plain === name ? undefined : factNamed(plain)
  return fact?.ofLabel?.(name.slice(plain.length + 1)) ?? fact?.widened?.by(wordsOf(name))
}

export type Absent = Extract<FactValue, { is: 'absent' }>
export const isAbsent = (value: unknown): value is Absent => isMap(value) && value.is === 'absent'

interface FactDeclaration<B, T extends Json> extends Omit<Fact<T>, 'from' | 'read' | 'ofEvents'> {
  /** Or the field of the body. Undefined if the service does not say, or why it is absent. */
  read: keyof Tolerant<B> | ((body: Tolerant<B>, view: FactView) => T | Absent | undefined)
  /** Whether the value is complete; for sources that are complete, but may have a cut value. */
  complete?(body: Tolerant<B>): boolean
}

const needsPremium: FactValue = { is: 'absent', reason: 'this installation does not show it; it needs Premium' }

/** What the fact means, and the tier that shows it. */
export function docOf({ doc, tier }: Pick<Fact, 'doc' | 'tier'>): string {
  return tier === undefined ? doc : `${doc} Only GitLab Premium shows it.`
}

type Fixable = { expected: string; actual: Json | undefined; isOver?: boolean; ofIssue?: boolean }

/** What would make a condition on the fact true, in words; undefined if nobody can or would do it. */
export function fixFor(
  { toFix, whileOpen, lasting, reachable }: Pick<Fact, 'toFix' | 'whileOpen' | 'lasting' | 'reachable'>,
  { expected, actual, fits, isOver = false, ofIssue = false }: Fixable & { fits(value: Json): boolean },
): string | undefined {
  if (isOver && (whileOpen === true || lasting !== undefined)) return undefined
  if (reachable?.some(fits) === false) return undefined
  if (typeof toFix === 'function') return toFix(expected, actual, ofIssue)
  // An unknown fact has no value to correct.
  if (toFix === undefined || actual === undefined) return undefined
  return typeof toFix === 'string' ? `${toFix} ${expected}` : toFix[expected === 'true' ? 'true' : 'false']
}

/** A known value; one of another type is absent. */
export function known<T extends Json>(type: FactType<T>, value: unknown, complete = true, remark?: string): FactValue {
  if (!type.check(value)) return { is: 'absent', reason: 'the hosting service does not say' }
  return { is: 'known', value, complete, remark }
}

/** A fact that is read from one source. */
export function fact<B, T extends Json>(declared: FactDeclaration<B, T> & { from: Source<B> }): Fact<T> {
  const { from, read, complete, ...rest } = declared
  return {
    ...rest,
    from: [from.name],
    read(view) {
      const reading = view.source(from)
      if (reading.is !== 'read') return reading
      const value: unknown = typeof read === 'function' ? read(reading.body, view) : reading.body[read]
      if (isAbsent(value)) return value
      if (value === undefined && rest.tier === 'premium') return needsPremium
      return known(rest.type, value, reading.complete && (complete?.(reading.body) ?? true))
    },
  }
}

type SharedProperties = Pick<Fact, 'lasting' | 'ofIssues' | 'recorded' | 'showsInUpdatedAt' | 'whileOpen'>

/** Declares facts of one source that share some properties. */
export const factsFrom =
  <B>(from: Source<B>, shared: SharedProperties = {}) =>
  <T extends Json>(declared: FactDeclaration<B, T>): Fact<T> =>
    fact({ from, ...shared, ...declared })

/** A field of the merge request. */
export const field = factsFrom(sources.mergeRequest)
/** A field that issues have too, and whose changes `updated_at` shows. */
export const sharedField = factsFrom(sources.mergeRequest, { showsInUpdatedAt: true, recorded: true, ofIssues: true })

/** What the facts of a rule belong to, in words. */
export const factOwners: Record<Subject, string> = {
  merge_request: 'merge requests',
  issue: 'issues',
  project: 'the event, the project or the clock',
}

/** Whether the subject has such a fact. */
export function isFactOf({ from, ofIssues }: Pick<Fact, 'from' | 'ofIssues'>, subject: Subject): boolean {
  if (from.every((name) => sourceNamed(name)?.ofProject === true)) return true
  if (subject === 'merge_request') return ofIssues !== 'only'
  return subject === 'issue' && ofIssues !== undefined
}
