// Measures what refusing bad rule files costs, and how long accepted ones hold the event loop, beside YAML's own
// reading of a sound file of 500 rules, the largest allowed.
import { parse } from 'yaml'
import { type Bench, rowOf } from '../row.ts'
import { expressionPattern, globMatcher, readRules } from '../rules/product.ts'
import { textOf } from '../rules/rule-set.ts'
import { decideBy, hostileFiles } from './hostile.ts'

const rule = (condition: string, action = '{ subscribe: true }') =>
  `  - name: a\n    if: ${condition}\n    then: ${action}\n`
const file = (...rules: string[]) => `version: 1\nrules:\n${rules.join('')}`
const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index))
const full = (text: string) => text.repeat(Math.floor(262_144 / text.length))
const nine = (item: string) => `[${many(9, () => item).join(', ')}]`
const bomb = `defs:\n  a: &a ${nine('x')}\n${many(8, (index) => `  ${'bcdefghi'[index]}: &${'bcdefghi'[index]} ${nine(`*${'abcdefgh'[index]}`)}\n`).join('')}rules: *i\n`
const comment = (text: string) => file(rule('{ draft: true }', `{ comment: ${JSON.stringify(text)} }`))

const texts: Record<string, string> = {
  'anchor bomb': bomb,
  'full of anchors': full('&a '),
  'a key twice': 'version: 1\nrules: []\nversion: 1\n',
  'a key twice in the last of 500 rules': `${textOf(500)}    name: again\n`,
  'a tab': 'rules:\n\t- name: a\n',
  'full of tabs': full('\t- a\n'),
  '5 MB': `rules: []\n#${'x'.repeat(5_000_000)}`,
  '10,000 rules': file(...many(10_000, () => '- {name: a}\n')),
  '10,000 rules in brackets': `rules: [${'{name: a}, '.repeat(10_000)}]`,
  '501 rules': textOf(501),
  '100 deep': file(rule(`${'{ not: '.repeat(100)}{ draft: true }${' }'.repeat(100)}`)),
  'full of brackets': full('['),
  'full of quotes': full('"'),
  'full of invalid escapes': `a: "${'\\q'.repeat(131_000)}"`,
  'full of commas': `a: [${many(79, () => `[${','.repeat(490)}]`).join(',')}]`,
  'lists in lists': `rules: [${many(60, () => `[${'a, '.repeat(400)}]`).join(', ')}]`,
  'look-around': file(rule('{ title: { matches: "(?=a)" } }')),
  'an expression that multiplies': file(rule('{ title: { matches: "((a{1000}){1000}){1000}" } }')),
  '{a,b} x 20': file(rule(`{ labels: { any: "${'{a,b}'.repeat(20)}" } }`)),
  'a text that loops': comment('{% for x in labels %}{{ x }}{% endfor %}'),
  'a text that reaches prototypes': comment('{{ constructor.constructor }}'),
  'an unknown fact': file(rule('{ drafts: true }')),
  '500 unknown facts': file(...many(500, (index) => rule(`{ unknown_${index}: true }`))),
  'use: that doubles': `defs:\n  a0: { draft: true }\n${many(60, (index) => `  a${index + 1}: { all: [{ use: a${index} }, { use: a${index} }] }\n`).join('')}rules:\n${rule('{ use: a60 }')}`,
}
/** What is not refused, because it is matched in linear time. */
const hostile = `${'a'.repeat(50_000)}!`
const matched: Record<string, () => boolean> = {
  '(a+)+$ over 50,000 letters': () => expressionPattern('^(a+)+$').matches(hostile),
  '*a x 12 over 50,000 letters': () => globMatcher('*a'.repeat(12), 'name')(hostile),
}

export const bench: Bench = {
  about:
    'refusing bad rule files, and how long hostile patterns hold the event loop, beside YAML’s own reading of a sound file of 500 rules, the largest there may be',
  async measure({ rounds }) {
    const sound = textOf(500)
    // A worker that reads its first bad file has read good ones before.
    for (let warm = 0; warm < 3; warm += 1) readRules(sound, 'rules.yml', { trust: 'repository' })
    const cases: [string, () => boolean][] = [
      ...Object.entries(texts).map(([name, text]): [string, () => boolean] => [
        name,
        () => readRules(text, 'f', { trust: 'repository' }).ok,
      ]),
      ...Object.entries(matched),
    ]
    const rows = cases.map(([name, refuse]) => {
      if (refuse()) throw new Error(`${name} is taken`)
      const measured = Array.from(
        { length: rounds },
        () => [millisecondsOf(refuse), millisecondsOf(() => parse(sound))] as const,
      )
      return rowOf(
        { name: `${name} (< 200 ms)`, what: 'refused', beside: 'YAML of 500 sound rules', unit: 'ms' },
        measured,
      )
    })
    for (const [name, hostile] of Object.entries(hostileFiles)) {
      const decideOn = decideBy(hostile)
      // A worker that evaluates it has compiled it before.
      decideOn()
      const measured = Array.from(
        { length: rounds },
        () => [millisecondsOf(decideOn), millisecondsOf(() => parse(sound))] as const,
      )
      const what = {
        name: `${name} (< 50 ms)`,
        what: 'without a look at the event loop',
        beside: 'YAML of 500 sound rules',
      }
      rows.push(rowOf({ ...what, unit: 'ms', aim: { most: 1 } }, measured))
    }
    return rows
  },
}

function millisecondsOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
