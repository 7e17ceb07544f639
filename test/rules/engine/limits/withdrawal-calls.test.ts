// Withdrawals of an approval or a waiting merge are never paused, limited or dropped.
import { acceptMemory } from '../../../../src/rules/actions/definition/accept-memory.ts'
import type { Action } from '../../../../src/rules/actions/definition/action.ts'
import { actions } from '../../../../src/rules/actions/index.ts'
import { isLimitedWhenNew, newRuleUses } from '../../../../src/rules/engine/limits/trust.ts'
import { ruleName } from '../../../../src/rules/engine/memory/standing-requests.ts'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { Call, DecideInput, Memory, SourceAnswers } from '../../../../src/rules/types.ts'
import { happened, onEvent } from '../../over-time.ts'
import {
  answer,
  answers,
  approvedByBot,
  decided,
  decidedBy,
  doneAt,
  file,
  head,
  input,
  pipeline,
  refused,
  rememberAs,
  rule,
  rules,
  sent,
} from '../../world.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 11, 0, minute)).toISOString()
const held: Memory = { ...emptyMemory(), of: { approve: head, accept: { waitingSha: head } } }
const state = (fields: Record<string, unknown> = {}, other: SourceAnswers = {}) =>
  answers({ merge_when_pipeline_succeeds: true, ...fields }, { ...approvedByBot, ...other })
const both = [
  ['mergeRequests.unapprove', {}],
  ['mergeRequests.cancelMergeWhenPipelineSucceeds', {}],
]
const approving = rule(
  '{ labels: { none: [hold] } }',
  '{ approve: true, accept: { when: pipeline_succeeds } }',
  'merge',
)
const run = (texts: string[], changes: Partial<DecideInput> = {}) =>
  decidedBy(rules(...texts), { memory: held, answers: state({ labels: ['hold'] }), ...changes })

describe('an approval and a waiting merge that no rule requests', () => {
  it('are withdrawn while the loop guard pauses everything else', () => {
    const disputed = rule('{ labels: { none: [ready] } }', '{ label: { add: ready } }', 'ready')
    let memory = held
    const stillHeld = () => ({ ...memory, of: held.of })
    for (let minute = 0; minute < 5; minute += 1) {
      const decision = run([disputed], { memory: stillHeld(), now: at(minute) })
      memory = remember(memory, doneAt(decision, at(minute)))
      memory = remember(memory, run([disputed], { memory, now: at(minute), answers: state({ labels: ['ready'] }) }))
    }
    const decision = run([disputed, approving], { memory: stillHeld(), now: at(5) })
    expect(decision.paused).toMatch(/something undoes it each time/)
    expect(sent(decision)).toEqual(both)
    expect(decision.rules[1]?.actions).toMatchObject([
      { action: 'approve', result: 'call', withdrawal: true },
      { action: 'accept', result: 'call', withdrawal: true },
    ])
  })

  it('are withdrawn while a call whose response was lost is pending', () => {
    const call: Call = {
      to: 'service',
      endpoint: 'mergeRequests.notes.create',
      params: {},
      action: 'comment',
      rules: ['r'],
      before: 'r',
    }
    const memory: Memory = { ...held, pending: { call, at: at(0), earlier: [], ifDone: held } }
    const answers = state({ labels: ['hold'] }, { notes: answer([]) })
    const decision = run([approving], { memory, now: at(0), answers })
    expect(decision.paused).toMatch(/was lost/)
    expect(sent(decision)).toEqual(both)
  })

  it('are withdrawn by the label that turns Bellhop off, although the rules still request them', () => {
    const decision = run([approving], { offLabel: 'off', answers: state({ labels: ['off'] }) })
    expect(decision.paused).toBe('the label off is on it')
    expect(sent(decision)).toEqual(both)
  })

  it.each(['off', 'observe'] as const)('are withdrawn where the operator sets the mode %s', (mode) => {
    expect(sent(run([approving], { policy: { mode }, answers: state() }))).toEqual(both)
  })

  it('are withdrawn where the new-rule limit is used up, and count for nothing there', () => {
    const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#merge'], full: { approve: at(60), accept: at(60) } }
    const decision = run([approving], { newRuleLimit })
    expect(sent(decision)).toEqual(both)
    const limited = Object.values<Action>(actions).filter(isLimitedWhenNew)
    expect(newRuleUses(decision, newRuleLimit, limited, ruleName).size).toBe(0)
  })

  it('are withdrawn before any other call', () => {
    const decision = run([
      rule('{ labels: { any: [hold] } }', '{ subscribe: true, label: { add: held } }', 'other'),
      approving,
    ])
    expect(sent(decision).map(([endpoint]) => endpoint)).toEqual([
      ...both.map(([endpoint]) => endpoint),
      'mergeRequests.subscribe',
      'mergeRequests.update',
    ])
  })

  it('are withdrawn where it cannot be read whether they stand', () => {
    const decision = run([approving], { answers: { ...state({ labels: ['hold'] }), approvals: refused() } })
    expect(sent(decision)).toEqual(both)
    const { merge_when_pipeline_succeeds: _unsaid, ...silent } = (
      state({ labels: ['hold'] }).mergeRequest as { body: Record<string, unknown> }
    ).body
    expect(sent(run([approving], { answers: { ...state(), mergeRequest: answer(silent) } }))).toEqual(both)
    const { state: _state, ...stateless } = silent
    expect(sent(run([approving], { answers: { ...state(), mergeRequest: answer(stateless) } }))).toEqual(both)
  })
})

