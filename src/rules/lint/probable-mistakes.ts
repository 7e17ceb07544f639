// Finds what is valid but probably means something else, and facts that only some tiers of the service show.
import type { Widening } from '../facts/definition/consent.ts'
import { unlabelled, wordsOf } from '../facts/definition/fact.ts'
import { factNamed } from '../facts/index.ts'
import { type FactCondition, factsIn, partsOf } from '../language/conditions.ts'
import { asMatches } from '../language/operators/impossible-texts.ts'
import { namesIn } from '../language/templates.ts'
import type { Condition, Rule, RuleAction, RuleFile } from '../language/values/rule-types.ts'
import { entriesOf, isMap, type Path } from '../language/values/shapes.ts'
import { either } from '../language/values/wording.ts'
import { readYaml } from '../language/yaml/yaml-text.ts'
import type { LintFinding } from './possible.ts'

/** Texts of conditions in the form that expressions have in other languages: `/fix/i`. */
function slashedExpressions(value: unknown, path: Path): LintFinding[] {
  if (typeof value === 'string') {
    const meant = asMatches(value)
    if (meant === undefined) return []
    const does = path.includes('matches') ? 'matches the slashes too' : 'is compared as a whole text'
    return [{ path, at: 'value', message: `did you mean ${meant}? ${JSON.stringify(value)} ${does}` }]
  }
  return entriesOf(value).flatMap(([key, each]) => slashedExpressions(each, [...path, key]))
}

/** `document`: the YAML of the file. */
export function mistakesInText(document: unknown): LintFinding[] {
  if (!isMap(document)) return [{ path: [], message: 'the file is empty: expected version and rules' }]
  const list = Array.isArray(document.rules) ? document.rules : []
  return [
    ...(Object.hasOwn(document, 'version')
      ? []
      : [{ path: [], message: 'the file names no version: expected "version: 1"' }]),
    ...slashedExpressions(document.defs, ['defs']),
    ...list.flatMap((rule: unknown, index) => (isMap(rule) ? slashedExpressions(rule.if, ['rules', index, 'if']) : [])),
  ]
}

/** Facts with which somebody other than the author consents. */
const CONSENTS = ['approved_by', 'approvals_given', 'approved', 'approvals_left', 'code_owners_approved', 'command']
const isConsent = (fact: string) => CONSENTS.includes(unlabelled(fact))

/** A rule that merges or approves because of a fork's pipeline alone. */
function takesForks({ action, args }: RuleAction, { if: condition }: Rule): string | undefined {
  const named = factsIn(condition)
  const takes = named.includes('pipeline_of_fork') || (isMap(args) && args.pipeline === 'of_fork')
  if (!takes || (action !== 'accept' && action !== 'approve') || named.some(isConsent)) return undefined
  return (
    'takes the pipeline of the fork too (of_fork): its author decides what that tests, and can post a success there. ' +
    'Require an approval by a member, such as approved_by'
  )
}

/** The conditions that may make it true: not those inside a `not`, which trust nobody. */
const grantingIn = (condition: Condition): FactCondition[] => {
  if ('fact' in condition) return [condition]
  return 'not' in condition ? [] : partsOf(condition).flatMap(grantingIn)
}

/** A rule that merges or approves because of who opened it. */
function trustsAuthor({ action }: RuleAction, { if: condition }: Rule): string | undefined {
  if (action !== 'accept' && action !== 'approve') return undefined
  if (!grantingIn(condition).some(({ fact }) => fact === 'author')) return undefined
  if (factsIn(condition).some((fact) => fact === 'pushed_by' || isConsent(fact))) return undefined
  return 'trusts the author, but anybody who may push to the branch can add to it. Require pushed_by too'
}

const WHOSE: Record<Widening, string> = {
  author: 'of its author',
  pushers: 'of people who pushed to it',
  stale: 'of earlier content',
}

/** A rule that merges by approvals that count only because it says so. */
function mergesByWidened({ action }: RuleAction, { if: condition }: Rule): string | undefined {
  const words = new Set(grantingIn(condition).flatMap(({ fact }) => wordsOf(fact)))
  const whose = Object.entries(WHOSE).flatMap(([word, said]) => (words.has(word) ? `${said} (${word}: counts)` : []))
  if (action !== 'accept' || whose.length === 0) return undefined
  return `merges by approvals ${either(whose)}: they need not be the consent of another person to what is merged`
}

/** A status whose rule waits for the pipeline: the status is part of it. */
function waitsForItself({ action }: RuleAction, { if: condition }: Rule): string | undefined {
  if (action !== 'status') return undefined
  const fact = factsIn(condition).find((name) => factNamed(name)?.changesWith?.includes('status') === true)
  return fact && `never becomes success by itself: the status is part of the pipeline, and ${fact} waits for that`
}

/** Finds a rule that waits for inactivity: what is merged or closed is inactive too. */
export function mistakesInCondition({ if: condition, actions }: Rule, index: number): LintFinding[] {
  const named = factsIn(condition)
  const acts = actions.some(({ action }) => !['accept', 'approve', 'close'].includes(action))
  if (!acts || !named.includes('inactive_for') || named.includes('state')) return []
  return [{ path: ['rules', index, 'if'], message: 'acts on what is merged or closed, too: add state: opened' }]
}

/** Finds mistakes in the actions of a rule. `queues`: those of its file. */
export function mistakesInActions(rule: Rule, index: number, { queues = [] }: RuleFile): LintFinding[] {
  return rule.actions.flatMap((each): LintFinding[] => {
    const { action, args } = each
    const path = ['rules', index, 'then', action]
    const removes = isMap(args) && args.remove_source_branch === true ? args.queue : undefined
    const pushing = queues.find(({ name, land }) => name === removes && land === 'push')
    const said = [takesForks, trustsAuthor, mergesByWidened, waitsForItself].flatMap((find) => find(each, rule) ?? [])
    if (pushing === undefined) return said.map((message) => ({ path, message }))
    const message = `has no effect: the queue ${JSON.stringify(pushing.name)} (line ${pushing.line}) lands by a push, which removes no source branch`
    return [...said.map((each) => ({ path, message: each })), { path: [...path, 'remove_source_branch'], message }]
  })
}

export interface TierFact {
  fact: string
  path: Path
  /** The fact is named in the text of a value. */
  at?: 'value'
}

const ofTier = (name: string) => factNamed(name)?.tier !== undefined

/** The facts that a value of a rule names, as keys of conditions or in texts. */
function inValue(value: unknown, path: Path): TierFact[] {
  if (typeof value === 'string')
    return [...new Set(namesIn(value))].filter(ofTier).map((fact) => ({ fact, path, at: 'value' as const }))
  return entriesOf(value).flatMap(([key, each]) => {
    const at = [...path, key]
    return typeof key === 'string' && ofTier(key) ? [{ fact: key, path: at }] : inValue(each, at)
  })
}

/** Every place in conditions, definitions and texts of a file without problems. */
export function tierFactsIn(text: string): TierFact[] {
  const read = readYaml(text)
  const { defs, rules } = read.ok && isMap(read.yaml.value) ? read.yaml.value : {}
  return [
    ...inValue(defs, ['defs']),
    ...entriesOf(rules).flatMap(([index, rule]) =>
      isMap(rule) ? ['if', 'then'].flatMap((key) => inValue(rule[key], ['rules', index, key])) : [],
    ),
  ]
}
