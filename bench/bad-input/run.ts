// Measures what refusing bad rule files costs, beside YAML's own reading of a sound file of 500 rules, the largest there may be.
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { expressionMatcher, globMatcher, readRules } from '../rules/product.ts'
import { textOf } from '../rules/rule-set.ts'

const help = `Usage: npm run bench -- bad-input [options]

How long each bad rule file takes to be refused (the first time, and the median of some rounds), and as a ratio to YAML's own
reading of 500 sound rules. Measures what npm run build made. Prints a table.

Options:
  --rounds N   rounds of each, at least 5 (default 5)
  --help       show this
`
const rule = (condition: string, action = '{ subscribe: true }') => `  - name: a\n    if: ${condition}\n    then: ${action}\n`
const file = (...rules: string[]) => `version: 1\nrules:\n${rules.join('')}`
const many = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index))
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
  '(a+)+$ over 50,000 letters': () => expressionMatcher('^(a+)+$')(hostile),
  '*a x 12 over 50,000 letters': () => globMatcher('*a'.repeat(12), 'name')(hostile),
}

export async function run(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: { rounds: { type: 'string', default: '5' }, help: { type: 'boolean', short: 'h', default: false } },
  })
  const rounds = Number(values.rounds)
  if (values.help || !Number.isInteger(rounds) || rounds < 5) {
    process.stdout.write(help)
    if (!values.help) process.exitCode = 2
    return
  }
  const sound = textOf(500)
  // A worker that reads its first bad file has read good ones before.
  for (let warm = 0; warm < 3; warm += 1) readRules(sound, 'rules.yml', { trust: 'repository' })
  const cases: [string, () => boolean][] = [
    ...Object.entries(texts).map(([name, text]): [string, () => boolean] => [name, () => readRules(text, 'f', { trust: 'repository' }).ok]),
    ...Object.entries(matched),
  ]
  const lines = cases.map(([name, refuse]) => {
    const first = millisecondsOf(() => {
      if (refuse()) throw new Error(`${name} is taken`)
    })
    const pairs = Array.from({ length: rounds }, () => [millisecondsOf(refuse), millisecondsOf(() => parse(sound))] as const)
    const ratio = median(pairs.map(([one, other]) => one / other))
    return `| ${name} | ${first.toFixed(1)} ms | ${median(pairs.map(([one]) => one)).toFixed(1)} ms | ${ratio.toFixed(3)} |`
  })
  const head = '| refused | first time | median | beside YAML of 500 sound rules |\n| --- | ---: | ---: | ---: |'
  process.stdout.write(`${head}\n${lines.join('\n')}\n`)
}

function millisecondsOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
