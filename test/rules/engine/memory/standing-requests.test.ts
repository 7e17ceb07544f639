// Standing requests: what an event asked for is evaluated as state, for the head that it asked for, until it is done or withdrawn.
import { describe, expect, it } from 'vitest'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type { Memory, SourceAnswers } from '../../../../src/rules/types.ts'
import { alice, happened, onEvent, overTime } from '../../over-time.ts'
import { answer, answered, answers, bot, decided, file, head, input, rule, sent } from '../../world.ts'

const ruleFile = (on: string, rest: string) => file(`version: 1\nrules:\n  - name: the rule\n    ${on}\n    ${rest}\n`)
const noted = (text: string, access = 40): SourceAnswers => ({
  'note@17': answer({ id: 17, body: text, author: alice, system: false }),
  'actorAccess@2': answer({ id: 2, access_level: access }),
})
const note = (id = 'd1') => happened('note.create', id, { note: { id: 17 } })

describe('accept that an event asked for', () => {
  const given = ruleFile('command: merge', 'then: { accept: true }')
  const running = { head_pipeline: { id: 5, sha: head, ref: 'feature', status: 'running', source: 'push' } }
  const asked = (fields: Record<string, unknown> = {}) => answers(fields, noted('@bellhop merge'))
  const waiting = (): Memory => {
    const decision = decided(input([given], { events: [note()], answers: asked(running) }))
    expect(decision.rules[0]?.actions[0]?.result).toBe('waits')
    return remember(emptyMemory(), decision)
  }

  it('stands until the pipeline succeeds, without its event', () => {
    const memory = waiting()
    const decision = decided(input([given], { memory, answers: asked() }))
    expect(sent(decision)).toEqual([['mergeRequests.accept', { sha: head }]])
    expect(remember(memory, answered(decision)).standing).toBeUndefined()
  })

  it('is over when the head moves', () => {
    const memory = waiting()
    const sha = 'b'.repeat(40)
    const moved = asked({ sha, head_pipeline: { id: 6, sha, ref: 'feature', status: 'success', source: 'push' } })
    const decision = decided(input([given], { memory, answers: moved }))
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.conditions).toMatchObject({ condition: 'head', verdict: 'false' })
    expect(remember(memory, decision).standing).toBeUndefined()
  })

  it('is over when the merge request is retargeted, and stays so', () => {
    const memory = waiting()
    const decision = decided(input([given], { memory, answers: asked({ target_branch: 'production' }) }))
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.conditions).toMatchObject({
      condition: 'target_branch',
      verdict: 'false',
      actual: 'production',
    })
    const after = remember(memory, decision)
    expect(after.standing).toBeUndefined()
    expect(decided(input([given], { events: [note()], memory: after, answers: asked() })).calls).toEqual([])
  })

  it('is for the target branch that its event was about: one that was set before Bellhop looked is never merged into by it', () => {
    const about = note()
    const events = [{ ...about, event: { ...about.event, head, target: 'main' } }]
    const retargeted = asked({ target_branch: 'production' })
    const decision = decided(input([given], { events, answers: retargeted }))
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toMatchObject({
      result: 'blocked',
      detail: expect.stringContaining('production'),
    })
    const memory = remember(emptyMemory(), decision)
    expect(memory.standing).toBeUndefined()
    expect(decided(input([given], { events, memory, answers: retargeted })).calls).toEqual([])
    expect(sent(decided(input([given], { events, answers: asked() })))).toEqual([
      ['mergeRequests.accept', { sha: head }],
    ])
  })

  it('is for the head that its event was about: one that was pushed before Bellhop looked is never merged by it', () => {
    const about = note()
    const events = [{ ...about, event: { ...about.event, head: 'a1'.repeat(20) } }]
    const decision = decided(input([given], { events, answers: asked() }))
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions[0]).toMatchObject({
      result: 'blocked',
      detail: expect.stringContaining('a1a1a1a1'),
    })
    const memory = remember(emptyMemory(), decision)
    expect(memory.standing).toBeUndefined()
    expect(decided(input([given], { events, memory, answers: asked() })).calls).toEqual([])
  })

  it('is done at once where its event was about the present head, or does not say', () => {
    for (const more of [{ head }, {}]) {
      const about = note()
      const events = [{ ...about, event: { ...about.event, ...more } }]
      expect(sent(decided(input([given], { events, answers: asked() })))).toEqual([
        ['mergeRequests.accept', { sha: head }],
      ])
    }
  })

  it('does not keep the rule’s other actions from being done for their event', () => {
    const two = ruleFile('command: merge', 'then: { subscribe: true, accept: true, approve: true }')
    const about = note()
    const events = [{ ...about, event: { ...about.event, head: 'a1'.repeat(20) } }]
    expect(sent(decided(input([two], { events, answers: asked() })))).toEqual([['mergeRequests.subscribe', {}]])
  })

  it('is over when its rule changes or goes', () => {
    const memory = waiting()
    const other = ruleFile('command: merge', 'then: { accept: { squash: true } }')
    const decision = decided(input([other], { memory, answers: asked() }))
    expect(decision.calls).toEqual([])
    expect(remember(memory, decision).standing).toBeUndefined()
  })

  it('is evaluated anew each time: the note may be gone, the asker may have lost the right', () => {
    const memory = waiting()
    const lost = decided(input([given], { memory, answers: answers({}, noted('@bellhop merge', 30)) }))
    expect(lost.calls).toEqual([])
    expect(remember(memory, lost).standing?.length).toBe(1)
  })

  it('does only what is kept: the rule’s other actions were done when it happened', () => {
    const two = ruleFile('command: merge', 'then: { subscribe: true, accept: true }')
    const first = decided(input([two], { events: [note()], answers: asked(running) }))
    expect(sent(first)).toEqual([['mergeRequests.subscribe', {}]])
    const memory = remember(emptyMemory(), answered(first))
    expect(sent(decided(input([two], { memory, answers: asked() })))).toEqual([['mergeRequests.accept', { sha: head }]])
  })
})

