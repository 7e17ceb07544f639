// Standing requests: what an event requested is evaluated as state, for its head, until it is done or withdrawn.
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { RuleFileInForce } from '../../../../src/rules/language/values/rule-types.ts'
import type { DecideInput, Memory } from '../../../../src/rules/types.ts'
import { alice, happened, note, noted, onEvent, overTime } from '../../over-time.ts'
import {
  answer,
  answers,
  bot,
  byRules,
  decided,
  file,
  head,
  input,
  pipeline,
  refused,
  rememberDone,
  rule,
  sent,
} from '../../world.ts'

const ruleFile = (on: string, rest: string) => file(`version: 1\nrules:\n  - name: the rule\n    ${on}\n    ${rest}\n`)
const run = (text: RuleFileInForce, changes: Partial<DecideInput>) => byRules(decided(input([text], changes)))
const green = (sha = head) => ({ sha, ...pipeline('success', { sha }) })
const running = pipeline('running')
/** The note requests the merge. */
const asked = (fields: Record<string, unknown> = {}) => answers(fields, noted('@bellhop merge'))
const merge = ruleFile('command: merge', 'then: { accept: true }')
const otherHead = 'b'.repeat(40)
const accepted = [['mergeRequests.accept', { sha: head }]]
const waiting = (): Memory => {
  const decision = run(merge, { events: [note()], answers: asked(running) })
  expect(decision.rules[0]?.actions[0]?.result).toBe('waits')
  return remember(emptyMemory(), decision)
}

describe('accept that an event requested', () => {
  it('stands until the pipeline succeeds, without its event', () => {
    const memory = waiting()
    const decision = run(merge, { memory, answers: asked() })
    expect(sent(decision)).toEqual(accepted)
    expect(rememberDone(memory, decision).standing).toBeUndefined()
  })

  it.each([
    ['head', 'the head moves', green(otherHead)],
    ['target_branch', 'the merge request is retargeted', { target_branch: 'production' }],
  ])('is over by its %s when %s, and stays so', (condition, _when, fields) => {
    const memory = waiting()
    const decision = run(merge, { memory, answers: asked(fields) })
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.conditions).toMatchObject({ condition, verdict: 'false' })
    const after = remember(memory, decision)
    expect(after.standing).toBeUndefined()
    expect(run(merge, { events: [note()], memory: after, answers: asked(fields) }).calls).toEqual([])
  })

  it.each([
    ['target branch', { head, target: 'main' }, { target_branch: 'production' }, 'production'],
    ['head', { head: 'a1'.repeat(20) }, {}, 'a1a1a1a1'],
  ])('is for the %s that its event was about: another one is never merged by it', (_what, about, fields, named) => {
    const events = [note('d1', about)]
    const decision = run(merge, { events, answers: asked(fields) })
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toMatchObject({ result: 'blocked', detail: expect.stringContaining(named) })
    const memory = remember(emptyMemory(), decision)
    expect(memory.standing).toBeUndefined()
    expect(run(merge, { events, memory, answers: asked(fields) }).calls).toEqual([])
  })

  it('is done at once where its event was about the present head, or does not say', () => {
    for (const more of [{ head, target: 'main' }, {}]) {
      const events = [note('d1', more)]
      expect(sent(run(merge, { events, answers: asked() }))).toEqual(accepted)
    }
  })

  it('does not keep the rule’s other actions from being done for their event', () => {
    const two = ruleFile('command: merge', 'then: { subscribe: true, accept: true, approve: true }')
    const events = [note('d1', { head: 'a1'.repeat(20) })]
    expect(sent(run(two, { events, answers: asked() }))).toEqual([['mergeRequests.subscribe', {}]])
  })

  it('is over when its rule changes or goes', () => {
    const memory = waiting()
    const other = ruleFile('command: merge', 'then: { accept: { squash: true } }')
    const decision = run(other, { memory, answers: asked() })
    expect(decision.calls).toEqual([])
    expect(remember(memory, decision).standing).toBeUndefined()
  })

  it('is evaluated anew each time: the note may be gone, the asker may have lost the right', () => {
    const memory = waiting()
    const lost = run(merge, { memory, answers: answers({}, noted('@bellhop merge', 30)) })
    expect(lost.calls).toEqual([])
    expect(remember(memory, lost).standing?.length).toBe(1)
  })

  it('does and shows only what is kept: the rule’s other actions were done when it happened', () => {
    const two = ruleFile('command: merge', 'then: { subscribe: true, accept: true }')
    const first = run(two, { events: [note()], answers: asked(running) })
    expect(sent(first)).toEqual([['mergeRequests.subscribe', {}]])
    const memory = rememberDone(emptyMemory(), first)
    const later = run(two, { memory, answers: asked() })
    expect(sent(later)).toEqual(accepted)
    expect(later.rules[0]?.actions.map(({ action }) => action)).toEqual(['accept'])
  })
})

