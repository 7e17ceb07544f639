// The state that a rule test asks about: what is given, what follows from it, and events.
import { approve, docs, passes, run } from '../run-rule-test.ts'

const onWord = 'rules:\n  - { name: ship, command: ship, then: { accept: { squash: true } } }\n'

describe('the state of a rule test', () => {
  it('begins with an ordinary merge request, which nothing keeps from being merged', () => {
    const rules =
      'rules:\n  - name: merge\n    if: { draft: false, pipeline: success, approvals_left: 0 }\n    then: { accept: true }\n'
    passes(rules, 'then: { accept: true }')
    passes(rules, 'given: { mergeability: conflict }', 'nothing: true', 'blocker: mergeability')
  })
  it('may have the label that turns Bellhop off', () => {
    const rules = 'rules:\n  - { name: approve, if: { draft: false }, then: { approve: true } }\n'
    passes(rules, 'given: { labels: ["bellhop::off"] }', 'nothing: true')
    passes(rules, 'before:', '  - {}', 'given: { labels: ["bellhop::off"] }', 'calls: [mergeRequests.unapprove]')
  })
  it('knows what follows from what is given', () => {
    const rules =
      'rules:\n  - name: many\n    if: { changed_files_count: 2, commits_count: 3, assigned: true, pushed_by: { all: bob } }\n    then: { todo: true }\n'
    passes(
      rules,
      'given: { changed_files: [a, b], commit_titles: [a, b, c], assignee: carol, author: bob }',
      'then: { todo: true }',
    )
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
  it('tells of an event, its actor and what they wrote', () => {
    const given = ['event: note.create', 'comment: "@bellhop ship"']
    passes(onWord, ...given, 'actor: carol', 'actor_access: maintainer', 'then: { accept: { squash: true } }')
    passes(onWord, ...given, 'nothing: true', 'blocker: actor_access')
    passes(onWord, 'event: note.create', 'comment: ship it', 'actor_access: owner', 'blocker: command')
    passes(onWord, 'event: push', 'blocker: { ship: "on" }')
    passes(onWord, ...given, 'actor: bellhop', 'actor_access: owner', 'nothing: true', 'blocker: "on"')
  })
  it('takes the time as the clock: ages and freezes', () => {
    const stale =
      'rules:\n  - { name: stale, if: { age: { older_than: 30d }, clock: { days: [mon] } }, then: { close: true } }\n'
    passes(stale, 'given: { age: 31d, clock: "2026-01-12T10:00Z" }', 'then: { close: true }')
    passes(stale, 'given: { age: 31d, clock: "2026-01-13T10:00Z" }', 'blocker: clock')
    passes(stale, 'given: { clock: "2026-01-12T10:00Z" }', 'blocker: age')
    passes(stale, 'given: { age: 31d, clock: unknown }', 'nothing: true', 'blocker: clock')
  })
})

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
