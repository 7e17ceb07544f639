// Standing requests: what an event requested is evaluated as state, for its head, until it is done or withdrawn.
import { describe, expect, it } from 'vitest'
import { restrainedAfter } from '../../../../src/rules/engine/memory/standing-requests.ts'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import { projectRef } from '../../../../src/rules/facts/definition/subject-ref.ts'
import type { DecideInput, Memory, RuleFileInForce, RuleTrace } from '../../../../src/rules/types.ts'
import { alice, happened, note, noted, onEvent, overTime, whileOn } from '../../over-time.ts'
import {
  answer,
  answered,
  answers,
  bot,
  decided,
  decidedBy,
  decideIssue,
  decideRule,
  file,
  head,
  input,
  ofIssue,
  rememberDone,
  rule,
  rules,
  sent,
} from '../../world.ts'

const ruleFile = (on: string, rest: string) => file(`version: 1\nrules:\n  - name: the rule\n    ${on}\n    ${rest}\n`)
const run = (text: RuleFileInForce, changes: Partial<DecideInput>) => decided(input([text], changes))
const pipeline = (status: string, sha = head) => ({
  sha,
  head_pipeline: { id: 5, sha, ref: 'feature', status, source: 'push' },
})
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
    expect(remember(memory, answered(decision)).standing).toBeUndefined()
  })

  it.each([
    ['head', 'the head moves', pipeline('success', otherHead)],
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
    const memory = remember(emptyMemory(), answered(first))
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
    const later = asked(pipeline('success'))
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
    expect(run(now, { events, memory, answers: asked(pipeline('success', otherHead)) }).calls).toEqual([])
    expect(run(now, { events, memory, answers: asked(pipeline('success')) }).calls.length).toBe(2)
    let after = memory
    for (let turn = 0; turn < 3; turn++) {
      const decision = run(now, { events, memory: after, answers: asked(pipeline('success', otherHead)) })
      expect(decision.calls).toEqual([])
      after = remember(after, answered(decision))
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
      memory = remember(memory, answered(decision))
    }
    expect(memory.standing).toBeUndefined()
  })

  it('survives a moment in which the head cannot be read', () => {
    const memory = waiting()
    const blind = run(merge, { memory, answers: { ...asked(), mergeRequest: { ok: false, reason: '403' } } })
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
    const mr = overTime()
    mr.turn(given, { events })
    mr.person({ sha: otherHead })
    mr.source('approvals', approved)
    expect(mr.sends(given, { events })).toEqual([['mergeRequests.unapprove', {}]])
    expect([mr.sends(given, { events }), mr.sends(given)]).toEqual([[], []])
  })

  it('ends with a later event that takes the approval back', () => {
    const both = [...given, onEvent('note.create', '{ unapprove: true }', 'withdraws')]
    const mr = overTime()
    mr.turn(both, { events })
    expect(mr.sends(both, { events: [happened('note.create', 'd2')] })).toEqual([['mergeRequests.unapprove', {}]])
    expect([mr.sends(both), mr.memory.standing]).toEqual([[], undefined])
  })

  it('does not end what another event asked to merge', () => {
    const texts = [
      onEvent('push', '{ accept: true }', 'merges'),
      onEvent('note.create', '{ unapprove: true }', 'withdraws'),
    ]
    const mr = overTime({ head_pipeline: null })
    mr.turn(texts, { events })
    mr.turn(texts, { events: [happened('note.create', 'd2')] })
    expect(mr.memory.standing?.map(({ actions }) => actions)).toEqual([['accept']])
  })
})

