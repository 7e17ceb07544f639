// Texts with `{{ fact }}` in them: the same facts as in conditions, and no logic (DESIGN §4, Templates).

import { facts } from './facts/index.ts'
import { sayValue } from './operators.ts'
import type { Issue, Path, Shape } from './shapes.ts'
import { suggest } from './suggest.ts'
import { factNamed, type View } from './view.ts'

const PLACE = /\{\{([^{}]*)\}\}/g
const LONGEST_VALUE = 2000

/** The names between the braces, in order. */
export function namesIn(template: string): string[] {
  return [...template.matchAll(PLACE)].map(([, name = '']) => name.trim())
}

/** A text of at most `longest` characters whose places name facts. */
export function template(longest: number): Shape<string> {
  const expected = 'a text, with {{ fact }} where a fact is to stand'
  return {
    expected,
    read(value, path, issues, context) {
      if (typeof value !== 'string' || value.trim() === '' || value.length > longest) {
        issues.push({
          path,
          at: 'value',
          expected: typeof value === 'string' && value.length > longest ? `a text of at most ${longest} characters` : expected,
        })
        return undefined
      }
      const problems = namesIn(value).flatMap((name) => problemOf(name, path, context?.onEvents === true))
      issues.push(...problems)
      return problems.length > 0 ? undefined : value
    },
  }
}

function problemOf(name: string, path: Path, onEvents: boolean): Issue[] {
  const fact = factNamed(name)
  if (fact === undefined) {
    const near = suggest(name, Object.keys(facts))
    const hint = near === undefined ? {} : { hint: `did you mean "${near}"?` }
    return [{ path, at: 'value', expected: 'the name of a fact between {{ and }}', found: JSON.stringify(name.slice(0, 60)), ...hint }]
  }
  if (fact.ofEvents !== true || onEvents) return []
  return [{ path, at: 'value', expected: `a rule with on:, where ${name} is known`, found: `{{ ${name} }} in a rule without on:` }]
}

/** The text with values in its places; what is not known says so. A mention in a value stays a text: `@` is kept from calling people. */
export function fill(text: string, view: View): string {
  return text.replace(PLACE, (_, name: string) => {
    const fact = factNamed(name.trim())
    const value = view.fact(name.trim())
    if (fact === undefined || value.is !== 'known') return '(unknown)'
    const said = Array.isArray(value.value)
      ? value.value.join(', ')
      : typeof value.value === 'string'
        ? value.value
        : sayValue(value.value, fact.type)
    return harmless(said.length > LONGEST_VALUE ? `${said.slice(0, LONGEST_VALUE)}…` : said)
  })
}

/** Values are hostile text: they neither notify people, nor run as quick actions, nor hide what follows. */
function harmless(value: string): string {
  return value
    .replace(/@(?=[A-Za-z0-9_])/g, '@\u200b')
    .replace(/^(\s*)\//gm, '$1\u200b/')
    .replace(/<!--/g, '<\u200b!--')
}
