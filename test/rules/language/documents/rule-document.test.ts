// Reading rule files: what is refused, and where exactly.
import { formatProblem, readRules } from '../../../../src/rules/language/documents/rule-document.ts'
import { answers, decided, file, input, problemsIn, rule, rules } from '../../world.ts'

const read = (text: string) => readRules(text, '.bellhop.yml', { trust: 'repository' })
const problems = (text: string) => {
  const result = read(text)
  return result.ok ? [] : result.problems.map(formatProblem)
}
const first = (text: string) => problems(text)[0]
const then = (text: string) => rules(rule('{ state: opened }', text))
const when = (text: string) => rules(rule(text, '{ approve: true }'))

describe('a rule file', () => {
  it.each(['', '\n', '# only a comment\n', 'null', '---\n...\n', 'rules: []'])('%j is no rules', (text) => {
    expect(read(text)).toEqual({ ok: true, rules: { file: '.bellhop.yml', rules: [] } })
  })
  it('gives its rules with their lines', () => {
    const [one, two] = ['one', 'two'].map((name) => rule('{ draft: false }', '{ approve: true }', name))
    const result = read(rules(one ?? '', two ?? ''))
    expect(result.ok && result.rules.rules.map(({ name, line }) => [name, line])).toEqual([
      ['one', 3],
      ['two', 6],
    ])
  })
  it('reads values through aliases', () => {
    const text = 'rules:\n  - name: a\n    if: { labels: { none: &held [hold, wait] } }\n    then: { approve: true }\n'
    expect(problems(`${text}  - name: b\n    if: { labels: { any: *held } }\n    then: { subscribe: true }\n`)).toEqual(
      [],
    )
  })
  it('marks a changed rule, not a moved one', () => {
    const mark = (text: string) => {
      const result = read(text)
      return result.ok ? result.rules.rules[0]?.fingerprint : undefined
    }
    const text = rules(rule('{ draft: false, state: opened }', '{ approve: true }'))
    expect(mark(`# moved\n\n${text}`)).toBe(mark(text))
    expect(mark(rules(rule('{ draft: true, state: opened }', '{ approve: true }')))).not.toBe(mark(text))
  })
})

describe('a problem', () => {
  it('is said with file, line, column, path, what was expected and what was found', () => {
    const text = `version: 1\nrules:\n  - name: a\n    if:\n      state: opened\n    then:\n      accept:\n        squash: "yes"\n`
    expect(problems(text)).toEqual([
      '.bellhop.yml:8:17: rules[0].then.accept.squash: expected true or false, found "yes"',
    ])
  })
  it('is each of them, in the order of the text', () => {
    const text = 'version: 2\nrules:\n  - nam: a\n    if: { draft: maybe }\n    then: { approve: 1 }\n'
    expect(problems(text).map((line) => line.split(': ')[0])).toEqual([
      '.bellhop.yml:1:10',
      '.bellhop.yml:3:5',
      '.bellhop.yml:3:5',
      '.bellhop.yml:4:18',
      '.bellhop.yml:5:22',
    ])
  })
  it.each([
    [
      'an unknown key of the file',
      'rule: []',
      /^\.bellhop\.yml:1:1: rule: did you mean "rules"\? Found the unknown key "rule", /,
    ],
    [
      'an event that is none',
      'rules:\n  - { name: a, on: note.creat, then: { subscribe: true } }',
      /rules\[0\]\.on: .*did you mean "note\.create"\?/,
    ],
    [
      'a definition that is not there',
      `defs: { ready: { draft: false } }\n${when('{ use: redy }')}`,
      /use: did you mean "ready"\? Found "redy", expected one of ready/,
    ],
    ['a definition of itself', `defs: { a: { use: a } }\n${when('{ use: a }')}`, /defs\.a\.use: expected one of/],
    [
      'a problem inside a definition',
      `defs: { a: { draft: maybe } }\n${when('{ use: a }')}`,
      /:1:\d+: defs\.a\.draft: expected true or false/,
    ],
    [
      'an unknown fact',
      when('{ lables: x }'),
      /:4:11: rules\[0\]\.if\.lables: did you mean "labels"\? Found .*, expected the name of a fact, or all, any, not, use$/,
    ],
    [
      'an unknown operator',
      when('{ labels: { an: x } }'),
      /if\.labels\.an: did you mean "any"\? .*, expected one of the keys any, all, none, not$/,
    ],
    ['an unknown action', then('{ aprove: true }'), /:5:13: rules\[0\]\.then\.aprove: .*did you mean "approve"/],
    [
      'a word that the fact does not know',
      when('{ pipeline: sucess }'),
      /did you mean "success"\? Found "sucess", expected one of none, .* and 9 more$/,
    ],
    ['a list where one value goes', when('{ draft: [true] }'), /if\.draft: expected true or false, .*found a list/],
    ['an empty if', when('{}'), /expected a mapping with at least one condition/],
    ['an empty combinator', when('{ any: [] }'), /if\.any: expected a list of conditions/],
    ['an empty then', then('{}'), /expected a mapping with at least one action/],
    [
      'a missing name',
      'rules:\n  - if: { draft: false }\n    then: { approve: true }',
      /:2:5: rules\[0\]: expected the key "name"/,
    ],
    [
      'two rules of one name',
      rules(rule('{ draft: false }', '{ approve: true }'), rule('{ draft: true }', '{ approve: true }')),
      /:6:11: rules\[1\]\.name: expected a name of its own/,
    ],
    [
      'a name of two lines',
      'rules:\n  - name: "a\\nb"\n    if: { draft: false }\n    then: { approve: true }',
      /on one line/,
    ],
    ['approve: false', then('{ approve: false }'), /then\.approve: expected true, found false/],
    ['a rules that is no list', 'rules: {}', /rules: expected a list of at most 500 rules, found a mapping/],
    ['a document that is a list', '- a', /expected a mapping with version and rules, found a list/],
  ])('names %s', (_what, text, expected) => {
    expect(problems(text).join('\n')).toMatch(expected)
  })
})

