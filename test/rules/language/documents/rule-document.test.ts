// Reading rule files: what is refused, and where exactly.
import { describe, expect, it } from 'vitest'
import { formatProblem, readRules } from '../../../../src/rules/language/documents/rule-document.ts'
import { answers, decided, file, input, rule, rules } from '../../world.ts'

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
      'an unknown key of an event',
      'rules:\n  - { name: a, on: { push: { change: [a] } }, then: { subscribe: true } }',
      /did you mean "changed"/,
    ],
    [
      'a definition that is not there',
      `defs: { ready: { draft: false } }\n${when('{ use: redy }')}`,
      /use: did you mean "ready"\? Found "redy", expected one of ready/,
    ],
    ['a definition of itself', `defs: { a: { use: a } }\n${when('{ use: a }')}`, /defs\.a\.use: expected one of/],
    [
      'a definition that uses a later one',
      `defs: { a: { use: b }, b: { draft: false } }\n${when('{ use: a }')}`,
      /defs\.a\.use/,
    ],
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
    [
      'an operator of another type',
      when('{ draft: { matches: x } }'),
      /if\.draft\.matches: expected one of the keys not/,
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
    ['another version of YAML', '%YAML 1.1\n---\nrules: []', /%YAML directive/],
    ['a tag', 'rules: !!binary aa', /without a tag/],
    ['a set', 'rules: !!set {a}', /without a tag/],
    ['a key that is no text', '1: 2', /a key that is a text/],
    ['a key that is a mapping', '? {a: 1}\n: 2', /a key that is a text/],
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