describe('a request of an event that is still pending', () => {
  const merge = ruleFile('command: merge', 'then: { accept: true }')
  const pipeline = (sha: string, status: string) => ({
    sha,
    head_pipeline: { id: 5, sha, ref: 'feature', status, source: 'push' },
  })
  const other = 'b'.repeat(40)

  it('is over when the head moves, for good', () => {
    const events = [note()]
    const asked = (fields: Record<string, unknown>) => answers(fields, noted('@bellhop merge'))
    let memory = remember(emptyMemory(), decided(input([merge], { events, answers: asked(pipeline(head, 'running')) })))
    for (let turn = 0; turn < 3; turn++) {
      const decision = decided(input([merge], { events, memory, answers: asked(pipeline(other, 'success')) }))
      expect(decision.calls).toEqual([])
      memory = remember(memory, answered(decision))
      expect(memory.standing).toBeUndefined()
    }
  })

  it('is one of the rule as it is now, and stands when its event is pending no more', () => {
    const asked = answers(pipeline(head, 'running'), noted('@bellhop merge'))
    const memory = remember(emptyMemory(), decided(input([merge], { events: [note()], answers: asked })))
    const now = ruleFile('command: merge', 'then: { accept: { squash: true } }')
    const changed = remember(memory, decided(input([now], { events: [note()], memory, answers: asked })))
    const later = answers(pipeline(head, 'success'), noted('@bellhop merge'))
    expect(sent(decided(input([now], { memory: changed, answers: later }))).at(-1)).toEqual([
      'mergeRequests.accept',
      { sha: head, squash: true },
    ])
    expect(decided(input([merge], { memory: changed, answers: later })).calls).toEqual([])
  })

  it('is of its head also when the rule changes', () => {
    const events = [note()]
    const asked = (fields: Record<string, unknown>) => answers(fields, noted('@bellhop merge'))
    const memory = remember(
      emptyMemory(),
      decided(input([merge], { events, answers: asked(pipeline(head, 'running')) })),
    )
    const now = ruleFile('command: merge', 'then: { approve: true, accept: { remove_source_branch: true } }')
    expect(decided(input([now], { events, memory, answers: asked(pipeline(other, 'success')) })).calls).toEqual([])
    expect(decided(input([now], { events, memory, answers: asked(pipeline(head, 'success')) })).calls.length).toBe(2)
    let after = memory
    for (let turn = 0; turn < 3; turn++) {
      const decision = decided(input([now], { events, memory: after, answers: asked(pipeline(other, 'success')) }))
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
      const decision = decided(input([given], { events, memory, answers: answers({}, both) }))
      expect(sent(decision)).toEqual(turn === 0 ? [['mergeRequests.subscribe', {}]] : [])
      memory = remember(memory, answered(decision))
    }
    expect(memory.standing).toBeUndefined()
  })

  it('survives a moment in which the head cannot be read', () => {
    const running = answers(pipeline(head, 'running'), noted('@bellhop merge'))
    const memory = remember(emptyMemory(), decided(input([merge], { events: [note()], answers: running })))
    const blind = decided(
      input([merge], { memory, answers: { ...running, mergeRequest: { ok: false, reason: '403' } } }),
    )
    expect(remember(memory, blind).standing).toEqual(memory.standing)
  })
})

