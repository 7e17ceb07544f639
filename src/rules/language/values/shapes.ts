// Shapes read the values of a rule file, and report what is expected at which place.
import { isMap } from '../../../api/json.ts'
import type { Json, NamedGroup, Subject } from './rule-types.ts'
import { oneOf, type Synonyms, suggest } from './wording.ts'

export { isMap }

export type Path = readonly (string | number)[]

/** Reading stops after this many issues. */
export const MOST_ISSUES = 100

/** One issue, at a key or at a value. */
export interface Issue {
  path: Path
  /** Absent if the issue is at the value. */
  at?: 'key'
  expected: string
  /** Shown instead of the value: `a second rule of this name`. */
  found?: string
  hint?: string
  /** What was probably meant, as a rule would write it: `"accept"`. */
  near?: string
}

/** The `near` of an issue. */
export const nearTo = (name: string | undefined) => ({ near: name === undefined ? undefined : JSON.stringify(name) })

/** Adds an issue and returns undefined. */
export function refuse(issues: Issue[], issue: Issue): undefined {
  issues.push(issue)
}

/** Adds an issue at a key, which is the end of the path. */
export const refuseKey = (issues: Issue[], path: Path, expected: string, found: string): undefined =>
  refuse(issues, { path, at: 'key', expected, found })

/** Refuses a key that only rules with `on:` (`events`) may have, or only rules without it. */
export function refuseKeyOf(kind: 'events' | 'state', issues: Issue[], path: Path): undefined {
  const found = `${String(path.at(-1))} in a rule`
  return kind === 'events'
    ? refuseKey(issues, path, 'a rule with on:, which acts once for each event', `${found} without on:`)
    : refuseKey(issues, path, 'a rule without on:, which matches for some time', `${found} with on:`)
}

/** JSON Schema (draft 2020-12). It never refuses what the shape accepts. */
export type ShapeSchema = { [keyword: string]: Json }

export interface Shape<T extends Json = Json> {
  /** What a person should write: `true or false`. */
  expected: string
  schema(context: ReadContext): ShapeSchema
  /** The value, or undefined after adding its issues. */
  read(value: unknown, path: Path, issues: Issue[], context?: ReadContext): T | undefined
}

/** What a shape may need to know about the rule. */
export interface ReadContext {
  onEvents: boolean
  /** What the rule acts on; absent for merge requests. */
  subject?: Subject
  /** The named groups of its conditions, or why one has no value; `unread` if the conditions have issues. */
  groups?: NamedGroups | 'unread'
}

export type NamedGroups = ReadonlyMap<string, NamedGroup | { never: string }>

/** A shape from a check, which returns undefined for an invalid value. Without a schema, editors accept anything. */
export function shape<T extends Json>(
  expected: string,
  accept: (value: unknown) => T | undefined,
  schema: ShapeSchema = {},
): Shape<T> {
  return {
    expected,
    schema: () => schema,
    read(value, path, issues) {
      const accepted = accept(value)
      if (accepted === undefined) issues.push({ path, expected })
      return accepted
    },
  }
}

/** The entries of a list or a mapping by the next step of their path; none for other values. */
export function entriesOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()]
  return isMap(value) ? Object.entries(value) : []
}

/** A whole number within limits. */
export const whole = (least: number, most: number): Shape<number> =>
  shape(
    `a whole number from ${least} to ${most}`,
    (value) => (Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined),
    { type: 'integer', minimum: least, maximum: most },
  )

/** The same shape with a description for editors. */
export function described<T extends Json>(description: string, inner: Shape<T>): Shape<T> {
  return { ...inner, schema: (context) => ({ description, ...inner.schema(context) }) }
}

export const bool = shape('true or false', (value) => (typeof value === 'boolean' ? value : undefined), {
  type: 'boolean',
})
export const onlyTrue = shape('true', (value) => (value === true ? true : undefined), { const: true })

/** A text that is not blank. */
export const textSchema = (maxLength: number): ShapeSchema => ({ type: 'string', maxLength, pattern: '\\S' })

/** A text that passes the check. */
export const textThat = (expected: string, fits: (text: string) => boolean, schema: ShapeSchema): Shape<string> =>
  shape(expected, (value) => (typeof value === 'string' && fits(value) ? value : undefined), {
    type: 'string',
    ...schema,
  })

/** A text of at most `longest` characters that is not blank. */
export const text = (longest: number, expected = 'a text'): Shape<string> =>
  textThat(expected, (each) => each.trim() !== '' && each.length <= longest, textSchema(longest))

