// Rule files made to hurt: each is refused, or read in a time that grows with its length alone.
import { describe, expect, it } from 'vitest'
import { formatProblem, readRules } from '../../src/rules/document.ts'
import { answers, decided, file, input, rule, rules } from './world.ts'

/** Where each of these was quadratic or worse, it took from twenty seconds to forever; now a tenth of this, on an idle core a hundredth. */
const ENOUGH_MS = 5000
const problems = (text: string) => {
  const before = performance.now()
  const read = readRules(text, 'a.yml', { trust: 'repository' })
  expect(performance.now() - before).toBeLessThan(ENOUGH_MS)
  return read.ok ? [] : read.problems.map(formatProblem)
}
/** As much as a file may be. */
const full = (text: string, before = '', after = '') =>
  `${before}${text.repeat(Math.floor((262_000 - before.length - after.length) / text.length))}${after}`
const numbered = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join('')
const when = (condition: string) => rules(rule(condition, '{ subscribe: true }'))

describe('a text is refused', () => {
  it.each([
    ['of 5 MB', `# ${'x'.repeat(5_000_000)}`, /^a\.yml:1:1: expected a file of at most 256 KB/],
    ['of 10,000 rules', rules(...Array.from({ length: 10_000 }, (_, i) => rule('{ draft: true }', '{ approve: true }', `${i}`))), /256 KB/],
    ['of 10,000 short rules', full('- {name: a}\n', 'rules:\n').slice(0, 120_000), /^a\.yml:2002:\d+: expected at most 2000 entries/],
    ['of lines alone', full('\n'), /^a\.yml:1:1: expected a file of at most 20000 lines/],
    ['of entries in one line', full('a,', 'rules: [', ']'), /^a\.yml:1:\d+: expected at most 2000 entries/],
    ['of lists in one line', full(`[${'a,'.repeat(1500)}],`, 'rules: [', ']'), /expected at most 120000 words and signs/],
    ['of different keys', numbered(19_000, (i) => `a${i}: \n`), /expected at most 2000 entries/],
    ['of the same key', numbered(1900, () => 'a: 1\n'), /^a\.yml:2:1: expected keys that are unique, found a second "a"/],
    ['of keys that are nothing', full('? \n').slice(0, 3000), /a key that is a text/],
    ['of anchors', full('&a '), /^a\.yml:1:\d+: expected at most 200 anchors, aliases and tags/],
    ['of aliases', full('*a, ', '[&a x, ', ']'), /expected at most 200 anchors, aliases and tags/],
    ['of tags', full('!a '), /expected at most 200 anchors, aliases and tags/],
    ['of tabs', numbered(1900, () => '\ta: "xxxxxxxxxxx"\n'), /^a\.yml:1:1: .*[Tt]abs/],
    ['of brackets that close nothing', full(']'), /^a\.yml:1:1: expected valid YAML/],
    ['of brackets that are left open', full('['), /levels of nesting/],
    ['of escapes that are none', full('\\q', 'a: "', '"'), /^a\.yml:1:\d+: expected valid YAML, found Invalid escape/],
    ['of directives', full('%aaaaaaaaaaaaa\n'), /^a\.yml:1:1: expected valid YAML/],
    ['of documents', full('--- xxxxxxxxxx\n'), /expected (?:one YAML document|at most)/],
    ['of nesting in a flow', when(`${'{ not: '.repeat(100)}{ draft: true }${' }'.repeat(100)}`), /^a\.yml:4:\d+: .*20 levels of nesting/],
    ['of nesting in all', when(`${'{ all: ['.repeat(100)}{ draft: true }${'] }'.repeat(100)}`), /20 levels of nesting/],
    ['of nesting by indentation', numbered(500, (i) => `${' '.repeat(i)}a:\n`), /20 levels of nesting/],
  ])('%s', (_what, text, expected) => {
    const found = problems(text)
    expect(found[0]).toMatch(expected)
    expect(found.length).toBeLessThanOrEqual(100)
  })
  it('of unknown facts, with the first hundred of them', () => {
    const bad = '{ lables: x, drft: true, titel: x, stat: y, pipelin: z, chnaged_files: w }'
    const found = problems(rules(...Array.from({ length: 1000 }, (_, index) => rule(bad, '{ aprove: true }', `${index}`))))
    expect(found).toHaveLength(100)
    expect(found[0]).toMatch(/^a\.yml:4:11: rules\[0\]\.if\.lables: .*did you mean "labels"\?/)
  })
  it('of words that no fact knows', () => {
    expect(problems(when(`{ any: [${'{ state: opend }, '.repeat(1900)}] }`))).toHaveLength(100)
  })
})

describe('named conditions', () => {
  const doubling = (count: number) =>
    `defs:\n  d0: { draft: false }\n${numbered(count, (i) => `  d${i + 1}: { any: [{ use: d${i} }, { use: d${i} }] }\n`)}`
  const using = (name: string) => `rules:\n${rule(`{ use: ${name} }`, '{ subscribe: true }')}`
  it('that stand for 500 conditions are read, for more they are refused', () => {
    expect(problems(`${doubling(8)}${using('d8')}`)).toEqual([])
    expect(problems(`${doubling(9)}${using('d8')}`)).toEqual([
      'a.yml:11:7: defs.d9: expected at most 500 conditions, with those that use: stands for, found more of them',
    ])
  })
  it('that use one another twice are refused, however many they are', () => {
    expect(problems(`${doubling(190)}${using('d190')}`)[0]).toMatch(/defs\.d9: expected at most 500 conditions/)
  })
  it('of a whole file stand for 20,000 at most', () => {
    const many = (count: number) => `${doubling(8)}rules:\n${numbered(count, (i) => rule('{ use: d8 }', '{ subscribe: true }', `${i}`))}`
    expect(problems(many(78))).toEqual([])
    expect(problems(many(90))).toEqual([expect.stringMatching(/rules\[78\]: expected at most 20000 conditions in a file/)])
  })
})

describe('patterns', () => {
  it.each([
    [
      '{ changed_files: { all: "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}" } }',
      /10 braces/,
    ],
    ['{ title: { matches: "((a{1000}){1000}){1000}" } }', /RE2 syntax/],
    ['{ title: { matches: "(?:a{0,1000}){1,1000}" } }', /RE2 syntax/],
  ])('%s is refused', (condition, expected) => {
    expect(problems(when(condition))[0]).toMatch(expected)
  })
  it.each([
    ['{ description: { matches: "(a+)+$" } }', `${'a'.repeat(90_000)}!`, 'false'],
    ['{ description: { glob: "*a*a*a*a*a*a*a*a*a*a*a*a" } }', `${'a'.repeat(90_000)}!`, 'false'],
    ['{ description: { matches: "(x+x+)+y" } }', 'x'.repeat(90_000), 'false'],
  ])('%s is judged in linear time', (condition, description, verdict) => {
    const before = performance.now()
    expect(decided(input([file(when(condition))], { answers: answers({ description }) })).rules[0]?.verdict).toBe(verdict)
    expect(performance.now() - before).toBeLessThan(ENOUGH_MS)
  })
  it('of a full file are read', () => {
    const list = numbered(450, () => `    - { title: { matches: "${'(a+)+'.repeat(90)}" } }\n`)
    expect(problems(`rules:\n- name: a\n  then: { subscribe: true }\n  if:\n    any:\n${list}`)).toEqual([])
  })
})
