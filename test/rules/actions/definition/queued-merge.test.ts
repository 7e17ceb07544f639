// accept with a queue: it enters, stays while a rule requests it for this head, and leaves in every other case.
import { acceptMemory } from '../../../../src/rules/actions/definition/accept-memory.ts'
import { leaveCall, rememberQueue, removalNow } from '../../../../src/rules/actions/definition/queued-merge.ts'
import { isWithdrawal } from '../../../../src/rules/engine/limits/deferred-calls.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import { explainDecision } from '../../../../src/rules/explain/explain.ts'
import type { DecideInput, Decision, Memory } from '../../../../src/rules/types.ts'
import { happened } from '../../over-time.ts'
import {
  answer,
  answers,
  change,
  changesAnswer,
  decided,
  file,
  head,
  input,
  pipeline,
  refused,
  rememberAs,
  rememberDone,
  rule,
  rules,
  sent,
} from '../../world.ts'

const mainQueue = (more = '') => `queues: [{ name: main, target: main${more} }]\n`
const text = (queues = mainQueue(), ...list: string[]) =>
  `${queues}${rules(...(list.length > 0 ? list : [rule('{ labels: { any: on } }', '{ accept: { queue: main } }')]))}`
const on = { labels: ['on'] }
const entry = { queue: 'main', target: 'main', sha: head, priority: 0, frozen: false }
const queued: Memory = { ...emptyMemory(), of: { accept: { queued: entry } } }
const enter = (more = {}) => [['mergeQueue.enter', { ...entry, ...more }]]
const leave = [['mergeQueue.leave', {}]]

interface Given extends Partial<DecideInput> {
  fields?: Record<string, unknown>
  other?: Parameters<typeof answers>[1]
}
const decide = (source: string, { fields = on, other, ...changes }: Given = {}): Decision =>
  decided(input([file(source)], { answers: answers(fields, other), ...changes }))
const first = (decision: Decision) => decision.rules[0]?.actions[0]

