// Explaining: the lines that a person reads, and the first thing in the way.
import { enteredBy } from '../../../src/rules/actions/definition/queued-merge.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { explainDecision, firstBlocker, isNear, waitsFor } from '../../../src/rules/explain/explain.ts'
import type { DecideInput, Json } from '../../../src/rules/types.ts'
import { answer, answered, answers, decided, decideRule, file, head, input, pipeline, rule, rules } from '../world.ts'

const blocker = (conditions: string, actions = '{ subscribe: true }', fields = {}) => {
  const [rule] = decideRule(conditions, actions, { answers: answers(fields) }).rules
  return rule && firstBlocker(rule)
}

describe('a decision in lines', () => {
  it('shows conditions with marks, actions and calls', () => {
    const decision = decideRule(
      '{ author: alice, any: [{ labels: hold }, { draft: false }] }',
      '{ label: { add: a }, accept: true }',
      {
        answers: answers({ merge_status: 'cannot_be_merged' }),
      },
    )
    expect(explainDecision(answered(decision))).toEqual([
      '✓ the rule (rules/test.yml:3) matches now',
      '  ✓ author: expected "alice", actual "alice"',
      '  ✓ any of these (any): 1 of 2 matched',
      '    ✗ labels: expected any of "hold", actual none; to fix: labels with any of "hold"',
      '    ✓ draft: expected false, actual false',
      '  → label: add "a"',
      '  → accept: blocked: mergeability must be "mergeable" or "can_be_merged", it is "cannot_be_merged"; to fix: resolve the conflicts with the target branch',
      '    ✓ state: expected "opened", actual "opened"',
      '    ✓ draft: expected false, actual false',
      '    ✓ pipeline: expected "success", actual "success"',
      '    ✗ mergeability: expected "mergeable" or "can_be_merged", actual "cannot_be_merged"; to fix: resolve the conflicts with the target branch',
      'call mergeRequests.update (label): done',
    ])
  })
  it('says first which limit holds back new rules, and until when', () => {
    const until = '2026-01-11T00:20:00Z'
    const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#the rule'], full: { approve: until, close: until } }
    const said = 'New rules of this project reached their limit of calls an hour: no approve until Sun 11 Jan 00:20 UTC'
    const limited = decideRule('{ author: alice }', '{ approve: true, subscribe: true }', { newRuleLimit })
    expect(explainDecision(answered(limited))[0]).toBe(said)
    const other = decideRule('{ author: alice }', '{ subscribe: true }', { newRuleLimit })
    expect(explainDecision(answered(other)).join()).not.toContain('limit')
  })
  it('says that there are no rules', () => {
    expect(explainDecision({ rules: [], calls: [], responses: [], head: null, files: [] })).toEqual([
      'no rules are in force',
    ])
  })
})

describe('the first blocker', () => {
  it('is an unknown fact with why it is unknown, and without what would help if it were known', () => {
    const { rules: traces } = decideRule('{ discussions_resolved: true }', '{ subscribe: true }', {
      answers: answers({ blocking_discussions_resolved: undefined }),
    })
    expect(traces.map(firstBlocker)).toEqual([
      { condition: 'discussions_resolved', expected: 'true', actual: 'unknown: the hosting service does not say' },
    ])
  })
  it.each([
    [
      'is the first condition that is false',
      '{ author: bob, draft: true }',
      { condition: 'author', expected: '"bob"', actual: '"alice"' },
    ],
    [
      'is a false one before an unknown one',
      '{ head: { matches: x }, draft: true }',
      { condition: 'head', expected: 'matching "x"' },
    ],
    [
      'is all that an any offers',
      '{ any: [{ author: bob }, { draft: true }] }',
      { condition: 'any', expected: 'author "bob" or draft true', actual: 'author is "alice", draft is false' },
    ],
    [
      'is the whole inside of a not',
      '{ not: { author: alice, draft: false } }',
      {
        condition: 'not',
        expected: 'not (author "alice" and draft false)',
        actual: 'author is "alice", draft is false',
      },
    ],
  ])('%s', (_what, conditions, expected) => {
    expect(blocker(conditions)).toMatchObject(expected)
  })
  it('is a condition of the action where the rule holds', () => {
    expect(blocker('{ author: alice }', '{ accept: true }', { work_in_progress: true })).toEqual({
      condition: 'draft',
      expected: 'false',
      actual: 'true',
      toFix: 'mark it as ready',
    })
  })
  it('is nothing where nothing is in the way', () => {
    expect(blocker('{ author: alice }')).toBeUndefined()
  })
})

