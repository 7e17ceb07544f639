// The types of facts. A type decides which operators apply, and checks what a service sent.
import type { Json } from '../values/rule-types.ts'
import type { Synonyms } from '../values/wording.ts'

export type TypeName = 'text' | 'choice' | 'level' | 'boolean' | 'integer' | 'duration' | 'age' | 'clock' | 'list'

export interface FactType<T extends Json = Json> {
  name: TypeName
  /** A value of another type makes the fact absent. */
  check(value: unknown): value is T
  /** The words of a choice that a rule may name. A service may send others. */
  values?: readonly string[]
  synonyms?: Synonyms
  /** `none` (null) is a value: no assignee, no milestone. */
  nullable?: boolean
  users?: true
  /** How globs treat a slash. */
  globs?: 'path' | 'name'
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

export const text: FactType<string> = { name: 'text', check: isText, globs: 'name' }
export const optionalText: FactType<string | null> = {
  name: 'text',
  check: (value): value is string | null => value === null || isText(value),
  nullable: true,
  globs: 'name',
}
export const optionalPath: FactType<string | null> = { ...optionalText, globs: 'path' }
/** A branch or a file: `*` stops at a slash. */
export const path: FactType<string> = { name: 'text', check: isText, globs: 'path' }
export const boolean: FactType<boolean> = {
  name: 'boolean',
  check: (value): value is boolean => typeof value === 'boolean',
}
export const integer: FactType<number> = { name: 'integer', check: isCount }
/** Seconds of work: a day has eight hours. */
export const duration: FactType<number> = { name: 'duration', check: isCount }
/** Seconds since something happened: a day has 24 hours. */
export const age: FactType<number> = { name: 'age', check: isCount }
/** A moment: milliseconds since 1970. */
export const moment: FactType<number> = { name: 'clock', check: isCount }
export const names: FactType<string[]> = { name: 'list', check: isList, globs: 'name' }
export const userName: FactType<string> = { ...text, users: true }
export const optionalUserName: FactType<string | null> = { ...optionalText, users: true }
export const userNames: FactType<string[]> = { ...names, users: true }
export const paths: FactType<string[]> = { name: 'list', check: isList, globs: 'path' }

export function choice(values: readonly string[], synonyms: Synonyms = {}): FactType<string> {
  return { name: 'choice', check: isText, values, synonyms }
}

/** The access levels of members with their numbers, in their order: `planner` since GitLab 17.7. */
export const memberLevels = {
  minimal: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const
const levelNumbers: ReadonlyMap<string, number> = new Map(Object.entries({ none: 0, ...memberLevels, admin: 60 }))

export const level: FactType<string> = { name: 'level', check: isText, values: [...levelNumbers.keys()] }

/** The level of a number: `planner`, or `level 25` if it has no name; undefined if it is no number. */
export function levelOf(number: unknown): string | undefined {
  if (!Number.isSafeInteger(number) || Number(number) < 0) return undefined
  const named = [...levelNumbers].find(([, each]) => each === number)
  return named?.[0] ?? `level ${String(number)}`
}

/** The number of a level, by which levels compare; undefined if the text is no level. */
export function levelNumber(text: string): number | undefined {
  const [, number] = /^level (\d{1,15})$/.exec(text) ?? []
  return levelNumbers.get(text) ?? (number === undefined ? undefined : Number(number))
}
