// Fills in texts with `{{ fact }}`: the same facts as in conditions, and no logic.

import { type Fact, NOT_SHOWN } from '../facts/definition/fact.ts'
import { factNamed, facts } from '../facts/index.ts'
import type { FactReader } from '../facts/reading/fact-view.ts'
import { sayValue } from './operators/operators.ts'
import { type Issue, nearTo, type Path, type ReadContext, refuse, type Shape, textSchema } from './values/shapes.ts'
import { suggest, synonymsOf } from './values/suggest.ts'
import { cut } from './values/wording.ts'

const PLACE = /\{\{([^{}]*)\}\}/g
const LONGEST_VALUE = 2000
/** An invisible character that separates characters with a meaning together. */
const BREAK = '\u200b'

/** The names between the braces, in order. */
export function namesIn(template: string): string[] {
  return [...template.matchAll(PLACE)].map(([, name = '']) => name.trim())
}

/** A text of at most `longest` characters with names of facts between the braces. */
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
      const problems = namesIn(value).flatMap((name) => problemOf(name, path, context))
      if (value.replace(PLACE, '').includes('{{')) problems.push({ path, expected: 'a }} behind each {{' })
      issues.push(...problems)
      return problems.length > 0 ? undefined : value
    },
  }
}

function problemOf(name: string, path: Path, context: ReadContext | undefined): Issue[] {
  const fact = factNamed(name)
  if (fact === undefined) {
    const known = Object.entries<Fact>(facts).filter(([, each]) => each.ofEvents !== true || context?.onEvents === true)
    const near = suggest(
      name,
      known.map(([each]) => each),
      synonymsOf(facts),
    )
    const found = JSON.stringify(name.slice(0, 60))
    return [{ path, expected: 'the name of a fact between {{ and }}', found, ...nearTo(near) }]
  }
  if (fact.ofEvents !== true || context?.onEvents === true) return []
  return [
    {
      path,
      expected: `a rule with on:, where ${name} is known`,
      found: `{{ ${name} }} in a rule without on:`,
    },
  ]
}

/** A fact as public text; undefined if it is not known. */
function textOf(name: string, view: FactReader): string | undefined {
  const fact = factNamed(name)
  const value = view.publicFact(name)
  if (fact === undefined || value.is !== 'known') return undefined
  const rest = value.missing === NOT_SHOWN ? NOT_SHOWN : '…'
  if (Array.isArray(value.value)) return [...value.value, ...(value.complete ? [] : [rest])].join(', ')
  return typeof value.value === 'string' ? value.value : sayValue(value.value, fact.type)
}

/** Whether some of the value is left out of public text. */
function isHidden(name: string, view: FactReader): boolean {
  const value = view.publicFact(name)
  return value.is === 'known' ? value.missing === NOT_SHOWN : value.is === 'absent' && value.reason === NOT_SHOWN
}

/** The text of a note: unknown facts say so, values are harmless, and no line is a quick action. */
export function fill(text: string, view: FactReader): string {
  const filled = text.replace(PLACE, (_, name: string) => {
    const said = textOf(name.trim(), view)
    if (said === undefined) return isHidden(name.trim(), view) ? NOT_SHOWN : '(unknown)'
    return harmless(cut(said, LONGEST_VALUE))
  })
  return withoutQuickActions(filled)
}

/** The text of a field of the merge request, or the names of facts that are not known: a field is not overwritten with a part. */
export function fillWhole(text: string, view: FactReader): { text: string } | { unknown: string[] } {
  const unknown = namesIn(text).filter((name) => textOf(name, view) === undefined || isHidden(name, view))
  if (unknown.length > 0) return { unknown }
  return { text: text.replace(PLACE, (_, name: string) => textOf(name.trim(), view) ?? '') }
}

/** The service would run a line that begins with a slash, with Bellhop's rights. */
export function withoutQuickActions(text: string): string {
  return text.replace(/^([^\S\n]*)\//gm, `$1${BREAK}/`)
}

/** Values are hostile text: they must not mention people, hide what follows in a tag, comment or code block, or forge Bellhop's mark. */
export function harmless(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/@(?=\S)/g, `@${BREAK}`)
    .replace(/<(?=[A-Za-z/!?])/g, `<${BREAK}`)
    .replace(/!(?=--)/g, `!${BREAK}`)
    .replace(/([`~])(?=\1\1)/g, `$1${BREAK}`)
}