describe('accept with a queue', () => {
  it.each([
    ['{ queue: main }', {}],
    ['{ queue: main, squash: true, remove_source_branch: true }', { squash: true, remove_source_branch: true }],
  ])('%s enters the evaluated head', (args, more) => {
    const source = text(mainQueue(), rule('{ author: alice }', `{ accept: ${args} }`))
    const decision = decide(source, { fields: { squash: args.includes('squash') } })
    expect(sent(decision)).toEqual(enter(more))
    expect(acceptMemory(rememberDone(emptyMemory(), decision)).queued).toEqual({ ...entry, ...more })
  })
  it('preempts where the first priority that is true says so', () => {
    const priority = ', priority: { if: { author: alice }, is: 5, preempts: true }'
    const source = text(mainQueue(priority), rule('{ author: alice }', '{ accept: { queue: main } }'))
    expect(sent(decide(source))).toEqual(enter({ priority: 5, preempts: true }))
  })
  it('sets how it is squashed before it enters, which no later call can', () => {
    const source = text(mainQueue(), rule('{ author: alice }', '{ accept: { queue: main, squash: true } }'))
    const { calls } = decide(source, { fields: { squash: false } })
    expect(calls.map(({ endpoint, params }) => [endpoint, params.squash])).toEqual([
      ['mergeRequests.update', true],
      ['mergeQueue.enter', true],
    ])
  })
  it.each([
    ['a queue that pushes, where it is to be squashed', mainQueue(', land: push'), { squash: true }, {}],
    ['a project with merge trains', mainQueue(), {}, { merge_trains_enabled: true }],
  ])('is blocked for %s', (_name, queues, fields, project) => {
    const other = { project: answer({ default_branch: 'main', ...project }) }
    const decision = decide(text(queues, rule('{ author: alice }', '{ accept: { queue: main } }')), { fields, other })
    expect(sent(decision)).toEqual([])
    expect(first(decision)?.result).toBe('blocked')
  })
  it.each([
    ['', true, {}],
    [', land: push', true, { squash: true }],
    [', land: push', false, {}],
  ])('of a fast-forward project, with%s and squash: %s', (settings, squash, more) => {
    const other = { project: answer({ default_branch: 'main', merge_method: 'ff' }) }
    const source = text(mainQueue(settings), rule('{ author: alice }', '{ accept: { queue: main } }'))
    expect(sent(decide(source, { fields: { squash }, other }))).toEqual(enter(more))
  })
  it('waits while its entry is the one that is requested, and says where it is', () => {
    const decision = decide(text(), {
      memory: queued,
      queueEntry: { progress: 'Position 3 of 7. Waiting for: its turn.' },
    })
    expect(sent(decision)).toEqual([])
    const detail = 'in the merge queue main: Position 3 of 7. Waiting for: its turn'
    expect(first(decision)).toEqual({ action: 'accept', result: 'waits', detail, queue: 'main', waitsFor: 'queue' })
    expect(explainDecision(decision)).toContain(`  → accept: waits: ${detail}`)
    expect(acceptMemory(rememberDone(queued, decision)).queued).toEqual(entry)
  })
  it('enters again where its entry was not stored', () => {
    const decision = decide(text(), { memory: queued, queueEntry: { lost: true } })
    expect(sent(decision)).toEqual(enter())
    expect(acceptMemory(rememberDone(queued, decision)).queued).toEqual(entry)
  })
  it.each([
    ['head', { ...entry, sha: 'b'.repeat(40) }],
    ['target', { ...entry, target: 'release' }],
    ['priority', { ...entry, priority: 5 }],
    ['name of its queue', { ...entry, queue: 'before' }],
    ['freeze', { ...entry, frozen: true }],
    ['squash', { ...entry, squash: true }],
  ])('replaces an entry with another %s', (_what, before) => {
    const memory = { ...emptyMemory(), of: { accept: { queued: before } } }
    const decision = decide(text(), { memory })
    expect(sent(decision)).toEqual(enter())
    expect(first(decision)?.queue).toBeUndefined()
    expect(acceptMemory(rememberDone(memory, decision)).queued).toEqual(entry)
  })
  it.each(['checking', 'unchecked', 'preparing', 'approvals_syncing', 'cannot_be_merged_recheck', 'need_rebase'])(
    'enters while the mergeability is %s, which changes by itself or by the queue',
    (status) => {
      expect(sent(decide(text(), { fields: { ...on, detailed_merge_status: status } }))).toEqual(enter())
    },
  )
  it('may have entered where the response was lost: what may stand is remembered, and withdrawn', () => {
    const memory = rememberAs('ambiguous', decide(text()))
    expect(acceptMemory(memory).queued).toEqual(entry)
    expect(sent(decide(text(), { memory, fields: { labels: [] } }))).toEqual(leave)
  })
  it('is still in the queue where the response to leaving was lost', () => {
    const decision = decide(text(), { memory: queued, fields: { labels: [] } })
    expect(acceptMemory(rememberAs('ambiguous', decision, queued)).queued).toEqual(entry)
    expect(acceptMemory(rememberDone(queued, decision)).queued).toBeUndefined()
  })
})

describe('the queue of a target branch', () => {
  it.each([
    [
      'is another than the rule names',
      text('queues: [{ name: other, target: main }, { name: main, target: next }]\n'),
      'the merge queue of main is other, and the rule requests the queue main',
    ],
    [
      'does not exist',
      text('queues: [{ name: main, target: "release-*" }]\n'),
      'no merge queue is for main, and the rule requests the queue main',
    ],
  ])('%s: nothing enters, and what stands leaves', (_what, source, detail) => {
    const decision = decide(source, { memory: queued })
    expect(first(decision)).toMatchObject({ result: 'blocked', detail })
    expect(sent(decision)).toEqual(leave)
  })
  const ofProject = pipeline('success', { project_id: 1 })
  it('tests no forks, nor what may be one', () => {
    for (const source_project_id of [2, undefined]) {
      const decision = decide(text(), { memory: queued, fields: { ...on, source_project_id, ...ofProject } })
      expect(first(decision)?.detail).toMatch(/^the queue tests no forks: their code would run with/)
      expect(sent(decision)).toEqual(leave)
    }
  })
  describe('of a queue that tests approved forks', () => {
    const fork = { source_project_id: 2, ...ofProject }
    const source = text(
      mainQueue(', forks: approved'),
      '  - { name: queue, on: merge_request.approved, then: { accept: { queue: main } } }\n',
    )
    const asked = (access: number, event: object = {}) =>
      decide(source, {
        fields: fork,
        events: [happened('merge_request.approved', 'd1', { actor: { id: 2, username: 'maria' }, head, ...event })],
        other: { 'actorAccess@2': answer({ access_level: access }) },
      })
    it('a fork enters where a Maintainer requests it for its present head', () => {
      expect(sent(asked(40))).toEqual(enter())
    })
    it.each([
      ['a Developer requests it', () => asked(30)],
      ['it was requested for another head', () => asked(40, { head: 'b'.repeat(40) })],
      ['nobody knows for which head it was requested', () => asked(40, { head: undefined })],
      [
        'a rule without an event requests it',
        () => decide(text(mainQueue(', forks: approved')), { fields: { ...on, ...fork } }),
      ],
      [
        'the fork is gone',
        () =>
          decide(source, {
            fields: { source_project_id: undefined },
            events: [happened('merge_request.approved', 'd1', { actor: { id: 2, username: 'maria' }, head })],
            other: { 'actorAccess@2': answer({ access_level: 40 }) },
          }),
      ],
    ])('none enters where %s', (_what, decision) => {
      expect(first(decision())?.result).toBe('blocked')
      expect(sent(decision())).toEqual([])
    })
  })
  it('is that of the operator’s files before the repository’s', () => {
    const own = file(text(mainQueue(', priority: [{ if: { author: alice }, is: 1 }]')), { trust: 'repository' })
    const given = { answers: answers({ ...on }) }
    expect(sent(decided(input([own], given)))).toEqual(enter({ priority: 1 }))
    const operators = file(`${mainQueue()}rules: []\n`)
    expect(sent(decided(input([own, operators], given)))).toEqual(enter())
  })
  it.each(['true', '{ when: pipeline_succeeds }'])('is used by accept: %s where it is required', (args) => {
    const accept = rule('{ author: alice }', `{ accept: ${args} }`)
    expect(sent(decide(text(mainQueue(', required: true'), accept)))).toEqual(enter())
    expect(sent(decide(text(mainQueue(), accept)))[0]?.[0]).toBe('mergeRequests.accept')
  })
})

