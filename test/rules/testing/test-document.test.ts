// Files of rule tests: what they may say, and the place of every mistake.
import fc from 'fast-check'
import { formatProblem } from '../../../src/rules/language/documents/rule-document.ts'
import { readRuleTests, testedFile } from '../../../src/rules/testing/test-document.ts'

const problemsOf = (text: string, names: string[] = ['docs']) => {
  const read = readRuleTests(text, 'x.test.yml', names)
  return read.ok ? [] : read.problems.map(formatProblem)
}
const nothing = ['name: a', 'nothing: true']
/** A document with one test; its lines begin at line 2. */
const problemsIn = (...lines: string[]) =>
  problemsOf(`tests:\n${lines.map((line, index) => `  ${index === 0 ? '-' : ' '} ${line}\n`).join('')}`)

describe('a file of tests', () => {
  it('is read with the line of each test', () => {
    const read = readRuleTests(
      'version: 1\ntests:\n  - { name: a, nothing: true }\n  - name: b\n    blocker: draft\n',
      'x.test.yml',
      ['docs'],
    )
    expect(read).toMatchObject({
      ok: true,
      read: [
        { name: 'a', line: 3, expected: [], blockers: {}, before: [], given: { facts: {} } },
        { name: 'b', line: 4, blockers: { docs: 'draft' } },
      ],
    })
  })
  it('reads values as rules write them', () => {
    const given =
      '{ age: 30d, time_estimate: 1h, draft: true, milestone: null, labels: [], author: unknown, changed_files: { value: [a], complete: false } }'
    const read = readRuleTests(`tests:\n  - { name: a, nothing: true, given: ${given} }\n`, 'x', ['docs'])
    const known = (value: unknown, complete = true) => ({ is: 'known', value, complete })
    expect(read.ok && read.read[0]?.given.facts).toEqual({
      age: known(2_592_000),
      time_estimate: known(3600),
      draft: known(true),
      milestone: known(null),
      labels: known([]),
      author: { is: 'absent', reason: 'it is said to be unknown' },
      changed_files: known(['a'], false),
    })
  })
  it('may name the rules that it tests', () => {
    expect(testedFile('rules: ../a.yml\ntests: []\n', 'x')).toEqual({ ok: true, read: '../a.yml' })
    expect(testedFile('tests: []\n', 'x')).toEqual({ ok: true, read: undefined })
    expect(testedFile('rules: [a]\n', 'x')).toMatchObject({ ok: false, problems: [{ line: 1, column: 8 }] })
  })
})

describe('a mistake', () => {
  it.each<[string, string[], string | RegExp]>([
    [
      'an unknown fact',
      [...nothing, 'given: { labls: [] }'],
      /^x\.test\.yml:4:\d+: tests\[0\]\.given\.labls: .*did you mean "labels"\?/,
    ],
    [
      'an unknown word',
      [...nothing, 'given: { pipeline: sucess }'],
      /:4:\d+: tests\[0\]\.given\.pipeline: .*did you mean "success"\?/,
    ],
    [
      'a fact that issues do not have',
      [...nothing, 'for: issues', 'given: { pipeline: success }'],
      /:5:\d+: tests\[0\]\.given\.pipeline: expected a fact of issues, found pipeline$/,
    ],
    [
      'a fact of issues in another test',
      [...nothing, 'given: { confidential: true }'],
      /expected a fact of merge requests, or a test with for: issues, found confidential$/,
    ],
    ['a list of something else', [...nothing, 'given: { labels: [1] }'], /expected a list of texts, found a list$/],
    ['a time without a zone', [...nothing, 'given: { clock: "2026-01-01T10:00" }'], /expected a time with its zone/],
    ['a fact of events among the given', [...nothing, 'given: { actor: alice }'], /the unknown key "actor"/],
    ['an earlier state that is none', [...nothing, 'before: {}'], /expected a list of at most 20 earlier states/],
    ['an action that is none', ['name: a', 'then: { labels: { add: a } }'], /did you mean "label"\?/],
    [
      'arguments that an action does not take',
      ['name: a', 'then: { estimate: soon }'],
      /tests\[0\]\.then\.estimate: expected a duration/,
    ],
    [
      'an action that needs an event',
      ['name: a', 'then: { spend: 15m }'],
      /expected an event next to it, found spend without an event$/,
    ],
    ['an event that is none', [...nothing, 'event: note.creat'], /did you mean "note.create"\?/],
    [
      'a comment without an event',
      [...nothing, 'comment: hi'],
      /expected an event next to it, found comment without event$/,
    ],
    ['a comment for a push', [...nothing, 'event: push', 'comment: hi'], /expected a comment only for a note/],
    [
      'a test that expects nothing in particular',
      ['name: a'],
      /expected one of then, includes, nothing and calls, or blocker, found a test that expects nothing in particular$/,
    ],
    ['two expectations', [...nothing, 'calls: [mergeRequests.approve]'], /found nothing and calls$/],
    ['nothing that is not true', ['name: a', 'nothing: false'], /tests\[0\]\.nothing: expected true, found false$/],
    ['a call that is none', ['name: a', 'calls: [mergeRequests.aprove]'], /did you mean "mergeRequests.approve"\?/],
    ['a rule that is none', ['name: a', 'blocker: { doc: labels }'], /did you mean "docs"\?/],
    ['a rule to run that is none', [...nothing, 'rule: doc'], /tests\[0\]\.rule: did you mean "docs"\?/],
    ['rules to run that are none', [...nothing, 'rule: [docs, do]'], /tests\[0\]\.rule\[1\]: /],
    ['a test without a name', ['nothing: true'], /expected the key "name"/],
  ])('%s', (_what, lines, message) => {
    expect(problemsIn(...lines)).toEqual([expect.stringMatching(message)])
  })
  it('is reported for all tests at once, in the order of the text', () => {
    const problems = problemsOf('version: 2\ntests:\n  - { name: a, nothing: no }\n  - { nam: b, nothing: true }\n')
    expect(problems.map((each) => each.split(':').slice(1, 3).join(':'))).toEqual(['1:10', '3:25', '4:5', '4:7'])
  })
  it('a file without a test is one, because it would pass for ever', () => {
    for (const text of ['', 'tests: []\n', '[]', 'tests:\n'])
      expect(problemsOf(text)).toEqual([expect.stringContaining('expected a list of 1 to 1000 tests below tests:')])
  })
  it('a text that is no YAML is one', () => {
    expect(problemsOf('tests: [')).not.toEqual([])
    expect(testedFile('tests: [', 'x').ok).toBe(false)
  })
  it('a blocker without a rule’s name needs a file with one rule', () => {
    expect(problemsOf('tests: [{ name: a, blocker: draft }]', ['one', 'two'])).toEqual([
      expect.stringContaining('a mapping of rule names'),
    ])
  })
})

it('any text is read, or its problems are reported', () => {
  const value = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom('{}', '[]', 'unknown', '{ value: [a], complete: false }', 'note.create', '5', 'true'),
  )
  const keys = 'name given before event actor comment delivery then nothing calls blocker __proto__'.split(' ')
  const test = fc.uniqueArray(fc.tuple(fc.constantFrom(...keys), value), { selector: ([each]) => each, minLength: 1 })
  fc.assert(
    fc.property(test, (entries) => {
      const text = `tests:\n  - ${entries.map(([each, said]) => `${JSON.stringify(each)}: ${said.replaceAll('\n', ' ')}`).join('\n    ')}\n`
      const read = readRuleTests(text, 'x.test.yml', ['docs'])
      return read.ok || read.problems.every(({ line, column }) => line >= 1 && column >= 1)
    }),
  )
})