/** A text that fits the expression. */
export const matching = (expected: string, fits: RegExp): Shape<string> =>
  textThat(expected, (each) => fits.test(each), { pattern: fits.source })

/** One of the given words; the problem of another one names the nearest. */
export function choice<const V extends string>(values: readonly V[], synonyms?: Synonyms): Shape<V> {
  const expected = `one of ${values.join(', ')}`
  return {
    expected,
    schema: () => ({ enum: [...values] }),
    read(value, path, issues) {
      const known = values.find((each) => each === value)
      if (known !== undefined) return known
      const near = typeof value === 'string' ? suggest(value, values, synonyms) : undefined
      return refuse(issues, {
        path,
        expected: near === undefined ? expected : oneOf(values, { short: true }),
        ...nearTo(near),
      })
    },
  }
}

/** A list of at most `most`. A single value is a list of one. */
export function listOf<T extends Json>(item: Shape<T>, most = 100): Shape<T[]> {
  const expected = `${item.expected}, or a list of them`
  return {
    expected,
    schema(context) {
      const items = item.schema(context)
      return { anyOf: [items, { type: 'array', minItems: 1, maxItems: most, items }] }
    },
    read(value, path, issues, context) {
      if (!Array.isArray(value)) {
        const single = item.read(value, path, issues, context)
        return single === undefined ? undefined : [single]
      }
      if (value.length === 0 || value.length > most)
        return refuse(issues, { path, expected: `a list of 1 to ${most}`, found: `a list of ${value.length}` })
      const before = issues.length
      const items = value.flatMap((each, index) => {
        const read = item.read(each, [...path, index], issues, context)
        return read === undefined ? [] : [read]
      })
      return issues.length > before ? undefined : items
    },
  }
}

interface OtherKeys {
  /** Replaces a long list of names. */
  expected?: string
  synonyms?: () => Synonyms
  /** The allowed keys that a typing error may mean; absent for all. */
  near?: () => readonly string[]
}

/** Adds an issue for every key that is not allowed, with the nearest allowed one. */
export function refuseOtherKeys(
  value: Record<string, unknown>,
  allowed: readonly string[],
  path: Path,
  issues: Issue[],
  { expected, synonyms, near: candidates }: OtherKeys = {},
): void {
  for (const key of Object.keys(value)) {
    if (allowed.includes(key)) continue
    if (issues.length >= MOST_ISSUES) return
    const near = suggest(key, candidates?.() ?? allowed, synonyms?.())
    issues.push({
      path: [...path, key],
      at: 'key',
      expected: expected ?? oneOf(allowed, { short: near !== undefined }).replace('one of', 'one of the keys'),
      found: `the unknown key ${JSON.stringify(key)}`,
      ...nearTo(near),
    })
  }
}

type Fields = Record<string, Shape>
type FieldValue<S> = S extends Shape<infer T> ? T : never
type FieldValues<F extends Fields, R extends keyof F> = { [K in R]: FieldValue<F[K]> } & {
  [K in Exclude<keyof F, R>]?: FieldValue<F[K]>
} & { [key: string]: Json }

/** A mapping with required and optional fields; keys that are not declared are refused. */
export function fields<F extends Fields, const R extends keyof F & string = never>(
  declared: F,
  required: readonly R[] = [],
): Shape<FieldValues<F, R>> {
  const allowed = Object.keys(declared)
  const expected = `a mapping with ${allowed.join(', ')}`
  return {
    expected,
    schema: (context) => ({
      type: 'object',
      properties: Object.fromEntries(Object.entries(declared).map(([key, field]) => [key, field.schema(context)])),
      ...(required.length === 0 ? {} : { required: [...required] }),
      additionalProperties: false,
    }),
    read(value, path, issues, context) {
      if (!isMap(value)) return refuse(issues, { path, expected })
      const before = issues.length
      refuseOtherKeys(value, allowed, path, issues)
      for (const key of required) {
        if (!Object.hasOwn(value, key))
          issues.push({ path, expected: `the key "${key}"`, found: 'a mapping without it' })
      }
      const entries = Object.entries(declared).flatMap(([key, field]) => {
        if (!Object.hasOwn(value, key)) return []
        const read = field.read(value[key], [...path, key], issues, context)
        return read === undefined ? [] : [[key, read] as const]
      })
      return issues.length > before ? undefined : (Object.fromEntries(entries) as FieldValues<F, R>)
    },
  }
}
