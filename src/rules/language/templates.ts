// Fills in texts with `{{ fact }}`: the same facts as in conditions, named groups of the rule, and no logic.
import { factOwners, isFactOf, NOT_SHOWN } from '../facts/definition/fact.ts'
import { factNamed, facts } from '../facts/index.ts'
import type { FactReader } from '../facts/reading/fact-view.ts'
import { sayValue } from './operators/operators.ts'
import { type Issue, nearTo, type Path, type ReadContext, refuse, type Shape, textSchema } from './values/shapes.ts'
import { cut, oneLine, suggest, synonymsOf } from './values/wording.ts'

const PLACE = /\{\{([^{}]*)\}\}/g
const LONGEST_VALUE = 2000
/** An invisible character that separates characters with a meaning together. */
const BREAK = '\u200b'

/** The names between the braces, in order. */
export function namesIn(template: string): string[] {
  return [...template.matchAll(PLACE)].map(([, name = '']) => name.trim())
}

export const fillPlaces = (text: string, value: (name: string) => string): string =>
  text.replace(PLACE, (_, name: string) => value(name.trim()))

/** A text of at most `longest` characters with names of facts and groups between the braces. */
export function template(longest: number): Shape<string> {
  const expected = 'a text, with {{ fact }} where a fact is to stand'
  return {
    expected,
    schema: () => textSchema(longest),
    read(value, path, issues, context) {
      if (typeof value !== 'string' || value.trim() === '' || value.length > longest)
        return refuse(issues, {
          path,
          expected:
            typeof value === 'string' && value.length > longest ? `a text of at most ${longest} characters` : expected,
        })
      return readPlaces(value, path, issues, context, 'facts and groups') ? value : undefined
    },
  }
}

/** Whether a rule of this kind has a value for each place; adds issues. A label or a duration takes only groups. */
export function readPlaces(
  text: string,
  path: Path,
  issues: Issue[],
  context: ReadContext | undefined,
  takes: 'facts and groups' | 'groups',
): boolean {
  const found = namesIn(text).flatMap((name) => issueOf(name, path, context, takes))
  if (text.replace(PLACE, '').includes('{{')) found.push({ path, expected: 'a }} behind each {{' })
  issues.push(...found)
  return found.length === 0
}

function issueOf(
  name: string,
  path: Path,
  context: ReadContext | undefined,
  takes: 'facts and groups' | 'groups',
): Issue[] {
  const groups: ReadContext['groups'] = context?.groups ?? new Map()
  const group = groups === 'unread' ? undefined : groups.get(name)
  const fact = takes === 'groups' ? undefined : factNamed(name)
  if (group !== undefined && 'fact' in group) return []
  if (fact !== undefined) {
    if (!isFactOf(fact, context?.subject ?? 'merge_request'))
      return [
        { path, expected: `a fact of ${factOwners[context?.subject ?? 'merge_request']}`, found: `{{ ${name} }}` },
      ]
    if (fact.ofEvents !== true || context?.onEvents === true) return []
    return [{ path, expected: `a rule with on:, where ${name} is known`, found: `{{ ${name} }} in a rule without on:` }]
  }
  if (groups === 'unread') return []
  if (group !== undefined)
    return [{ path, expected: 'a group that has one value', found: `{{ ${name} }}, ${group.never}` }]
  const isKnownHere = (each: string) => {
    const known = factNamed(each)
    if (known === undefined || !isFactOf(known, context?.subject ?? 'merge_request')) return false
    return known.ofEvents !== true || context?.onEvents === true
  }
  const known = takes === 'groups' ? [] : Object.keys(facts).filter(isKnownHere)
  const near = suggest(name, [...groups.keys(), ...known], synonymsOf(facts))
  const isFact = takes === 'groups' && factNamed(name) !== undefined
  return [
    {
      path,
      expected:
        takes === 'groups'
          ? 'the name of a group, such as (?<name>…), of a condition with matches in this rule, or of an argument of its command'
          : 'the name of a fact between {{ and }}',
      found: `${isFact ? 'the fact ' : ''}${JSON.stringify(name.slice(0, 60))}`,
      ...nearTo(near),
    },
  ]
}

/** The facts and groups of a text. */
export type TextFacts = Pick<FactReader, 'publicFact'>

