// The shapes of operators' values: plain values of a type, expressions, globs, list items, and members of a group.
import {
  instructionsOf,
  LONGEST_EXPRESSION,
  LONGEST_GLOB,
  MOST_INSTRUCTIONS_OF_FILE,
  type PatternProblem,
  problemOfExpression,
  problemOfGlob,
  sizeInFile,
} from '../patterns/patterns.ts'
import { durationSchema, parseDuration } from '../values/durations.ts'
import type { Json, Verdict } from '../values/rule-types.ts'
import {
  bool,
  choice,
  described,
  fields,
  type Issue,
  isMap,
  nearTo,
  refuse,
  type Shape,
  shape,
  textThat,
  whole,
} from '../values/shapes.ts'
import { type FactType, level, type TypeName } from './fact-types.ts'

/** Written as `15m`, stored in seconds. */
function durationShape(type: FactType): Shape<number> {
  const calendar = type.name === 'age' ? 'calendar' : 'working'
  const accept = (value: unknown) => (typeof value === 'string' ? parseDuration(value, calendar) : undefined)
  return shape('a duration such as 15m, 3h30m or 2d', accept, durationSchema)
}

const LONGEST_PLAIN = 1000
const isPlain = (value: unknown) => typeof value === 'string' && value.length <= LONGEST_PLAIN
const plainText = textThat('a text', isPlain, { maxLength: LONGEST_PLAIN })
const nullableText = shape<string | null>(
  'a text or null',
  (value) => (value === null || isPlain(value) ? (value as string | null) : undefined),
  { type: ['string', 'null'], maxLength: LONGEST_PLAIN },
)
const wholeNumber = shape('a whole number', (value) => (Number.isSafeInteger(value) ? (value as number) : undefined), {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})

/** One plain value of a type. */
export function scalar(type: FactType): Shape {
  switch (type.name) {
    case 'boolean':
      return bool
    case 'integer':
      return wholeNumber
    case 'duration':
    case 'age':
      return durationShape(type)
    case 'choice':
    case 'level':
      return choice(type.values ?? [], type.synonyms)
    case 'text':
    case 'list':
    case 'clock':
      return type.nullable === true ? nullableText : plainText
    default:
      return type.name satisfies never
  }
}

/** The size of all patterns of a file so far, by its list of issues. */
const sizes = new WeakMap<Issue[], number>()

function pattern(
  expected: string,
  maxLength: number,
  problemOf: (source: string) => PatternProblem | undefined,
  sizeOf: (source: string) => number,
): Shape<string> {
  return {
    expected,
    schema: () => ({ type: 'string', minLength: 1, maxLength }),
    read(value, path, issues) {
      const before = sizes.get(issues) ?? 0
      // The file is reported once, and later patterns are not compiled.
      if (before > MOST_INSTRUCTIONS_OF_FILE) return undefined
      const problem = typeof value === 'string' && value !== '' ? problemOf(value) : { expected }
      if (problem !== undefined) issues.push({ path, ...problem })
      if (problem !== undefined || typeof value !== 'string') return undefined
      const size = before + sizeOf(value)
      sizes.set(issues, size)
      if (size <= MOST_INSTRUCTIONS_OF_FILE) return value
      return refuse(issues, {
        path,
        expected: `at most ${MOST_INSTRUCTIONS_OF_FILE} instructions for the patterns of a file when compiled`,
        found: `${Math.ceil(size)} up to here`,
        hint: 'divide the rules over several files, shorten repetitions such as {0,900}, and name fewer Unicode classes',
      })
    },
  }
}
/** A regular expression in RE2 syntax. */
export const expression = pattern('a regular expression', LONGEST_EXPRESSION, problemOfExpression, instructionsOf)
const globProblem = (source: string) => {
  const expected = problemOfGlob(source)
  return expected === undefined ? undefined : { expected }
}
export const glob = pattern('a glob', LONGEST_GLOB, globProblem, sizeInFile)

