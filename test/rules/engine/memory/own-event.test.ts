// Events by the bot user: which of them its own calls caused.
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import { projectRef } from '../../../../src/rules/facts/definition/subject-ref.ts'
import type { Memory } from '../../../../src/rules/types.ts'
import {
  answer,
  answers,
  bot,
  decided,
  decidedBy,
  decideIssue,
  decideRule,
  file,
  input,
  ofIssue,
  rememberAs,
  rememberDone,
  rule,
  rules,
} from '../../world.ts'

const own = (kind: string, at = '2026-01-11T00:10:00Z') => [{ id: 'd1', event: { kind, actor: { id: bot.id }, at } }]
const done = (rule: string) => rememberDone(emptyMemory(), decidedBy(rules(rule)))
const on = (kind: string) => `  - name: hears\n    on: ${kind}\n    then: { subscribe: true }\n`
/** Whether a rule for events of that kind hears of it. */
const hears = (kind: string, memory: Memory, at?: string) =>
  decidedBy(rules(on(kind)), { memory, events: own(kind, at) }).calls.length > 0

describe('an event by the user of Bellhop', () => {
  it('starts no rule where a call of Bellhop is its cause', () => {
    const labelled = done(rule('{ draft: false }', '{ label: { add: x } }'))
    expect(hears('merge_request.update', labelled)).toBe(false)
    // Bellhop writes notes by other ways as well.
    expect(hears('note.create', emptyMemory())).toBe(false)
  })
  it('starts no rule for issues where a call of Bellhop to the issue is its cause', () => {
    const hearsOfIssue = (kind: string, memory: Memory) => {
      const text = `rules:\n  - name: hears\n    for: issues\n    on: ${kind}\n    then: { subscribe: true }\n`
      return decidedBy(text, { ...ofIssue(), memory, events: own(kind) }).calls.length > 0
    }
    const memoryAfter = (then: string) => rememberDone(emptyMemory(), decideIssue('{ author: alice }', then))
    for (const then of ['{ label: { add: x } }', '{ estimate: 1h }'])
      expect(hearsOfIssue('issue.update', memoryAfter(then)), then).toBe(false)
    expect(hearsOfIssue('issue.close', memoryAfter('{ close: true }'))).toBe(false)
    expect(hearsOfIssue('issue.close', memoryAfter('{ label: { add: x } }'))).toBe(true)
    expect(hearsOfIssue('note.create', emptyMemory())).toBe(false)
  })
  it('starts no rule where a call before the last one is its cause', () => {
    const approved = done(rule('{ draft: false }', '{ approve: true }'))
    const memory = rememberDone(approved, decidedBy(rules(rule('{ draft: false }', '{ label: { add: x } }'))))
    expect(hears('merge_request.approved', memory)).toBe(false)
    expect(hears('merge_request.update', memory)).toBe(false)
  })
  it('starts one where no call can have been: somebody else works as that user', () => {
    const labelled = done(rule('{ draft: false }', '{ label: { add: x } }'))
    expect(hears('merge_request.open', labelled)).toBe(true)
    expect(hears('merge_request.approved', labelled)).toBe(true)
    expect(hears('merge_request.update', emptyMemory())).toBe(true)
    expect(hears('merge_request.update', labelled, '2026-01-11T01:00:01Z')).toBe(true)
  })
  it.each([
    ['merge_request.approved', '{ approve: true }'],
    ['merge_request.close', '{ close: true }'],
    ['merge_request.merge', '{ accept: { pipeline: none } }'],
    ['merge_request.update', '{ estimate: 1h }'],
  ])('%s is Bellhop’s own also where the answer to %s was lost, and not where it was refused', (kind, actions) => {
    const decision = decideRule('{ draft: false }', actions)
    const memory = rememberAs('ambiguous', decision)
    // Nothing is pending, which would keep every rule from acting.
    expect([decision.calls.length, memory.pending]).toEqual([1, undefined])
    expect(hears(kind, memory)).toBe(false)
    expect(hears(kind, rememberAs('already', decision))).toBe(false)
    expect(hears(kind, rememberAs('refused', decision))).toBe(true)
  })
  it.each([
    ['{ close: true }', {}, ['merge_request.update', 'merge_request.close']],
    ['{ accept: { pipeline: none } }', {}, ['merge_request.update', 'merge_request.merge', 'merge_request.close']],
    ['{ approve: true }', {}, ['merge_request.update', 'merge_request.approved', 'merge_request.approval']],
    ['{ unapprove: true }', {}, ['merge_request.update', 'merge_request.unapproved', 'merge_request.unapproval']],
    ['{ rebase: true }', {}, ['merge_request.update', 'merge_request.approvals_reset', 'push']],
    ['{ estimate: 1h }', {}, ['merge_request.update']],
    ['{ cancel_accept: true }', { merge_when_pipeline_succeeds: true }, ['merge_request.update']],
    ['{ subscribe: true }', {}, []],
  ] as const)('%s of Bellhop’s own raises its own events, and no others', (actions, fields, raised) => {
    const approvals = answer({ approved_by: [{ user: bot }], user_has_approved: actions.includes('unapprove') })
    const given = input([file(rules(rule('{ author: alice }', actions)))], { answers: answers(fields, { approvals }) })
    const memory = rememberDone(emptyMemory(), decided(given))
    const kinds = 'open update close reopen merge approved approval unapproved unapproval approvals_reset'.split(' ')
    const all = [...kinds.map((kind) => `merge_request.${kind}`), 'push']
    expect(all.filter((kind) => !hears(kind, memory)).sort()).toEqual([...raised].sort())
  })
  it.each(['push', 'tag_push', 'issue.update'])(
    '%s on a project is always Bellhop’s own: its cause is no recorded call',
    (kind) => {
      const text = `rules:\n  - name: hears\n    for: project\n    on: ${kind}\n    then: { notify: { to: team, text: Hello } }\n`
      const by = (id: number) => [{ id: 'd1', event: { kind, actor: { id }, at: '2026-01-11T00:10:00Z' } }]
      const calls = (id: number) => decidedBy(text, { mergeRequest: projectRef(1), events: by(id) }).calls.length
      expect([calls(bot.id), calls(2)]).toEqual([0, 1])
    },
  )
  it('changes what state rules see all the same', () => {
    const decision = decideRule('{ labels: { any: [x] } }', '{ subscribe: true }', {
      events: own('merge_request.update'),
      memory: done(rule('{ draft: false }', '{ label: { add: x } }')),
      answers: answers({ labels: ['x'] }),
    })
    expect(decision.calls).toHaveLength(1)
  })
})