describe('a rule that ends what events requested', () => {
  const asks = onEvent('push', '{ approve: true, accept: true }', 'asks')
  const standing = (ends: string, changes: Parameters<ReturnType<typeof overTime>['turn']>[1] = {}) => {
    const mr = overTime({ head_pipeline: null })
    mr.turn([asks], { events: [happened('push')] })
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

describe('an event that closes', () => {
  it('ends what events asked to merge', () => {
    const texts = [onEvent('push', '{ accept: true }', 'merges'), onEvent('note.create', '{ close: true }', 'closes')]
    const mr = overTime({ head_pipeline: null })
    mr.turn(texts, { events: [happened('push')] })
    expect(mr.sends(texts, { events: [happened('note.create', 'd2')] })).toEqual([
      ['mergeRequests.update', { state_event: 'close' }],
    ])
    mr.person({ state: 'opened', ...pipeline('success') })
    expect(mr.sends(texts)).toEqual([])
  })
})

const other = 'b'.repeat(40)
const at = (sha: string) => ({ sha, head_pipeline: { id: 5, sha, ref: 'feature', status: 'running', source: 'push' } })

describe('an approval that an event took back', () => {
  const texts = [
    rule('{ author: alice }', '{ approve: true }', 'approves'),
    onEvent('note.update', '{ unapprove: true }', 'withdraws'),
    onEvent('push', '{ approve: true }', 'asks again'),
  ]
  const taken = () => {
    const mr = overTime()
    mr.turn(texts)
    expect(mr.sends(texts, { events: [happened('note.update')] })).toEqual([['mergeRequests.unapprove', {}]])
    return mr
  }
  it('is not given again by the rule that still matches, and the decision says why', () => {
    const mr = taken()
    expect(mr.sends(texts, { events: [happened('note.update')] })).toEqual([])
    const decision = mr.turn(texts)
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions).toMatchObject([
      {
        result: 'overruled',
        detail: expect.stringContaining('the rule rules/test.yml#withdraws withdrew it for this head'),
      },
    ])
  })
  it('is given for the next head', () => {
    const mr = taken()
    mr.person({ sha: other })
    expect(mr.sends(texts)).toEqual([['mergeRequests.approve', { sha: other }]])
    expect(mr.memory.restrained).toBeUndefined()
  })
  it('is given again when an event requests it, and stays', () => {
    const mr = taken()
    expect(mr.sends(texts, { events: [happened('push', 'd2')] })).toEqual([['mergeRequests.approve', { sha: head }]])
    expect([mr.sends(texts), mr.memory.restrained]).toEqual([[], undefined])
  })
  it('stays withdrawn when an event requests it in vain, because another rule goes first', () => {
    const mr = overTime()
    const both = [...texts, whileOn('{ unapprove: true }', 'goes before')]
    mr.turn(both)
    mr.turn(both, { events: [happened('note.update')] })
    mr.person({ labels: ['on'] })
    expect(
      mr.turn(both, { events: [happened('push', 'd2')] }).rules.find(({ name }) => name === 'asks again')?.actions,
    ).toMatchObject([{ action: 'approve', result: 'overruled' }])
    mr.person({ labels: [] })
    expect([mr.sends(both), mr.memory.restrained?.approve]).toEqual([[], { head, by: 'rules/test.yml#withdraws' }])
  })
  it('stays withdrawn while an earlier request that it ended is still pending', () => {
    const mr = overTime()
    mr.turn(texts)
    const events = [happened('push', 'd2'), happened('note.update', 'd3')]
    expect(mr.sends(texts, { events })).toEqual([['mergeRequests.unapprove', {}]])
    expect([mr.sends(texts, { events }), mr.sends(texts)]).toEqual([[], []])
  })
  it('stays withdrawn while the head cannot be read', () => {
    const mr = taken()
    mr.person({ sha: null })
    mr.turn(texts)
    mr.person({ sha: head })
    expect(mr.sends(texts)).toEqual([])
  })
  it('by a rule that only observes is not', () => {
    const observing = [texts[0] ?? '', (texts[1] ?? '').replace('    on:', '    mode: observe\n    on:')]
    const mr = overTime()
    expect(mr.sends(observing)).toEqual([['mergeRequests.approve', { sha: head }]])
    expect([mr.sends(observing, { events: [happened('note.update')] }), mr.sends(observing)]).toEqual([[], []])
  })
})

it('a merge that an event cancelled is not requested again by the rule that holds', () => {
  const texts = [
    whileOn('{ accept: { when: pipeline_succeeds } }'),
    onEvent('note.update', '{ cancel_accept: true }', 'cancels'),
  ]
  const mr = overTime({ ...at(head), labels: ['on'] })
  expect(mr.sends(texts)).toMatchObject([['mergeRequests.accept', { merge_when_pipeline_succeeds: true }]])
  expect(mr.sends(texts, { events: [happened('note.update')] })).toEqual([
    ['mergeRequests.cancelMergeWhenPipelineSucceeds', {}],
  ])
  expect([mr.sends(texts), mr.sends(texts)]).toEqual([[], []])
  mr.person(at(other))
  expect(mr.sends(texts)).toMatchObject([['mergeRequests.accept', { sha: other }]])
})

it('what an event closed and a person reopened is merged by the rules that hold', () => {
  const texts = [
    rule('{ author: alice }', '{ accept: true }', 'merges'),
    onEvent('note.update', '{ close: true }', 'closes'),
  ]
  const mr = overTime()
  expect(mr.sends(texts, { events: [happened('note.update')] })).toEqual([
    ['mergeRequests.update', { state_event: 'close' }],
  ])
  mr.person({ state: 'opened' })
  expect(mr.sends(texts)).toMatchObject([['mergeRequests.accept', { sha: head }]])
})

it('what is withdrawn for nobody ends no restraint: a rule for another event did not request it', () => {
  const restrained = { accept: { head, by: 'stop' } }
  const trace: RuleTrace = {
    ...{ key: 'f#merge@d2', name: 'merge', file: 'f', line: 1, verdict: 'false', became: false, fingerprint: 'x' },
    conditions: { condition: 'command', verdict: 'false', expected: 'merge', actual: 'none' },
    actions: [{ action: 'accept', result: 'call', detail: 'cancel the waiting merge', withdrawal: true }],
    event: happened('note.create', 'd2'),
  }
  const decision = { rules: [trace], calls: [], responses: [], head, files: [] }
  expect(restrainedAfter({ ...emptyMemory(), restrained }, decision)).toEqual(restrained)
})

const own = (kind: string, at = '2026-01-11T00:10:00Z') => [{ id: 'd1', event: { kind, actor: { id: bot.id }, at } }]
const done = (rule: string) => rememberDone(emptyMemory(), decidedBy(rules(rule)))
const on = (kind: string) => `  - name: hears\n    on: ${kind}\n    then: { subscribe: true }\n`
/** Whether a rule for events of that kind hears of it. */
const hears = (kind: string, memory: Memory, at?: string) =>
  decidedBy(rules(on(kind)), { memory, events: own(kind, at) }).calls.length > 0

describe('an event by the user of Bellhop', () => {
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
    const memory = remember(emptyMemory(), answered(decision, 'ambiguous', 502))
    // Nothing is pending, which would keep every rule from acting.
    expect([decision.calls.length, memory.pending]).toEqual([1, undefined])
    expect(hears(kind, memory)).toBe(false)
    expect(hears(kind, remember(emptyMemory(), answered(decision, 'already', 304)))).toBe(false)
    expect(hears(kind, remember(emptyMemory(), answered(decision, 'refused', 403)))).toBe(true)
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
