// What calls change for the states after them.
import { describe, expect, it } from 'vitest'
import { approve, docs, passes, run } from '../run-rule-test.ts'

const once = (action: string, thenIf: string, then: string) =>
  `rules:\n  - { name: first, if: { author: alice }, then: { ${action} } }\n  - { name: second, if: { ${thenIf} }, then: { ${then} } }\n`

describe('earlier states', () => {
  it('sees what earlier calls changed: an approval is withdrawn when its rule no longer matches', () => {
    passes(approve, 'before: [{}]', 'given: { draft: true }', 'then: { unapprove: true }')
    passes(approve, 'before: [{}]', 'nothing: true')
    passes(docs, 'before: [{ changed_files: [docs/a.md] }]', 'given: { changed_files: [a] }', 'nothing: true')
  })
  it('finds a rule’s own note again', () => {
    const note =
      'rules:\n  - { name: draft, if: { draft: true }, then: { comment: { while: "A draft by {{ author }}." } } }\n'
    passes(note, 'given: { draft: true }', 'then: { comment: { while: "A draft by {{ author }}." } }')
    passes(note, 'before: [{ draft: true }]', 'given: { draft: false }', 'calls: [mergeRequests.notes.delete]')
    expect(run(note, 'given: { draft: true }', 'then: { comment: { while: "Another." } }').passed).toBe(false)
  })
  it.each([
    ['label: { add: a, remove: b }', 'labels: { any: a }'],
    ['assign: carol', 'assignee: carol, assigned: true'],
    ['milestone: "17.0"', 'milestone: "17.0"'],
    ['estimate: 90m', 'time_estimate: 1h30m'],
    ['subscribe: true', 'subscribed: true'],
    ['close: true', 'state: closed'],
  ])('after %s, %s', (action, found) => {
    const rules = once(action, found, 'todo: true')
    expect(run(rules, 'nothing: true').passed).toBe(false)
    passes(rules, 'before: [{}]', 'given: { title: Another }', 'nothing: true')
    // In the very state, the second rule did not hold before the first had acted.
    expect(run(rules, 'calls: [mergeRequests.todo]').passed).toBe(false)
    expect(
      run(rules, 'before: [{}]', 'nothing: true').decisions.flatMap(({ calls }) =>
        calls.map(({ action: each }) => each),
      ),
    ).toContain('todo')
  })
})