describe('a request of an event that is still pending', () => {
  it('is one of the rule as it is now, and stands when its event is pending no more', () => {
    const memory = waiting()
    const now = ruleFile('command: merge', 'then: { accept: { squash: true } }')
    const changed = remember(memory, run(now, { events: [note()], memory, answers: asked(running) }))
    const later = asked(green())
    expect(sent(run(now, { memory: changed, answers: later })).at(-1)).toEqual([
      'mergeRequests.accept',
      { sha: head, squash: true },
    ])
    expect(run(merge, { memory: changed, answers: later }).calls).toEqual([])
  })

  it('is of its head also when the rule changes', () => {
    const events = [note()]
    const memory = waiting()
    const now = ruleFile('command: merge', 'then: { approve: true, accept: { remove_source_branch: true } }')
    expect(run(now, { events, memory, answers: asked(green(otherHead)) }).calls).toEqual([])
    expect(run(now, { events, memory, answers: asked(green()) }).calls.length).toBe(2)
    let after = memory
    for (let turn = 0; turn < 3; turn++) {
      const decision = run(now, { events, memory: after, answers: asked(green(otherHead)) })
      expect(decision.calls).toEqual([])
      after = rememberDone(after, decision)
    }
  })

  it('is over once it was cancelled, though the cancelling event is done with first', () => {
    const text =
      'rules:\n  - { name: m, command: merge, then: { accept: true } }\n  - { name: c, command: stop, then: { cancel_accept: true, subscribe: true } }\n'
    const given = file(text)
    const both = {
      ...noted('@bellhop merge'),
      'note@18': answer({ id: 18, body: '@bellhop stop', author: alice, system: false }),
    }
    const events = [note('d1'), happened('note.create', 'd2', { note: { id: 18 } })]
    let memory = emptyMemory()
    for (let turn = 0; turn < 3; turn++) {
      const decision = run(given, { events, memory, answers: answers({}, both) })
      expect(sent(decision)).toEqual(turn === 0 ? [['mergeRequests.subscribe', {}]] : [])
      memory = rememberDone(memory, decision)
    }
    expect(memory.standing).toBeUndefined()
  })

  it('survives a moment in which the head cannot be read', () => {
    const memory = waiting()
    const blind = run(merge, { memory, answers: { ...asked(), mergeRequest: refused(403) } })
    expect(remember(memory, blind).standing).toEqual(memory.standing)
  })
})

describe('approve that an event requested', () => {
  const given = [onEvent('push', '{ approve: true }')]
  const events = [happened('push')]
  const approved = { approvals_left: 0, approved_by: [{ user: bot }], user_has_approved: true }

  it('is kept while the head stays, with its event and without', () => {
    const mr = overTime()
    expect(mr.sends(given, { events })).toEqual([['mergeRequests.approve', { sha: head }]])
    expect(mr.sends(given, { events })).toEqual([])
    expect(mr.sends(given)).toEqual([])
    expect(mr.memory.standing?.length).toBe(1)
  })

  it('is withdrawn when the head moves and the service kept it', () => {
    const mr = overTime().after(given, { events }).person({ sha: otherHead }).source('approvals', approved)
    expect(mr.sends(given, { events })).toEqual([['mergeRequests.unapprove', {}]])
    expect([mr.sends(given, { events }), mr.sends(given)]).toEqual([[], []])
  })

  it('ends with a later event that takes the approval back', () => {
    const both = [...given, onEvent('note.create', '{ unapprove: true }', 'withdraws')]
    const mr = overTime().after(both, { events })
    expect(mr.sends(both, { events: [happened('note.create', 'd2')] })).toEqual([['mergeRequests.unapprove', {}]])
    expect([mr.sends(both), mr.memory.standing]).toEqual([[], undefined])
  })

  it('does not end what another event asked to merge', () => {
    const texts = [
      onEvent('push', '{ accept: true }', 'merges'),
      onEvent('note.create', '{ unapprove: true }', 'withdraws'),
    ]
    const mr = overTime({ head_pipeline: null }).after(texts, { events })
    mr.turn(texts, { events: [happened('note.create', 'd2')] })
    expect(mr.memory.standing?.map(({ actions }) => actions)).toEqual([['accept']])
  })
})

describe('a rule that ends what events requested', () => {
  const asks = onEvent('push', '{ approve: true, accept: true }', 'asks')
  const standing = (ends: string, changes: Parameters<ReturnType<typeof overTime>['turn']>[1] = {}) => {
    const mr = overTime({ head_pipeline: null }).after([asks], { events: [happened('push')] })
    mr.turn([asks, ends], changes)
    return mr.memory.standing?.flatMap(({ actions }) => actions)
  }

  it('does so also while the limit of new rules keeps its close back', () => {
    const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#closes'], full: { close: '2026-01-11T00:20:00Z' } }
    expect(standing(rule('{ author: alice }', '{ close: true }', 'closes'), { newRuleLimit })).toBeUndefined()
  })
  it('does not while it only observes', () => {
    const observes = rule('{ author: alice }', '{ close: true, unapprove: true }', 'closes').replace(
      '    if:',
      '    mode: observe\n    if:',
    )
    expect(standing(observes)).toEqual(['approve', 'accept'])
  })
})

it('an event that closes ends what events asked to merge', () => {
  const texts = [onEvent('push', '{ accept: true }', 'merges'), onEvent('note.create', '{ close: true }', 'closes')]
  const mr = overTime({ head_pipeline: null }).after(texts, { events: [happened('push')] })
  expect(mr.sends(texts, { events: [happened('note.create', 'd2')] })).toEqual([
    ['mergeRequests.update', { state_event: 'close' }],
  ])
  mr.person({ state: 'opened', ...green() })
  expect(mr.sends(texts)).toEqual([])
})
