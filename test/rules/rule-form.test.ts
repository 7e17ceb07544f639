// What was read from a rule file, written down and read back, says what the text says.
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readRules } from '../../src/rules/document.ts'
import { formOf, readForm } from '../../src/rules/rule-form.ts'
import type { Condition, ReadRules, RuleFile } from '../../src/rules/types.ts'
import { anyYaml } from './any-yaml.ts'
import { documents, events, memories, project, usualAnswers, withEvents } from './arbitraries.ts'
import { decided, file, input, rule, rules } from './world.ts'

const read = (text: string, included = false): ReadRules => readRules(text, '.bellhop.yml', { trust: 'repository', included })

function rewritten(given: ReadRules): ReadRules {
  const form = formOf(given)
  if (form === undefined) throw new Error('it has no form')
  return readForm(form)
}

const rulesOf = (given: ReadRules): RuleFile => {
  if (!given.ok) throw new Error(JSON.stringify(given.problems[0]))
  return given.rules
}

describe('the form of a rule file gives back what the text gives', () => {
  const folder = new URL('../../rules/', import.meta.url)
  const shipped = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.yml$/.test(name))
  const kept = [
    ...['', 'rules: []', '- a', 'rules: 7', 'rules: [', 'mode: observe\nrules: []', 'a: 1\na: 2'],
    'include: { project: hotel/rules, file: merge.yml, ref: v1 }',
    rules(rule('{ all: [{ draft: false }, { not: { labels: [a, b] } }] }', '{ label: { add: [a], while: b }, estimate: 15m }')),
    'rules: [{ name: a, mode: observe, on: { merge_request.update: { changed: [labels] } }, if: { draft: true }, then: { todo: true } }]',
    'rules: [{ name: a, command: merge, then: { accept: { squash: true } } }]',
    'rules: [{ name: a, on: push, if: { ref: main }, then: { star: true } }]',
  ]
  it.each(shipped)('%s', (name) => {
    const given = read(readFileSync(new URL(name, folder), 'utf8'))
    expect(rewritten(given)).toStrictEqual(given)
  })

  it.each(kept)('%j', (text) => {
    expect(rewritten(read(text))).toStrictEqual(read(text))
  })

  it('whatever the rules are, and judges as they do, with the same trace', () => {
    fc.assert(
      fc.property(withEvents, usualAnswers, memories, project, events, (text, answers, memory, about, happened) => {
        const [given] = [file(text, { trust: 'repository' })]
        const again = { ...given, rules: rulesOf(rewritten({ ok: true, rules: given.rules })) }
        expect(again).toStrictEqual(given)
        const judged = (inForce: typeof given) => decided(input([inForce], { memory, answers, project: about, events: happened }))
        expect(judged(again)).toEqual(judged(given))
      }),
      { numRuns: 200 },
    )
  })

  it('whatever the text is, sound or not, in the repository or included', () => {
    const damaged = fc
      .tuple(documents, fc.nat(), fc.nat({ max: 12 }), anyYaml)
      .map(([text, from, length, other]) => text.slice(0, from % text.length) + other + text.slice((from % text.length) + length))
    const problems = new Set<boolean>()
    fc.assert(
      fc.property(fc.oneof(anyYaml, damaged), fc.boolean(), (text, included) => {
        const given = read(text, included)
        problems.add(given.ok)
        expect(rewritten(given)).toStrictEqual(given)
      }),
      { numRuns: 500 },
    )
    // Else only half of it was tested.
    expect(problems.size).toBe(2)
  })
})

describe('what a name stands for', () => {
  const text = `defs:\n  quiet: { draft: false }\n  calm: { use: quiet, labels: a }\n${rules(
    rule('{ use: [quiet, calm] }', '{ todo: true }', 'one'),
    rule('{ any: [{ use: calm }, { not: { use: quiet } }] }', '{ todo: true }', 'other'),
  ).replace(/^version.*\n/, '')}`
  const standsFor = (condition: Condition): Condition[] => {
    if ('use' in condition) return [condition.is, ...standsFor(condition.is)]
    if ('not' in condition) return standsFor(condition.not)
    if ('fact' in condition) return []
    return ('all' in condition ? condition.all : condition.any).flatMap(standsFor)
  }

  test('is one condition for all who use it, as it is in what was read', () => {
    const given = read(text)
    expect(rewritten(given)).toStrictEqual(given)
    const every = rulesOf(rewritten(given)).rules.flatMap((each) => standsFor(each.if))
    expect(every).toHaveLength(6)
    expect(new Set(every).size).toBe(2)
  })

  test('is in the form once, however often it is used', () => {
    const many = (uses: number) =>
      `defs:\n  long: { labels: [${Array.from({ length: 400 }, (_, n) => `label-${n}`).join(', ')}] }\n${rules(
        ...Array.from({ length: uses }, (_, n) => rule('{ use: long }', '{ todo: true }', `rule ${n}`)),
      )}`
    const lengthOf = (uses: number) => formOf(read(many(uses)))?.length ?? 0
    expect(lengthOf(41) - lengthOf(1)).toBeLessThan(40 * 400)
  })
})

describe('there is no form', () => {
  const wanted = (value: number): ReadRules => ({
    ok: true,
    rules: {
      file: 'f',
      rules: [{ name: 'a', line: 1, if: { fact: 'upvotes', operator: 'at_least', wanted: value }, actions: [], fingerprint: '' }],
    },
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -0])('where JSON has another value for one: %s', (value) => {
    expect(formOf(wanted(1))).toBeDefined()
    expect(formOf(wanted(value))).toBeUndefined()
  })

  it('where aliases make it far longer than the text', () => {
    const labels = Array.from({ length: 100 }, (_, n) => `${'x'.repeat(200)}${n}`).join(', ')
    const long = (aliases: number) =>
      rules(
        rule(`{ labels: &a [${labels}] }`, '{ todo: true }', 'first'),
        ...Array.from({ length: aliases }, (_, n) => rule('{ labels: *a }', '{ todo: true }', `rule ${n}`)),
      )
    expect(formOf({ ok: true, rules: rulesOf(read(long(10))) })).toBeDefined()
    expect(formOf({ ok: true, rules: rulesOf(read(long(90))) })).toBeUndefined()
  })
})

test('a form is hardly longer than the text of ordinary rules', () => {
  const text = rules(
    ...Array.from({ length: 50 }, (_, n) =>
      rule(
        `{ changed_files: { any: "area-${n}/**" }, author: [renovate-bot, dependabot], draft: false }`,
        '{ label: { add: a } }',
        `rule ${n}`,
      ),
    ),
  )
  expect(formOf(read(text))?.length).toBeLessThan(1.5 * text.length)
})