describe('priority and freeze', () => {
  const terms = (more: string, changes: Given = {}) => {
    const decision = decide(text(mainQueue(more)), changes)
    const { priority, frozen } = decision.calls[0]?.params ?? {}
    return { priority, frozen, changesAt: decision.changesAt }
  }
  it('takes the first priority whose condition is true', () => {
    const list =
      '[{ if: { labels: { any: urgent } }, is: 9 }, { if: { author: alice }, is: -5 }, { if: { draft: false }, is: 7 }]'
    expect(terms(`, priority: ${list}`).priority).toBe(-5)
    expect(terms(`, priority: ${list}`, { fields: { labels: ['on', 'urgent'] } }).priority).toBe(9)
  })
  // 2026-01-11 is a Sunday.
  it.each([
    ['{ if: { clock: { days: [sun] } } }', true],
    ['{ if: { clock: { days: [mon] } } }', false],
    ['{ if: { clock: { days: [sun] } }, except: { labels: { any: on } } }', false],
    ['[{ if: { clock: { days: [mon] } } }, { if: { labels: { any: on } } }]', true],
  ])('freeze: %s freezes: %s', (freeze, frozen) => {
    expect(terms(`, freeze: ${freeze}`).frozen).toBe(frozen)
  })
  it.each([
    ['{ if: { clock: { days: [sun] } } }', '2026-01-12T00:00:00.000Z'],
    ['[{ if: { clock: { days: [sun] } } }, { if: { clock: { days: [sun, mon] } } }]', '2026-01-13T00:00:00.000Z'],
    ['[{ if: { clock: { days: [sun] } } }, { if: { labels: { any: on } } }]', undefined],
    ['{ if: { clock: { days: [mon] } } }', undefined],
  ])('freeze: %s lasts until %s', (freeze, until) => {
    expect(decide(text(mainQueue(`, freeze: ${freeze}`))).calls[0]?.params.frozenUntil).toBe(until)
  })
  it('is evaluated again when a freeze begins or ends', () => {
    expect(terms(', freeze: { if: { clock: { days: [sun] } } }').changesAt).toBe('2026-01-12T00:00:00.000Z')
    const decision = decide(text(mainQueue(', freeze: { if: { clock: { days: [mon] } } }')), { memory: queued })
    expect([sent(decision), decision.changesAt]).toEqual([[], '2026-01-12T00:00:00.000Z'])
  })
  it('fails closed where facts are unknown: no priority, frozen, and no exception', () => {
    const other = { approvals: refused() }
    const unknown = '{ approved_by: { any: bob } }'
    expect(terms(`, priority: [{ if: ${unknown}, is: 9 }], freeze: { if: ${unknown} }`, { other })).toMatchObject({
      priority: 0,
      frozen: true,
    })
    expect(terms(`, freeze: { if: { clock: { days: [sun] } }, except: ${unknown} }`, { other }).frozen).toBe(true)
  })
  it('reads what their conditions need, and nothing of it for an accept without a queue', () => {
    const source = text(mainQueue(', freeze: { if: { approved_by: { any: bob } } }'))
    const { approvals: _none, ...known } = answers(on)
    expect(() => decided(input([file(source)], { answers: known }))).toThrow(/^needs approvals/)
    const direct = source.replace('accept: { queue: main }', 'accept: true')
    expect(decided(input([file(direct)], { answers: known })).calls).toHaveLength(1)
  })
})

