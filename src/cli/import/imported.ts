// What an import makes of the configuration of another program, and its text as a rule file that passes the check.
import { stringify } from 'yaml'
import { LONGEST_NAME, MOST_RULES, readRules } from '../../rules/language/documents/rule-document.ts'
import type { Problem } from '../../rules/language/values/rule-types.ts'
import type { Path } from '../../rules/language/values/shapes.ts'
import { cut } from '../../rules/language/values/wording.ts'
import type { YamlText } from '../../rules/language/yaml/yaml-text.ts'
import { UserError } from '../user-error.ts'

/** A part of a rule file, as it is written. */
export type Written = Record<string, unknown>

export interface Imported {
  /** How many policies were read. */
  policies: number
  head?: Written
  rules: { path: Path; name: unknown; subject?: Written; test: Written; actions: Written }[]
  /** What has no equal word, or another meaning. */
  missing: Missing[]
}

export interface Missing {
  path: Path
  message: string
}

/** With the place of each in the file that was read. */
export interface ImportedText {
  text: string
  /** How many rules it has. */
  count: number
  missing: Pick<Problem, 'line' | 'column' | 'message'>[]
}

/** A rule that the check refuses is left out and missing, with the reason. Throws UserError if it refuses the whole file. */
export function ruleFileOf({ rules: given, head = {}, ...imported }: Imported, yaml: YamlText): ImportedText {
  const missing = [...imported.missing]
  const names = new Set<string>()
  let rules = given.slice(0, MOST_RULES).map(({ path, name, subject, test, actions }) => {
    // biome-ignore lint/suspicious/noThenProperty: it is the word of the rule language
    return { path, rule: { name: uniqueName(name, names), ...subject, if: test, then: actions } }
  })
  for (const { path } of given.slice(MOST_RULES))
    missing.push({ path, message: `a rule file has at most ${MOST_RULES} rules` })
  const options = { lineWidth: 120, aliasDuplicateObjects: false }
  const textOf = () => stringify({ version: 1, ...head, rules: rules.map(({ rule }) => rule) }, options)
  for (;;) {
    const read = readRules(textOf(), 'rules', { trust: 'operator' })
    const refused = new Map(read.ok ? [] : read.problems.map((problem) => [indexIn(problem.path), problem]))
    if (refused.size === 0) break
    const { message } = refused.get(undefined) ?? {}
    if (message !== undefined) throw new UserError(`The rules cannot be written: ${message}.`)
    for (const [index, problem] of refused)
      missing.push({
        path: rules[index ?? 0]?.path ?? [],
        message: `not converted: ${problem.path}: ${problem.message}`,
      })
    rules = rules.filter((_, at) => !refused.has(at))
  }
  const placed = missing.map(({ path, message }) => ({ ...yaml.position(path, 'key'), message }))
  placed.sort((a, b) => a.line - b.line || a.column - b.column)
  return { text: textOf(), count: rules.length, missing: placed }
}

const indexIn = (path: string) => (/^rules\[(\d+)\]/.test(path) ? Number.parseInt(path.slice(6), 10) : undefined)

function uniqueName(given: unknown, names: Set<string>): string {
  const plain = (textsIn(given)?.[0] ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim() || 'unnamed'
  let name = cut(plain, LONGEST_NAME - 10)
  for (let at = 2; names.has(name); at += 1) name = `${cut(plain, LONGEST_NAME - 10)} (${at})`
  names.add(name)
  return name
}

/** One `if` of all these; operators of one fact stand together, and what repeats one under `all`. */
export function joined(conditions: readonly Written[]): Written {
  const one: Written = {}
  const others: Written[] = []
  for (const each of conditions)
    for (const [fact, value] of Object.entries(each)) {
      const [before, now] = [operators(one[fact]), operators(value)]
      if (!Object.hasOwn(one, fact)) one[fact] = value
      else if (before && now && Object.keys(now).every((key) => !Object.hasOwn(before, key)))
        one[fact] = { ...before, ...now }
      else others.push({ [fact]: value })
    }
  return others.length === 0 ? one : { ...one, all: others }
}

/** A label or a list of them as `any`; other facts have operators, or stand alone. */
function operators(value: unknown): Written | undefined {
  if (Array.isArray(value)) return { any: value }
  return typeof value === 'object' && value !== null ? (value as Written) : undefined
}

/** The texts of a value that is one, or a list of them; undefined where anything else is. */
export function textsIn(value: unknown): string[] | undefined {
  const all: unknown[] = [value].flat()
  return all.every((each) => typeof each === 'string' || typeof each === 'number') ? all.map(String) : undefined
}