describe('what would fix a condition', () => {
  const fix = (conditions: string, fields: object) => blocker(conditions, '{ subscribe: true }', fields)?.toFix
  it.each([
    ['closed', '{ state: opened }', 'reopen it'],
    ['merged', '{ state: opened }', undefined],
    ['closed', '{ state: merged }', undefined],
    ['opened', '{ state: merged }', 'merge it'],
    ['opened', '{ state: [closed, merged] }', 'close or merge it'],
  ])('of a %s merge request, %s: %s', (state, conditions, expected) => {
    expect(fix(conditions, { state })).toBe(expected)
  })
  it.each([
    ['{ draft: true }', 'mark it as a draft'],
    ['{ pipeline: skipped }', 'a pipeline of the head commit that is "skipped"'],
    ['{ merge_when_pipeline_succeeds: true }', 'set it to merge when its pipeline succeeds'],
    ['{ target_branch: release }', 'a target branch that is "release"'],
    ['{ squash: true }', 'choose to squash'],
    ['{ changed_files_count: { at_most: 0 } }', 'a number of changed files of at most 0'],
    ['{ mergeability: conflict }', 'the service must say that it can be merged'],
  ])('%s is nothing once it is merged or closed', (conditions, expected) => {
    expect(fix(conditions, { state: 'opened' })).toBe(expected)
    for (const state of ['closed', 'merged']) expect(fix(conditions, { state })).toBeUndefined()
  })
  it.each([
    ['{ has_conflicts: true }', { merge_status: 'can_be_merged', has_conflicts: false }],
    ['{ pipeline: failed }', {}],
    ['{ pipeline: [running, pending] }', {}],
    ['{ description: "" }', { description: 'why' }],
    ['{ changed_files_count: { more_than: 900 } }', {}],
    ['{ commit_authors: { all: "*@example.org" } }', {}],
    ['{ version_change: patch }', { title: 'Bump a from 1.0.0 to 2.0.0' }],
  ])('%s is nothing, because nobody does it on purpose', (conditions, fields) => {
    expect(blocker(conditions, '{ subscribe: true }', fields)?.condition).toBeDefined()
    expect(fix(conditions, fields)).toBeUndefined()
  })
  it.each([
    ['{ has_conflicts: false }', 'resolve the conflicts with the target branch'],
    ['{ pipeline: [success, failed] }', 'a pipeline of the head commit'],
    ['{ description: { matches: x } }', 'a description that is matching "x"'],
  ])('%s is for somebody to do', (conditions, expected) => {
    const fields = { merge_status: 'cannot_be_merged', has_conflicts: true, description: '', head_pipeline: null }
    expect(fix(conditions, fields)).toBe(expected)
  })
  it('is nothing for what was not read, because another condition decides', () => {
    const { approvals: _unread, ...others } = answers({})
    const [rule] = decideRule('{ author: bob, approvals_left: 0 }', '{ subscribe: true }', { answers: others }).rules
    expect(rule?.conditions.children?.[1]).toEqual({
      ...{ condition: 'approvals_left', verdict: 'unknown', expected: '0', actual: 'not read' },
    })
  })
  it.each(['{ labels: [x] }', '{ milestone: x }', '{ title: x }'])('%s is shown for a merged one too', (conditions) => {
    expect(fix(conditions, { state: 'merged' })).toBeTypeOf('string')
  })
})

describe('a rule is near', () => {
  it.each([
    ['where it matched', '{ author: alice }', true],
    ['where one condition blocks it', '{ author: alice, draft: true }', true],
    ['where one of several alternatives blocks it', '{ any: [{ author: bob, draft: true }, { author: carol }] }', true],
    ['not where two conditions block it', '{ author: bob, draft: true }', false],
    ['where a whole not blocks it', '{ not: { author: alice, draft: false } }', true],
  ])('%s', (_, conditions, expected) => {
    expect(decideRule(conditions, '{ subscribe: true }', { answers: answers({}) }).rules.map(isNear)).toEqual([
      expected,
    ])
  })

  it('not while its event is missing', () => {
    const conditions = { condition: 'on', verdict: 'false' as const, expected: 'push', actual: 'no such event' }
    expect(isNear({ conditions })).toBe(false)
  })
})

const merge = (conditions: string, accept = 'true') => rule(conditions, `{ accept: ${accept} }`)
const noApproval = { approvals: answer({ approvals_left: 1, approved: false, approved_by: [] }) }

function cause(
  text: string,
  fields: Record<string, unknown> = {},
  other: Parameters<typeof answers>[1] = {},
  changes: Partial<DecideInput> = {},
) {
  const given = input([file(text)], { answers: answers(fields, other), ...changes })
  return waitsFor(given, decided(given))
}

