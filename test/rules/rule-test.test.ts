// Rule tests: what they find, with the ordinary merge request, earlier states and events.
import { describe, expect, it } from 'vitest'
import { actions } from '../../src/rules/actions/index.ts'
import { formatProblem } from '../../src/rules/document.ts'
import { facts } from '../../src/rules/facts/index.ts'
import { readRuleTests } from '../../src/rules/rule-test-document.ts'
import { bot, ordinaryAnswers, ordinaryNow } from '../../src/rules/rule-test-ordinary.ts'
import { runRuleTest } from '../../src/rules/rule-test-run.ts'
import { createView, factNamed } from '../../src/rules/view.ts'
import { exampleInput, file, input } from './world.ts'

const docs = 'rules:\n  - name: docs\n    if: { changed_files: { all: "docs/**" } }\n    then: { label: { add: documentation } }\n'
const approve = 'rules:\n  - name: small\n    if: { lines_changed: { less_than: 50 }, draft: false }\n    then: { approve: true }\n'
const onWord = 'rules:\n  - { name: ship, command: ship, then: { accept: { squash: true } } }\n'

/** One test of some rules; its lines are YAML. */
function run(rules: string, ...lines: string[]) {
  const inForce = file(rules)
  const text = ['tests:', '  - name: the test', ...lines.map((line) => `    ${line}`)].join('\n')
  const read = readRuleTests(
    text,
    'x.test.yml',
    inForce.rules.rules.map(({ name }) => name),
  )
  if (!read.ok) throw new Error(read.problems.map(formatProblem).join('\n'))
  const [test] = read.read
  if (test === undefined) throw new Error('no test was read')
  return runRuleTest(test, [inForce])
}
const passes = (rules: string, ...lines: string[]) =>
  expect(run(rules, ...lines)).toMatchObject({ passed: true, expected: [], found: [], problems: [] })