const inFull = fields({ matches: expression }, ['matches'])

/** An item of any, all or none: a plain text, a glob, or `{ matches: expression }`. */
export const item: Shape = {
  expected: 'a text, a glob, or { matches: a regular expression }',
  schema: (context) => ({ anyOf: [glob.schema(context), inFull.schema(context)] }),
  read(value, path, issues) {
    if (typeof value === 'string') return glob.read(value, path, issues)
    if (isMap(value) && Object.keys(value).join() === 'matches') return inFull.read(value, path, issues)
    return refuse(issues, { path, expected: this.expected })
  },
}

/** The members of a group that count. */
export interface GroupMembers {
  group: string
  /** The lowest level; absent if any counts. */
  access?: string
  /** Whether the members of groups above it, and of groups invited to it, count too. */
  inherited?: boolean
}

const GROUP_PATH = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_.][A-Za-z0-9_.-]*){0,20}$/
const LONGEST_PATH = 255

const isPath = (text: string) => text.length <= LONGEST_PATH && GROUP_PATH.test(text)

export const groupPath: Shape<string> = {
  expected: 'the full path of a group, such as team/security',
  schema: () => ({ type: 'string', maxLength: LONGEST_PATH, pattern: GROUP_PATH.source }),
  read(value, path, issues) {
    if (typeof value === 'string' && isPath(value)) return value
    const bare = typeof value === 'string' ? value.replace(/^@/, '').replace(/^\/+|\/+$/g, '') : ''
    return refuse(issues, { path, expected: this.expected, ...nearTo(isPath(bare) ? bare : undefined) })
  },
}

const MOST = 100

/** The keys next to `members_of` that say which members count. */
const whichMembers = {
  access: described('Only members with this level or a higher one.', choice(level.values ?? [])),
  inherited: described('Whether the members of groups above it, and of groups invited to it, count too.', bool),
}

/** A mapping with `members_of`. */
export const groupMembers = (doc: string) =>
  fields({ members_of: described(doc, groupPath), ...whichMembers }, ['members_of'])

/** What a mapping with `members_of` names; undefined for other values. */
export function groupIn(expected: Json): GroupMembers | undefined {
  if (!isMap(expected) || typeof expected.members_of !== 'string') return undefined
  const access = typeof expected.access === 'string' ? expected.access : undefined
  return { group: expected.members_of, access, inherited: expected.inherited === true }
}

/** `a direct member of team/security`, `2 members of team with developer or above` */
export function sayMembers({ group, access, inherited }: GroupMembers, least = 1): string {
  const member = inherited === true ? 'member' : 'direct member'
  const who = least === 1 ? `a ${member}` : `${least} ${member}s`
  return `${who} of ${group}${access === undefined ? '' : ` with ${access} or above`}`
}

const leastOf = (expected: Json) => (isMap(expected) && typeof expected.at_least === 'number' ? expected.at_least : 1)

export const membersOf = {
  doc: 'Only for user names: at least one of these people, or `at_least` as many, is an active direct member of this group of the service.',
  for: ['list', 'text'] as readonly TypeName[],
  ofUsers: true as const,
  from: ['groupDirectMembers', 'groupMembers'],
  expected: () => groupPath,
  with: ({ name }: FactType): Record<string, Shape> => ({
    ...whichMembers,
    ...(name === 'list'
      ? { at_least: described('How many of them at least; 1 if it is not said.', whole(1, MOST)) }
      : {}),
  }),
  among: groupIn,
  say: (expected: Json) => sayMembers(groupIn(expected) ?? { group: '' }, leastOf(expected)),
  /** The value has only the people that are members. */
  test:
    (expected: Json) =>
    ({ value, complete }: { value: Json; complete: boolean }): Verdict => {
      const found = Array.isArray(value) ? value.length : 0
      if (found >= leastOf(expected)) return 'true'
      return complete ? 'false' : 'unknown'
    },
}
