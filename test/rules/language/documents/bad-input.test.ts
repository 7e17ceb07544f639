// Bad input: refused with a place, and at the same place however much of it follows, so that more of it costs no more.
import { describe, expect, it } from 'vitest'
import { problemsIn, rule, rules } from '../../world.ts'

function problems(text: string): string[] {
  return problemsIn(text, 'f', 'repository')
}
const when = (conditions: string) => rules(rule(conditions, '{ subscribe: true }'))
const note = (text: string) => rules(rule('{ draft: true }', `{ comment: ${JSON.stringify(text)} }`))

describe('is refused, with line and column:', () => {
  const nine = (item: string) => `[${Array.from({ length: 9 }, () => item).join(', ')}]`
  const bomb = `defs:\n  a: &a ${nine('x')}\n${[...'bcdefghi'].map((name, index) => `  ${name}: &${name} ${nine(`*${'abcdefgh'[index]}`)}\n`).join('')}rules: *i\n`
  it.each([
    ['an alias bomb', bomb, /^f:\d+:\d+: .*aliases/],
    ['a tab', 'rules:\n\t- name: a\n', /^f:2:1: expected valid YAML, found Tabs/],
    ['5 MB', `rules: []\n#${'x'.repeat(5_000_000)}`, /^f:1:1: expected a file of at most 256 KB/],
    [
      '10,000 rules',
      rules(...Array.from({ length: 10_000 }, (_, index) => rule('{ draft: true }', '{ todo: true }', `${index}`))),
      /^f:1:1: expected a file of at most/,
    ],
    ['10,000 short rules', `rules:\n${'- a\n'.repeat(10_000)}`, /^f:502:1: expected at most 500 entries/],
    [
      '10,000 rules in brackets',
      `rules: [${'{ name: a }, '.repeat(10_000)}]`,
      /^f:1:6520: expected at most 500 entries/,
    ],
    [
      '501 rules',
      rules(...Array.from({ length: 501 }, (_, index) => rule('{ draft: true }', '{ todo: true }', `${index}`))),
      /^f:1503:3: expected at most 500 entries in one list or mapping/,
    ],
    ['an expression that multiplies', when('{ title: { matches: "((a{1000}){1000}){1000}" } }'), /^f:4:29: /],
    [
      'an expression of several thousand instructions',
      when('{ title: { matches: "(?:[a-m].{0,900}x)?(?:[a-m].{0,900}y)?[!-/]$" } }'),
      /^f:4:29: .*expected a regular expression of at most 1000 instructions when compiled, found one of about 3\d{3}; shorten repetitions such as \{0,900\}/,
    ],
    [
      'an expression just above the limit',
      when('{ title: { matches: ".{0,520}" } }'),
      /^f:4:29: .*at most 1000 instructions when compiled, found one of 1042;/,
    ],
    [
      'a class that takes long to compile',
      when('{ title: { matches: "(?i)[é-\u{1e942}][é-\u{1e942}]" } }'),
      /^f:4:29: .*at most 1000 instructions when compiled, found one of about 3\d{3};/,
    ],
    [
      'expressions that are too large together',
      when(
        `{ labels: { any: [${Array.from({ length: 30 }, (_, index) => `{ matches: ".{0,200}${index}" }`).join(', ')}] } }`,
      ),
      /^f:4:\d+: rules\[0\]\.if\.labels\.any\[24\]\.matches: expected at most 10000 instructions for the patterns of a file when compiled, found 10\d{3} up to here; divide/,
    ],
    [
      'globs that are too large together',
      when(
        `{ labels: { any: [${Array.from({ length: 60 }, (_, index) => `"{a,b,c,d,e}{f,g,h,i,j}{*k,*l,*m,*n,*o}*${index}"`).join(', ')}] } }`,
      ),
      /^f:4:\d+: rules\[0\]\.if\.labels\.any\[\d+\]: expected at most 10000 instructions for the patterns of a file/,
    ],
    ['a text that loops', note('{% for x in labels %}{{ x }}{% endfor %}'), /^f:5:22: .*the name of a fact between/],
    ['a text that reaches prototypes', note('{{ constructor.constructor }}'), /^f:5:22: .*the name of a fact between/],
    ['a text that names a prototype', note('{{ __proto__ }}'), /^f:5:22: .*the name of a fact between/],
    [
      'a fact that is a prototype',
      when('{ __proto__: { draft: true } }'),
      /^f:4:11: rules\[0\]\.if\.__proto__: .*the unknown key/,
    ],
    [
      'an action that every object has',
      rules(rule('{ draft: true }', '{ constructor: true }')),
      /^f:5:13: .*the unknown key "constructor"/,
    ],
  ])('%s', (_what, text, expected) => {
    const [first, ...others] = problems(text)
    expect(first).toMatch(expected)
    expect(others.length).toBeLessThan(100)
  })
})

describe('however much follows, what is refused is the same place:', () => {
  it.each([
    ['brackets', (n: number) => '['.repeat(n)],
    ['dashes', (n: number) => '- '.repeat(n)],
    ['questions', (n: number) => '? '.repeat(n)],
    ['anchors', (n: number) => '&a '.repeat(n)],
    ['aliases', (n: number) => `a: &a 1\nb: [${'*a, '.repeat(n)}]`],
    ['keys', (n: number) => Array.from({ length: n }, (_, index) => `k${index}: 1`).join('\n')],
    ['a list', (n: number) => `rules: [${'a, '.repeat(n)}]`],
    ['nested conditions', (n: number) => when(`${'{ not: '.repeat(n)}{ draft: true }${' }'.repeat(n)}`)],
  ])('%s', (_what, text) => {
    const [short] = problems(text(3000))
    expect(short).toMatch(/^f:\d+:\d+: expected at most/)
    expect(problems(text(12_000))).toEqual([short])
  })
  it('and of many problems only the first hundred are listed', () => {
    const unknown = (n: number) =>
      rules(...Array.from({ length: n }, (_, index) => rule('{ drafts: true }', '{ subscribe: true }', `${index}`)))
    expect(problems(unknown(200))).toHaveLength(100)
    expect(problems(unknown(400))).toEqual(problems(unknown(200)))
  })
})