/** A fact or a group as public text; undefined if it is not known. */
function textOf(name: string, view: TextFacts): string | undefined {
  const value = view.publicFact(name)
  if (value.is !== 'known') return undefined
  const rest = value.missing === NOT_SHOWN ? NOT_SHOWN : '…'
  if (Array.isArray(value.value)) return [value.value, value.complete ? [] : rest].flat().join(', ')
  if (typeof value.value === 'string') return value.value
  const fact = factNamed(name)
  return fact === undefined ? undefined : sayValue(value.value, fact.type)
}

/** Whether public text leaves out part of the value. */
function isHidden(name: string, view: TextFacts): boolean {
  const value = view.publicFact(name)
  return value.is === 'known' ? value.missing === NOT_SHOWN : value.is === 'absent' && value.reason === NOT_SHOWN
}

/** The text of a note: unknown facts say so, values are harmless, and no line is a quick action. */
export function fill(text: string, view: TextFacts): string {
  return withoutQuickActions(fillEach(text, view, (said) => harmless(cut(said, LONGEST_VALUE))))
}

/** A text without markup: unknown facts say so, and each value is one line. */
export function fillPlain(text: string, view: TextFacts): string {
  return fillEach(text, view, (said) => oneLine(said))
}

function fillEach(text: string, view: TextFacts, clean: (said: string) => string): string {
  return fillPlaces(text, (name) => {
    const said = textOf(name, view)
    if (said === undefined) return isHidden(name, view) ? NOT_SHOWN : '(unknown)'
    return clean(said)
  })
}

/**
 * The text of a field of the merge request, or the names of unknown facts: a field is never overwritten with part of a
 * text. The field's own value stays as it is, and all others are made harmless.
 */
export function fillWhole(
  text: string,
  field: 'title' | 'description',
  view: TextFacts,
): { text: string } | { unknown: string[] } {
  const unknown = namesIn(text).filter((name) => textOf(name, view) === undefined || isHidden(name, view))
  if (unknown.length > 0) return { unknown }
  const said = (name: string) => textOf(name, view) ?? ''
  return { text: fillPlaces(text, (name) => (name === field ? said(name) : harmless(said(name)))) }
}

/** The text without quick actions: the service would run a line that begins with a slash, with Bellhop's rights. */
export function withoutQuickActions(text: string): string {
  return text.replace(/^([^\S\n]*)\//gm, `$1${BREAK}/`)
}

/**
 * Characters that have a meaning together with what follows: HTML and character references, mentions, references to
 * issues, merge requests, labels, milestones, snippets, epics and projects, links, addresses, emojis, code fences, and
 * the end of a comment. A backslash between them disappears. What is separated already stays as it is.
 */
const MEANINGS = [
  /@(?=[^\s\u200b])/,
  /(?<=[^\s\u200b])(?=@)/,
  /<(?=[A-Za-z/!?])/,
  /&(?=[#\w])/,
  /#(?=\d|x[\da-f])/i,
  /!(?=\d|--)/,
  /[~%](?=["\\\p{L}\p{N}_.?&-])/u,
  /\$(?=\d)/,
  /GL(?=\\?-\d)/i,
  /\[(?=[^\u200b])/,
  /\](?=[[(:])/,
  /\*(?=iteration:)/,
  /(?<=[\w.\\-])(?=>)/,
  /:(?=\\?\/\\?\/|[a-z+-][\w+\\-]*:)/i,
  /www(?=\\?\.)|(?:mailto|xmpp|tel)(?=:)/i,
  /([`~])(?=\1\1)/,
  // The text before and after the value may be a part of it.
  /^(?=[>:])/,
  /(?:[@<&#!~%$[\]:]|:\\?\/|www|mailto|xmpp|tel|GL-?)$/i,
].map((meaning) => new RegExp(meaning, `${meaning.flags}g`))

/**
 * Values are hostile: they must not mention people, link, be HTML, hide what follows in a tag, comment or code block,
 * or forge Bellhop's mark. Only invisible characters are added, so that the text reads the same in code and in a title.
 */
export function harmless(value: string): string {
  // The service drops control characters, which would join what they separate.
  const plain = value.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}/gu, '')
  return MEANINGS.reduce((text, meaning) => text.replace(meaning, `$&${BREAK}`), plain)
}
