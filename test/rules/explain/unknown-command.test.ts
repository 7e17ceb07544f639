// A command that no rule has: answered once, to members, without what some reader may not read.
import { describe, expect, it } from 'vitest'
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import type { DecideInput } from '../../../src/rules/types.ts'
import { noted, note as noteEvent } from '../over-time.ts'
import { answered, answers, applied, decided, file, input, issueRule, ofIssue, rule, rules, sent } from '../world.ts'

const mallory = { id: 5, username: 'mallory' }
const asked = () => noteEvent('d1', { actor: mallory })
const note = (body: string, author: typeof mallory, access: number) => noted(body, access, author)

describe('a command that no rule has', () => {
  const ask = (
    body: string,
    { access = 30, author = 'alice', texts = [rule('{ author: bob }', '{ todo: true }', 'other')] } = {},
  ) =>
    input([file(rules(...texts), { trust: 'repository' })], {
      events: [asked()],
      answers: answers(author === 'alice' ? {} : { author: mallory }, note(body, mallory, access)),
    })
  const notesOf = (given: DecideInput) =>
    sent(decided(given)).flatMap(([endpoint, params]) =>
      endpoint === 'mergeRequests.notes.create' ? [params.body] : [],
    )
  const merge = '  - name: merge\n    command: merge\n    then: { accept: true }\n'

  it('is answered once for a note', () => {
    const first = decided(ask('@bellhop marge'))
    expect(notesOf(ask('@bellhop marge'))).toEqual([
      expect.stringMatching(/^No rule here answers to `marge`\. A note with the command `why` shows .*\n\n<!-- /),
    ])
    const memory = remember(emptyMemory(), answered(first))
    expect(notesOf({ ...ask('@bellhop marge'), memory })).toEqual([])
    // Its own answer was there, and the memory of it is lost.
    expect(notesOf({ ...ask('@bellhop marge'), answers: applied(ask('@bellhop marge').answers, first) })).toEqual([])
  })
  it('is a rule of its own in the decision, which names the command', () => {
    const answer = decided(ask('@bellhop marge')).rules.find(({ file }) => file === '(built in)')
    expect(answer).toMatchObject({
      name: 'unknown command',
      conditions: { condition: 'command', expected: 'one that no rule has', actual: '"marge"' },
      actions: [{ action: 'comment', detail: 'answer it' }],
    })
  })
  it('on an issue is one that only rules for merge requests have', () => {
    const close = '  - name: close\n    for: issues\n    command: close\n    then: { close: true }\n'
    const onIssue = (body: string) => {
      const given = { ...ofIssue({}, note(body, mallory, 30)), events: [asked()] }
      return sent(decided(input([file(rules(merge, close), { trust: 'repository' })], given)))
    }
    expect(onIssue('@bellhop merge')).toEqual([
      ['issues.notes.create', { body: expect.stringContaining('No rule here answers to `merge`') }],
    ])
    expect(onIssue('@bellhop close')).toEqual([['issues.update', { state_event: 'close' }]])
  })
  it('on a confidential issue is neither repeated nor recorded', () => {
    const given = { ...ofIssue({ confidential: true }, note('@bellhop marge', mallory, 30)), events: [asked()] }
    const decision = decided(
      input([file(rules(issueRule('{ command: [clsoe] }', '{ todo: true }', '    on: note.create\n')))], given),
    )
    expect(decision.calls).toMatchObject([{ endpoint: 'issues.notes.create' }])
    expect(JSON.stringify(decision)).not.toContain('marge')
  })
  it('is answered to a guest', () => {
    expect(notesOf(ask('@bellhop marge', { access: 10, author: 'mallory' }))).toHaveLength(1)
  })
  it('is answered although a rule about every note is unknown, whatever of that rule was read', () => {
    const unknown =
      '  - { name: update, on: note.create, if: { version_change: patch, group: none }, then: { todo: true } }\n'
    const { project, ...withoutProject } = ask('@bellhop marge').answers
    const given = ask('@bellhop marge', { texts: [unknown] })
    expect(notesOf(given)).toHaveLength(1)
    expect(notesOf({ ...given, answers: withoutProject })).toHaveLength(1)
    expect(project).toBeDefined()
  })
  it.each([
    ['of a person who is no member', ask('@bellhop marge', { access: 5 })],
    ['of the author, who is no member', ask('@bellhop marge', { access: 5, author: 'mallory' })],
    ['that is why', ask('@bellhop why')],
    ['that a rule has, though this person may not use it', ask('@bellhop merge', { texts: [merge] })],
    ['to somebody else', ask('@someone marge')],
    ['beside why', ask('@bellhop why\n@bellhop marge')],
  ])('is not answered: one %s', (_who, given) => {
    expect(notesOf(given).filter((body) => String(body).startsWith('No rule here'))).toEqual([])
  })
})