describe('a rule test', () => {
  it('passes where the rules do just what is expected', () => {
    passes(docs, 'given: { changed_files: [docs/a.md] }', 'then: { label: { add: [documentation] } }')
    passes(docs, 'given: { changed_files: [src/a.ts] }', 'nothing: true', 'blocker: changed_files')
    passes(docs, 'given: { changed_files: [docs/a.md] }', 'calls: [{ mergeRequests.update: { add_labels: documentation } }]')
    passes(docs, 'given: { changed_files: [docs/a.md] }', 'calls: [mergeRequests.update]')
    passes(docs, 'given: { changed_files: unknown }', 'blocker: { docs: changed_files }')
  })
  it('fails with what was expected and what was found', () => {
    expect(run(docs, 'given: { changed_files: [docs/a.md] }', 'then: { label: { add: docs } }')).toMatchObject({
      passed: false,
      expected: ['mergeRequests.update add_labels: "docs"'],
      found: ['mergeRequests.update add_labels: "documentation"'],
    })
    expect(run(docs, 'given: { changed_files: [docs/a.md] }', 'nothing: true')).toMatchObject({ passed: false, expected: ['nothing'] })
    expect(run(docs, 'given: { changed_files: [docs/a.md] }', 'then: { label: { add: documentation }, subscribe: true }').passed).toBe(
      false,
    )
    expect(run(docs, 'given: { changed_files: [docs/a.md] }', 'calls: [mergeRequests.update, mergeRequests.approve]').passed).toBe(false)
  })
  it('fails with what stood in the way', () => {
    const { found, blockers } = run(docs, 'then: { label: { add: documentation } }')
    expect(found).toEqual(['nothing'])
    expect(blockers[1]).toContain('changed_files: wanted all of "docs/**", found "src/door.ts"')
  })
  it('fails for an expected action that could do nothing in that state', () => {
    const lines = ['given: { changed_files: [docs/a.md], labels: [documentation] }', 'then: { label: { add: documentation } }']
    expect(run(docs, ...lines)).toMatchObject({
      passed: false,
      problems: ['label can do nothing here: nothing to do: the labels are so already'],
    })
  })
  it('fails for another blocker, and for a rule that nothing blocks', () => {
    expect(run(approve, 'given: { draft: true, lines_changed: 80 }', 'blocker: draft').problems).toEqual([
      'expected draft to be first in the way of "small", found lines_changed: wanted less than 50, found 80; what helps: a number of changed lines of less than 50',
    ])
    expect(run(approve, 'blocker: draft').problems).toEqual(['expected draft to be first in the way of "small", found nothing'])
  })
  it('begins with an ordinary merge request, which nothing keeps from being merged', () => {
    const rules = 'rules:\n  - name: merge\n    if: { draft: false, pipeline: success, approvals_left: 0 }\n    then: { accept: true }\n'
    passes(rules, 'then: { accept: true }')
    passes(rules, 'given: { mergeability: conflict }', 'nothing: true', 'blocker: mergeability')
  })
  it('knows what follows from what is given', () => {
    const rules =
      'rules:\n  - name: many\n    if: { changed_files_count: 2, commits_count: 3, assigned: true, pushed_by: { all: bob } }\n    then: { todo: true }\n'
    passes(rules, 'given: { changed_files: [a, b], commit_titles: [a, b, c], assignee: carol, author: bob }', 'then: { todo: true }')
  })
  it('goes through earlier states, in which everything is done: a label that a person took off stays off', () => {
    passes(docs, 'before:', '  - { changed_files: [docs/a.md] }', 'given: { labels: [] }', 'nothing: true')
    // False in between: it becomes true once more.
    const again = [
      'before:',
      '  - { changed_files: [docs/a.md] }',
      '  - { changed_files: [src/a.ts] }',
      'given: { changed_files: [docs/a.md], labels: [] }',
    ]
    passes(docs, ...again, 'then: { label: { add: documentation } }')
  })
  it('sees what earlier calls changed: an approval is taken back when its rule no longer holds', () => {
    passes(approve, 'before: [{}]', 'given: { draft: true }', 'then: { unapprove: true }')
    passes(approve, 'before: [{}]', 'nothing: true')
    passes(docs, 'before: [{ changed_files: [docs/a.md] }]', 'given: { changed_files: [a] }', 'nothing: true')
  })
  it('finds a rule’s own note again', () => {
    const note = 'rules:\n  - { name: draft, if: { draft: true }, then: { comment: { while: "A draft by {{ author }}." } } }\n'
    passes(note, 'given: { draft: true }', 'then: { comment: { while: "A draft by {{ author }}." } }')
    passes(note, 'before: [{ draft: true }]', 'given: { draft: false }', 'calls: [mergeRequests.notes.delete]')
    expect(run(note, 'given: { draft: true }', 'then: { comment: { while: "Another." } }').passed).toBe(false)
  })
  it('tells of an event, its actor and what they wrote', () => {
    const given = ['event: note.create', 'comment: "@bellhop ship"']
    passes(onWord, ...given, 'actor: carol', 'actor_access: maintainer', 'then: { accept: { squash: true } }')
    passes(onWord, ...given, 'nothing: true', 'blocker: actor_access')
    passes(onWord, 'event: note.create', 'comment: ship it', 'actor_access: owner', 'blocker: command')
    passes(onWord, 'event: push', 'blocker: { ship: "on" }')
    passes(onWord, ...given, 'actor: bellhop', 'actor_access: owner', 'nothing: true', 'blocker: "on"')
  })
  it('takes the time as the clock: ages and freezes', () => {
    const stale = 'rules:\n  - { name: stale, if: { age: { older_than: 30d }, clock: { days: [mon] } }, then: { close: true } }\n'
    passes(stale, 'given: { age: 31d, clock: "2026-01-12T10:00Z" }', 'then: { close: true }')
    passes(stale, 'given: { age: 31d, clock: "2026-01-13T10:00Z" }', 'blocker: clock')
    passes(stale, 'given: { clock: "2026-01-12T10:00Z" }', 'blocker: age')
    passes(stale, 'given: { age: 31d, clock: unknown }', 'nothing: true', 'blocker: clock')
  })
  it('tests what an observing rule decides', () => {
    passes(
      docs.replace('    if:', '    mode: observe\n    if:'),
      'given: { changed_files: [docs/a.md] }',
      'then: { label: { add: documentation } }',
    )
  })
  it('is the same each time', () => {
    const lines = ['before: [{}]', 'given: { draft: true }', 'then: { unapprove: true }']
    expect(run(approve, ...lines)).toEqual(run(approve, ...lines))
  })
})

describe('the ordinary merge request', () => {
  const view = createView({ ...input([], { answers: ordinaryAnswers(ordinaryNow), now: ordinaryNow }), bot })
  const others = ['pushed_by']
  it.each(Object.keys(facts).filter((name) => factNamed(name)?.ofEvents !== true && !others.includes(name)))('says %s', (name) => {
    // A source that a new fact is read from belongs into src/rules/rule-test-ordinary.ts.
    expect(view.fact(name)).toMatchObject({ is: 'known', complete: true })
  })
})

describe.each(Object.values(actions))('$name', (action) => {
  it('can be expected of a rule that does it', () => {
    const given: Record<string, string> = {
      unsubscribe: 'subscribed: true',
      reopen: 'state: closed',
      cancel_accept: 'merge_when_pipeline_succeeds: true',
      unapprove: 'approved_by_bot: true',
    }
    const rule = exampleInput(action).files[0]?.rules.rules[0]
    const onEvent = rule?.on === undefined ? [] : ['event: push']
    const rules = `rules:\n  - name: the rule\n${rule?.on === undefined ? '' : '    on: push\n'}    if: { author: alice }\n    then: { ${action.example} }\n`
    passes(rules, ...onEvent, `given: { ${given[action.name] ?? ''} }`, `then: { ${action.example} }`)
  })
})