describe('what YAML allows and a rule file does not', () => {
  it.each([
    ['a second document', 'rules: []\n---\nrules: []', /one YAML document/],
    ['a tag', 'rules: !!binary aa', /without a tag/],
    ['a key that is no text', '1: 2', /a key that is a text/],
    ['an alias of nothing', 'rules: *a', /:1:8: expected an alias of an earlier value, found \*a/],
    ['an alias inside itself', 'rules: &a [*a]', /:1:12: expected an alias of an earlier value/],
    ['a merge key', 'a: &a {x: 1}\nrules: []\n<<: *a', /unknown key "a"/],
    ['an open bracket', 'rules: [', /valid YAML/],
    ['the name of a prototype', '__proto__: {}\nconstructor: 1\nrules: []', /unknown key "__proto__"/],
  ])('%s is refused', (_what, text, expected) => {
    expect(first(text)).toMatch(expected)
  })
  it('21 levels of nesting are refused, wherever they are', () => {
    const nested = (depth: number) => when(`${'{ not: '.repeat(depth)}{ draft: true }${' }'.repeat(depth)}`)
    expect(problems(nested(16))).toEqual([])
    expect(first(nested(17))).toMatch(/:4:\d+: expected at most 20 levels of nesting/)
  })
})

describe('definitions', () => {
  it('stand for their conditions, and for those that they use themselves', () => {
    const given = file(
      'defs:\n  ready: { draft: false }\n  urgent: { use: ready, labels: [urgent] }\n' +
        when('{ use: urgent }').replace(/^version: 1\n/, ''),
    )
    const ready = (fields: Record<string, unknown>) => decided(input([given], { answers: answers(fields) })).rules[0]
    expect(ready({ labels: ['urgent'] })?.verdict).toBe('true')
    expect(ready({ labels: ['urgent'], work_in_progress: true })?.verdict).toBe('false')
    expect(ready({ labels: [] })?.conditions).toMatchObject({
      condition: 'urgent',
      children: [{ children: [{ condition: 'ready' }, { condition: 'labels' }] }],
    })
  })
  it('count for all rules of a file', () => {
    const parts = Array.from({ length: 500 }, () => '{ draft: false }').join()
    const each = (name: string, use: string) => `  - { name: ${name}, if: { use: ${use} }, then: { approve: true } }\n`
    const file = (last: string) =>
      `version: 1\ndefs: { many: { all: [${parts}] }, one: { draft: false } }\nrules:\n` +
      `${Array.from({ length: 40 }, (_, at) => each(`r${at}`, 'many')).join('')}${last}`
    expect(problems(file(''))).toEqual([])
    expect(first(file(each('last', 'one')))).toMatch(/at most 20000 conditions in a file/)
  })
  it('are part of what a rule says: a changed one makes it new', () => {
    const mark = (condition: string) =>
      file(`defs: { a: ${condition} }\n${when('{ use: a }').replace(/^version: 1\n/, '')}`).rules.rules[0]?.fingerprint
    expect(mark('{ draft: false }')).not.toBe(mark('{ draft: true }'))
    expect(mark('{ draft: false }')).toBe(mark('{ draft: false }'))
  })
})

function problemsOf(text: string): string[] {
  return problemsIn(text, 'f', 'repository')
}
const note = (text: string) => rules(rule('{ draft: true }', `{ comment: ${JSON.stringify(text)} }`))

const nine = (item: string) => `[${Array.from({ length: 9 }, () => item).join(', ')}]`
const bomb = `defs:\n  a: &a ${nine('x')}\n${[...'bcdefghi'].map((name, index) => `  ${name}: &${name} ${nine(`*${'abcdefgh'[index]}`)}\n`).join('')}rules: *i\n`
it.each([
  ['an alias bomb', bomb, /^f:\d+:\d+: .*aliases/],
  ['a tab', 'rules:\n\t- name: a\n', /^f:2:1: expected valid YAML, found Tabs/],
  ['5 MB', `rules: []\n#${'x'.repeat(5_000_000)}`, /^f:1:1: expected a file of at most 256 KB/],
  ['10,000 short rules', `rules:\n${'- a\n'.repeat(10_000)}`, /^f:502:1: expected at most 500 entries/],
  ['10,000 rules in brackets', `rules: [${'{ name: a }, '.repeat(10_000)}]`, /^f:1:6520: expected at most 500 entries/],
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
])('is refused, with line and column: %s', (_what, text, expected) => {
  const [first, ...others] = problemsOf(text)
  expect(first).toMatch(expected)
  expect(others.length).toBeLessThan(100)
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
    const [short] = problemsOf(text(3000))
    expect(short).toMatch(/^f:\d+:\d+: expected at most/)
    expect(problemsOf(text(12_000))).toEqual([short])
  })
  it('and of many problems only the first hundred are listed', () => {
    const unknown = (n: number) =>
      rules(...Array.from({ length: n }, (_, index) => rule('{ drafts: true }', '{ subscribe: true }', `${index}`)))
    expect(problemsOf(unknown(200))).toHaveLength(100)
    expect(problemsOf(unknown(400))).toEqual(problemsOf(unknown(200)))
  })
})