describe('an entry leaves', () => {
  it.each([
    ['no rule requests it', { labels: [] }],
    ['its pipeline runs again', { ...on, ...pipeline('running') }],
    ['it becomes a draft', { ...on, work_in_progress: true }],
    ['it conflicts', { ...on, detailed_merge_status: 'conflict' }],
    ['it is closed', { ...on, state: 'closed' }],
    ['it is merged', { ...on, state: 'merged' }],
    ['its mergeability is unknown', { ...on, merge_status: undefined }],
    ['it is turned off by its label', { labels: ['on', 'off'] }],
  ])('when %s', (_what, fields) => {
    const decision = decide(text(), { memory: queued, fields, offLabel: 'off' })
    expect(sent(decision)).toEqual(leave)
    expect(decision.rules[0]?.actions.some((each) => each.queue !== undefined)).toBe(false)
    expect(decision.calls.every(isWithdrawal)).toBe(true)
    expect(acceptMemory(rememberDone(queued, decision)).queued).toBeUndefined()
  })
  it.each(['off', 'observe'] as const)('when the operator sets the mode %s', (mode) => {
    const decision = decide(text(), { memory: queued, policy: { mode } })
    expect(sent(decision)).toEqual(leave)
    expect(decision.rules.flatMap((each) => each.actions).some((each) => each.queue !== undefined)).toBe(false)
  })
  it('when the policy denies accept to the repository', () => {
    const own = file(text(), { trust: 'repository' })
    const given = { answers: answers(on), memory: queued, policy: { mode: 'act' as const, allows: [] } }
    expect(sent(decided(input([own], given)))).toEqual(leave)
  })
  it('when the repository’s rule may not merge it, and stays where its file is broken', () => {
    const own = file(text(), { trust: 'repository' })
    const touching = changesAnswer([change('.bellhop.yml')], on)
    const given = (other = {}) => ({ answers: answers(on, other), memory: queued })
    expect(sent(decided(input([own], given({ changes: touching }))))).toEqual(leave)
    const broken = decided(input([{ ...own, broken: true }], given()))
    expect(sent(broken)).toEqual([])
    expect(first(broken)?.queue).toBeUndefined()
    expect(acceptMemory(rememberDone(queued, broken)).queued).toEqual(entry)
  })
  it('when a rule cancels accept, with one call, for that head', () => {
    const source = text(
      mainQueue(),
      rule('{ labels: { any: on } }', '{ accept: { queue: main } }'),
      '  - { name: dequeue, on: push, then: { cancel_accept: true } }\n',
    )
    const decision = decide(source, { memory: queued, events: [happened('push')] })
    expect(sent(decision)).toEqual(leave)
    const memory = rememberDone(queued, decision)
    expect(acceptMemory(memory).queued).toBeUndefined()
    expect(sent(decide(source, { memory }))).toEqual([])
  })
  it('though a new rule has reached its limit: an entry of another head does not stay', () => {
    const newRuleLimit = {
      ...{ perHour: 1, newRules: ['rules/test.yml#the rule'] },
      full: { accept: '2026-01-11T01:00:00Z' },
    }
    const old = { ...emptyMemory(), of: { accept: { queued: { ...entry, sha: 'b'.repeat(40) } } } }
    expect(sent(decide(text(), { memory: old, newRuleLimit }))).toEqual(leave)
    const frozen = { ...emptyMemory(), of: { accept: { queued: { ...entry, frozen: true } } } }
    expect(sent(decide(text(), { memory: frozen, newRuleLimit }))).toEqual(enter())
  })
  it('before a direct accept, whatever the order of the rules', () => {
    const direct = rule('{ author: alice }', '{ accept: true }', 'direct')
    const decision = decide(text(mainQueue(), direct), { memory: queued })
    expect([sent(decision), first(decision)?.result, decision.againInMs]).toEqual([leave, 'waits', 1000])
    const memory = rememberDone(queued, decision)
    expect(sent(decide(text(mainQueue(), direct), { memory }))[0]?.[0]).toBe('mergeRequests.accept')
    const both = text(mainQueue(), direct, rule('{ author: alice }', '{ accept: { queue: main } }', 'queued'))
    expect(sent(decide(both, { memory: queued }))).toEqual(leave)
  })
  it('and a waiting merge is cancelled before it enters', () => {
    const memory = { ...emptyMemory(), of: { accept: { waitingSha: head } } }
    const fields = { ...on, merge_when_pipeline_succeeds: true }
    const decision = decide(text(), { memory, fields })
    expect(sent(decision)).toEqual([['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]])
    expect(sent(decide(text(), { memory: rememberDone(memory, decision) }))).toEqual(enter())
  })
})

describe('an entry that the merge queue removed', () => {
  const link = 'https://code.example.com/hotel/-/pipelines/9'
  const removed = { reason: 'pipeline_failed' as const, at: '2026-01-11T00:00:00Z', link }
  const source = text(
    mainQueue(),
    rule('{ labels: { any: on } }', '{ accept: { queue: main } }'),
    '  - { name: queue, on: push, then: { accept: { queue: main } } }\n',
  )
  const removal = { sha: head, target: 'main', ...removed }
  const later = { ...emptyMemory(), of: { accept: { queueRemoval: removal } } }
  it('leaves, and stays out for that head with the reason', () => {
    const decision = decide(source, { memory: queued, queueEntry: { removed } })
    expect(sent(decision)).toEqual(leave)
    const memory = rememberDone(queued, decision)
    expect(acceptMemory(memory)).toEqual({ queueRemoval: removal })
    const detail = `the merge queue removed it: its pipeline on top of the merge requests before it failed (${link}); to return: push a change, or ask again`
    const next = decide(source, { memory })
    expect([sent(next), first(next)]).toMatchObject([[], { result: 'blocked', detail }])
    expect(explainDecision(next).join('\n')).toContain(detail)
  })
  it('is not merged directly either', () => {
    expect(sent(decide(text(mainQueue(), rule('{ author: alice }', '{ accept: true }')), { memory: later }))).toEqual(
      [],
    )
  })
  it('returns with another head', () => {
    const other = { ...later, of: { accept: { queueRemoval: { ...removal, sha: 'b'.repeat(40) } } } }
    const decision = decide(source, { memory: other })
    expect(sent(decision)).toEqual(enter())
    expect(acceptMemory(rememberDone(other, decision))).toEqual({ queued: entry })
  })
  it.each([
    ['2026-01-11T00:00:01Z', enter()],
    ['2026-01-11T00:00:00Z', []],
  ])('asked for at %s sends %j, and stays asked for', (at, expected) => {
    const note = happened('push', 'd2', { at })
    const decision = decide(source, { memory: later, events: [note], fields: { labels: [] } })
    expect(sent(decision)).toEqual(expected)
    const memory = rememberDone(later, decision)
    expect(sent(decide(source, { memory, fields: { labels: [] } }))).toEqual([])
    expect(acceptMemory(memory).queued).toEqual(expected.length === 0 ? undefined : entry)
  })
})

const mr = { id: 7, merge_request_iid: 12 }
const leaving = leaveCall(mr)

describe('calls to the merge queue', () => {
  it('why it was removed stays, also where leaving is not certain', () => {
    const memo = { sha: entry.sha, reason: 'pipeline_failed', at: '2026-11-24T10:00:00.000Z' }
    expect(rememberQueue(queued, { ...leaving, memo }, false)).toEqual({
      ...queued,
      of: { accept: { queued: entry, queueRemoval: memo } },
    })
    expect(rememberQueue(queued, { ...leaving, memo }, true)).toEqual({
      ...emptyMemory(),
      of: { accept: { queueRemoval: memo } },
    })
  })
  it('what a rebase brought is in the head that it made, and stays out by that', () => {
    const memory = { ...queued, evaluated: { head: 'c'.repeat(40) } }
    const removed = (reason: 'content_changed' | 'conflict') => ({ reason, at: '2026-11-24T10:00:00.000Z' })
    const shaOf = (reason: 'content_changed' | 'conflict') =>
      removalNow({ memory, queueEntry: { removed: removed(reason) } })?.sha
    expect([shaOf('content_changed'), shaOf('conflict')]).toEqual(['c'.repeat(40), entry.sha])
  })
})