describe('approve that an event asked for', () => {
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

  it('is taken back when the head moves and the service kept it', () => {
    const mr = overTime()
    mr.turn(given, { events })
    mr.person({ sha: 'b'.repeat(40) })
    mr.source('approvals', approved)
    expect(mr.sends(given, { events })).toEqual([['mergeRequests.unapprove', {}]])
    expect([mr.sends(given, { events }), mr.sends(given)]).toEqual([[], []])
  })

  it('ends with a later event that takes the approval back', () => {
    const both = [...given, onEvent('note.create', '{ unapprove: true }', 'takes back')]
    const mr = overTime()
    mr.turn(both, { events })
    expect(mr.sends(both, { events: [happened('note.create', 'd2')] })).toEqual([['mergeRequests.unapprove', {}]])
    expect([mr.sends(both), mr.memory.standing]).toEqual([[], undefined])
  })

  it('does not end what another event asked to merge', () => {
    const texts = [
      onEvent('push', '{ accept: true }', 'merges'),
      onEvent('note.create', '{ unapprove: true }', 'takes back'),
    ]
    const mr = overTime({ head_pipeline: null })
    mr.turn(texts, { events })
    mr.turn(texts, { events: [happened('note.create', 'd2')] })
    expect(mr.memory.standing?.map(({ actions }) => actions)).toEqual([['accept']])
  })
})

describe('a rule that ends what events asked for', () => {
  const asks = onEvent('push', '{ approve: true, accept: true }', 'asks')
  const standing = (ends: string, changes: Parameters<ReturnType<typeof overTime>['turn']>[1] = {}) => {
    const mr = overTime({ head_pipeline: null })
    mr.turn([asks], { events: [happened('push')] })
    mr.turn([asks, ends], changes)
    return mr.memory.standing?.flatMap(({ actions }) => actions)
  }

  it('does so also while the limit of new rules keeps its close back', () => {
    const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#closes'], full: { close: '2026-01-11T00:20:00Z' } }
    expect(
      standing(rule('{ author: alice }', '{ close: true }', 'closes'), { newRuleLimit: newRuleLimit }),
    ).toBeUndefined()
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
    mr.person({
      state: 'opened',
      head_pipeline: { id: 5, sha: head, ref: 'feature', status: 'success', source: 'push' },
    })
    expect(mr.sends(texts)).toEqual([])
  })
})