describe.each([
  ['no rule requests', approving],
  ['a rule withdraws', rule('{ author: alice }', '{ unapprove: true, cancel_accept: true }')],
])('an approval and a waiting merge that %s', (_what, text) => {
  it.each([
    ['done', undefined],
    ['already', undefined],
    ['ambiguous', head],
    ['refused', head],
  ] as const)('are remembered as their withdrawal was %s', (result, expected) => {
    const decision = run([text])
    expect(sent(decision)).toEqual(both)
    const memory = rememberAs(result, decision, held)
    expect([memory.of?.approve, acceptMemory(memory).waitingSha]).toEqual([expected, expected])
  })
})

describe('a waiting merge', () => {
  const waiting = 'accept: { when: pipeline_succeeds }'
  const memory: Memory = { ...emptyMemory(), of: { accept: { waitingSha: head } } }
  const cancelled = [['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]]

  it.each([
    ['its pipeline failed', pipeline('failed')],
    ['it is a draft', { work_in_progress: true, draft: true }],
    ['it has a conflict', { merge_status: 'cannot_be_merged' }],
  ])('is cancelled after a change of the target also while %s', (_what, fields) => {
    const own = file(rules(rule('{ author: alice }', `{ ${waiting} }`)), { trust: 'repository' })
    const sentInto = (target_branch: string) => {
      const answers = state({ ...fields, target_branch }, { approvals: answer({ approved_by: [] }) })
      return sent(decided(input([own], { memory, answers })))
    }
    expect(sentInto('production')).toEqual(cancelled)
    expect(sentInto('main')).toEqual([])
  })

  it('is cancelled where another rule requests to close, also while that waits', () => {
    const texts = [
      rule('{ author: alice }', '{ close: true }', 'close'),
      rule('{ author: alice }', `{ ${waiting} }`, 'merge'),
    ]
    const open = { memory, answers: state() }
    expect(sent(run(texts, open)).map(([endpoint]) => endpoint)).toEqual([cancelled[0]?.[0], 'mergeRequests.update'])
    const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#close'], full: { close: at(60) } }
    expect(sent(run(texts, { ...open, newRuleLimit }))).toEqual(cancelled)
  })

  it('is cancelled once where a rule requests that as well', () => {
    const texts = [
      rule('{ author: alice }', '{ cancel_accept: true }', 'stop'),
      rule('{ author: alice }', `{ ${waiting} }`, 'merge'),
    ]
    expect(sent(run(texts, { memory, answers: state() }))).toEqual(cancelled)
  })
})

describe('notes that one rule keeps up to date', () => {
  const noting = rule('{ state: opened }', '{ comment: "It is called {{ title }}" }', 'note')

  /** The title is edited so often, once a second; gives what is remembered and the last notes. */
  function edited(times: number) {
    let memory = emptyMemory()
    let notes: unknown[] = []
    for (let second = 0; second < times; second += 1) {
      const now = new Date(Date.parse(at(0)) + second * 1000).toISOString()
      const decision = decidedBy(rules(noting), {
        memory,
        now,
        answers: answers({ title: `Title ${second}` }, { notes: answer(notes) }),
      })
      for (const { params } of decision.calls) notes = [{ id: 1, body: params.body, author: { id: 9 }, system: false }]
      memory = remember(memory, doneAt(decision, now))
    }
    return { memory, notes: answer(notes) }
  }
  /** The decision about one more edit after so many, beside another rule. */
  function oneMoreAfter(times: number) {
    const { memory, notes } = edited(times)
    const texts = [noting, rule('{ state: opened }', '{ subscribe: true }', 'other')]
    return decidedBy(rules(...texts), { memory, now: at(1), answers: answers({ title: 'Last' }, { notes }) })
  }

  it('are no loop: after seven edits of the title every rule still acts', () => {
    const decision = oneMoreAfter(8)
    expect(decision.paused).toBeUndefined()
    expect(decision.calls.map(({ endpoint }) => endpoint)).toEqual([
      'mergeRequests.notes.update',
      'mergeRequests.subscribe',
    ])
  })

  it('wait alone when they change all the time', () => {
    const decision = oneMoreAfter(25)
    expect(decision.paused).toBeUndefined()
    expect(decision.calls.map(({ endpoint }) => endpoint)).toEqual(['mergeRequests.subscribe'])
    expect(decision.rules[0]?.actions).toMatchObject([
      { action: 'comment', result: 'waits', detail: expect.stringContaining('its text changes again and again') },
    ])
  })
})

/** The close that restrains another action waits. */
const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#closes'], full: { close: '2026-01-11T00:20:00Z' } }
const pipelineWaits = {
  merge_when_pipeline_succeeds: true,
  ...pipeline('running'),
}
const closing = [
  ['state rule', rule('{ author: alice }', '{ close: true }', 'closes')],
  ['event rule', onEvent('push', '{ close: true }', 'closes')],
] as const

describe.each(closing)('a close of a %s that the new-rule limit holds back', (_kind, closes) => {
  const events = [happened('push')]
  it('does not keep an approval from being withdrawn', () => {
    const texts = [closes, rule('{ draft: true }', '{ approve: true }', 'approves')]
    const memory = { ...emptyMemory(), of: { approve: head } }
    const given = { newRuleLimit, events, memory, answers: answers({}, approvedByBot) }
    expect(sent(decidedBy(rules(...texts), given))).toEqual([['mergeRequests.unapprove', {}]])
  })
  it.each([
    ['the rule that requested it does not match', '{ draft: true }'],
    // Closing restrains accept.
    ['its own rule still matches', '{ author: alice }'],
  ])('cancels a waiting merge while %s', (_name, condition) => {
    const texts = [closes, rule(condition, '{ accept: { when: pipeline_succeeds } }', 'merges')]
    const memory = { ...emptyMemory(), of: { accept: { waitingSha: head } } }
    expect(sent(decidedBy(rules(...texts), { newRuleLimit, events, memory, answers: answers(pipelineWaits) }))).toEqual(
      [['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]],
    )
  })
})

it('an approval whose response was lost, and that came to stand after an event withdrew approvals, is withdrawn', () => {
  const texts = [
    rule('{ author: alice }', '{ approve: true }', 'approves'),
    onEvent('note.update', '{ unapprove: true }', 'withdraws'),
  ]
  // The approve was sent, its answer lost; the unapprove found nothing yet.
  const memory = { ...emptyMemory(), of: { approve: head }, restrained: { approve: { head, by: 'withdraws' } } }
  expect(sent(decidedBy(rules(...texts), { memory, answers: answers({}, approvedByBot) }))).toEqual([
    ['mergeRequests.unapprove', {}],
  ])
})