describe('waitsFor', () => {
  it.each([
    ['an approval that a condition asks for', '{ approved: true }', {}, noApproval, 'review'],
    ['a thread', '{ discussions_resolved: true }', { blocking_discussions_resolved: false }, {}, 'review'],
    ['the pipeline that a condition asks for', '{ pipeline: success }', pipeline('running'), {}, 'pipeline'],
    ['the pipeline that only accept asks for', '{ draft: false }', pipeline('running'), {}, 'pipeline'],
    ['conflicts', '{ draft: false }', { detailed_merge_status: 'conflict' }, {}, 'conflict'],
    ['the hours of the rule', '{ clock: { days: [mon] } }', {}, {}, 'freeze'],
  ] as const)('%s', (_, conditions, fields, other, expected) => {
    expect(cause(rules(merge(conditions)), fields, other)).toBe(expected)
  })

  it.each([
    ['it is a draft', '{ pipeline: success, draft: false }', { ...pipeline('running'), work_in_progress: true }],
    ['a label is missing as well', '{ pipeline: success, labels: [ready] }', pipeline('running')],
    ['it is closed', '{ pipeline: success, state: opened }', { ...pipeline('running'), state: 'closed' }],
    ['the service is still checking', '{ draft: false }', { detailed_merge_status: 'checking' }],
    ['it is merged now', '{ draft: false }', {}],
  ])('nothing where %s', (_, conditions, fields) => {
    expect(cause(rules(merge(conditions)), fields)).toBeUndefined()
  })

  it('nothing where no rule would merge or approve it', () => {
    expect(cause(rules(rule('{ pipeline: success }', '{ subscribe: true }')), pipeline('running'))).toBeUndefined()
  })
  it('the first of several causes, in the order of the rule', () => {
    const both = [pipeline('running'), noApproval] as const
    expect(cause(rules(merge('{ all: [{ approved: true }, { pipeline: success }] }')), ...both)).toBe('review')
    expect(cause(rules(merge('{ all: [{ pipeline: success }, { approved: true }] }')), ...both)).toBe('pipeline')
  })
  it('the cause that is known to block, though other conditions were not read', () => {
    const text = rules(merge('{ pipeline: success, changed_files: { all: "docs/**" } }'))
    const { mergeRequest, project } = answers(pipeline('running'))
    const unread = { ...(mergeRequest && { mergeRequest }), ...(project && { project }) }
    const given = input([file(text)], { answers: unread })
    expect(waitsFor(given, decided(given))).toBe('pipeline')
  })
  it('that of the first rule which nothing else blocks', () => {
    const text = rules(
      rule('{ labels: [docs], approved: true }', '{ accept: true }', 'docs'),
      rule('{ pipeline: success }', '{ accept: true }', 'all others'),
    )
    expect(cause(text, pipeline('running'), noApproval)).toBe('pipeline')
  })
  it('that of an alternative which only waits for causes', () => {
    const text = rules(merge('{ any: [{ labels: [urgent] }, { approved: true }] }'))
    expect(cause(text, {}, noApproval)).toBe('review')
  })
  it('an approval that the rule cannot give yet', () => {
    expect(cause(rules(rule('{ pipeline: success }', '{ approve: true }')), pipeline('running'))).toBe('pipeline')
  })
  it('the pipeline, where the service merges it when that succeeds', () => {
    const text = rules(merge('{ draft: false }', '{ when: pipeline_succeeds }'))
    const fields = { ...pipeline('running'), merge_when_pipeline_succeeds: true }
    const memory = {
      ...emptyMemory(),
      of: { accept: { waitingSha: head, waitingTerms: { when: 'pipeline_succeeds' } } },
    }
    expect(cause(text, fields, {}, { memory })).toBe('pipeline')
  })
  it.each([
    [false, 'queue'],
    [true, 'freeze'],
  ])('in a merge queue, frozen %s', (frozen, expected) => {
    const freeze = frozen ? ', freeze: [{ if: { clock: { days: [sun] } } }]' : ''
    const text = `queues: [{ name: main, target: main${freeze} }]\n${rules(merge('{ draft: false }', '{ queue: main }'))}`
    const given = input([file(text)])
    const [call] = decided(given).calls
    const entered = call && enteredBy(call)
    const memory = { ...emptyMemory(), of: { accept: { queued: entered as unknown as Json } } }
    expect(entered).toMatchObject({ frozen })
    expect(cause(text, {}, {}, { memory })).toBe(expected)
  })
})
