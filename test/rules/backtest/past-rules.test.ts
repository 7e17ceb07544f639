// What the rules say of a merge request that somebody else merged.
import { factsBeforeMerge } from '../../../src/rules/backtest/past-facts.ts'
import { mergeOnly, mergingRules, pastRules } from '../../../src/rules/backtest/past-rules.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Actor, DecideInput, Memory, RuleFileInForce, SourceAnswers } from '../../../src/rules/types.ts'
import { answer, answers, change, decided, file, input, pipeline, rule, rules } from '../world.ts'

const carol: Actor = { id: 3, username: 'carol' }
const at = '2026-01-11T00:00:00.000Z'

interface Given {
  fields?: Record<string, unknown>
  other?: SourceAnswers
  by?: Actor
  memory?: Partial<Memory>
  policy?: DecideInput['policy']
}

function evaluated(files: RuleFileInForce[], { fields, other, by = carol, memory, policy }: Given = {}) {
  const merged = { state: 'merged', draft: false, merge_status: 'not_open', ...fields }
  const given = input(files, {
    answers: answers(merged, { 'actorAccess@3': answer({ id: 3, access_level: 40 }), ...other }),
    memory: { ...emptyMemory(), ...memory },
    policy,
  })
  const target = String(fields?.target_branch ?? 'main')
  const part = mergeOnly(given, { by, target, at })
  const overrides = [...factsBeforeMerge({}, {}, 'events'), ...part.overrides]
  const then = { ...given, ...part, overrides }
  return pastRules(decided(then), then)
}
const evaluatedBy = (conditions: string, actions = '{ accept: true }', given: Given = {}) =>
  evaluated([file(rules(rule(conditions, actions)))], given)

test.each([
  ['all is true', '{ labels: { none: [hold] } }', undefined],
  ['a condition is false', '{ labels: { any: [ready] } }', ['labels: expected any of "ready", actual none']],
  [
    'several are false',
    '{ labels: { any: [ready] }, upvotes: { at_least: 3 } }',
    ['labels: expected any of "ready", actual none', 'upvotes: expected at least 3, actual 1'],
  ],
  [
    'no alternative is true',
    '{ any: [{ labels: { any: [ready] } }, { upvotes: 3 }] }',
    ['any: expected labels any of "ready" or upvotes 3, actual labels is none, upvotes is 1'],
  ],
  ['it was open, ready and mergeable', '{ state: opened, draft: false, mergeability: can_be_merged }', undefined],
])('%s', (_, conditions, failed) => {
  expect(evaluatedBy(conditions)?.failed).toEqual(failed)
})

describe('the merge’s own conditions', () => {
  it('count: a pipeline that is not green', () => {
    const failed = ['pipeline: expected "success" or "skipped", actual "running"']
    expect(evaluatedBy('{ draft: false }', '{ accept: true }', { fields: pipeline('running') })).toMatchObject({
      failed,
    })
    expect(evaluatedBy('{ draft: false }', '{ accept: { pipeline: none } }', { fields: pipeline('running') })).toBe(
      undefined,
    )
  })
  it('count also where the service waits for the pipeline', () => {
    const found = evaluatedBy('{ draft: false }', '{ accept: { when: pipeline_succeeds } }', {
      fields: pipeline('running'),
    })
    expect(found?.failed).toHaveLength(1)
    expect(evaluatedBy('{ draft: false }', '{ accept: { when: checks_pass } }')).toBe(undefined)
  })
  it('are not those of the merge that is done: it waited for its pipeline, or was on a merge train', () => {
    const trains = answer({ default_branch: 'main', merge_trains_enabled: true, merge_method: 'merge' })
    const other = { project: trains, mergeTrain: answer({ id: 1, status: 'merged' }) }
    expect(evaluatedBy('{ draft: false }', '{ accept: true }', { other })).toBe(undefined)
    const fields = { merge_when_pipeline_succeeds: true }
    expect(evaluatedBy('{ draft: false }', '{ accept: true }', { fields })).toBe(undefined)
  })
  it('are met by a merge queue, unless it removed it', () => {
    const queue = 'queues: [{ name: main, target: main }]\n'
    const files = [file(`version: 1\n${queue}rules:\n${rule('{ draft: false }', '{ accept: { queue: main } }')}`)]
    expect(evaluated(files)).toBe(undefined)
    const queueRemoval = { sha: 'a'.repeat(40), reason: 'pipeline_failed', at }
    const { failed } = evaluated(files, { memory: { of: { accept: { queueRemoval } } } }) ?? {}
    expect(failed).toEqual([expect.stringContaining('accept: the merge queue removed it')])
  })
})

describe('the nearest rule', () => {
  const near = (text: string, given: Given = {}) => evaluated([file(rules(text))], given)
  it('has the fewest conditions that are false', () => {
    const two = rule('{ labels: { any: [ready] }, upvotes: 3 }', '{ accept: true }', 'two')
    const one = rule('{ labels: { any: [ready] } }', '{ accept: true }', 'one')
    expect(near(two + one)).toMatchObject({ rule: 'one', unknown: [] })
    expect(near(two + rule('{ draft: false }', '{ accept: true }', 'none'))).toBe(undefined)
  })
  it('may have allowed it where nothing of it is false, and something is unknown', () => {
    const unread = { approvals: { ok: false as const, reason: 'forbidden', status: 403 } }
    const one = rule('{ labels: { any: [ready] } }', '{ accept: true }', 'one')
    const found = near(one + rule('{ approvals_given: 1 }', '{ accept: true }', 'other'), { other: unread })
    expect(found).toEqual({
      rule: 'other',
      failed: [],
      unknown: ['approvals_given: expected 1, actual unknown: forbidden'],
    })
  })
  it('names no more than ten conditions, each cut', () => {
    const many = Array.from({ length: 12 }, (_, each) => `{ title: "${'x'.repeat(200)}${each}" }`).join(', ')
    const found = near(rule(`{ all: [${many}] }`, '{ accept: true }'))
    expect(found?.failed).toHaveLength(10)
    expect(Math.max(...(found?.failed ?? []).map(({ length }) => length))).toBe(201)
  })
})

describe('a rule is for it', () => {
  it('unless author, branches or project rule it out', () => {
    expect(evaluatedBy('{ author: renovate, approvals_given: 2 }')).toBe(undefined)
    expect(evaluatedBy('{ target_branch: stable }')).toBe(undefined)
    expect(evaluatedBy('{ not: { author: alice } }')).toBe(undefined)
    expect(evaluatedBy('{ any: [{ author: renovate }, { upvotes: 3 }] }')?.failed).toHaveLength(1)
  })
  it('in a repository only if it goes into the default branch, or where the operator says so', () => {
    const files = [file(rules(rule('{ upvotes: 3 }', '{ accept: true }')), { trust: 'repository' })]
    const fields = { target_branch: 'stable' }
    expect(evaluated(files, { fields })).toBe(undefined)
    expect(evaluated(files)).toMatchObject({ failed: ['upvotes: expected 3, actual 1'] })
    expect(evaluated(files, { fields, policy: { mode: 'act', mergesInto: ['sta*'] } })?.failed).toHaveLength(1)
  })
  it('also where a person must merge it, because it changes the rules', () => {
    const files = (conditions: string) => [file(rules(rule(conditions, '{ accept: true }')), { trust: 'repository' })]
    const other = { changes: answer({ ...changed, changes: [change('.bellhop.yml')] }) }
    expect(evaluated(files('{ draft: false }'), { other })).toBe(undefined)
    expect(evaluated(files('{ upvotes: 3 }'), { other })?.failed).toHaveLength(1)
  })
  const changed = (answers({ state: 'merged' }).mergeRequest as { body: object }).body
})

it('does not tell of groups that a repository’s rules may not use', () => {
  const text = '{ approved_by: { members_of: secret/group } }'
  const approvals = answer({ approved_by: [{ user: { id: 3, username: 'carol', state: 'active' } }] })
  const members = answer([{ id: 3, username: 'carol', access_level: 30 }])
  const other = { approvals, 'group@secret/group': members, 'members@secret/group': members }
  const memory = { pushes: [{ from: null, to: 'a'.repeat(40), by: { id: 2, username: 'alice' } }] }
  const files = [file(rules(rule(text, '{ accept: true }')), { trust: 'repository' })]
  expect(evaluated(files, { other, memory })).toMatchObject({
    failed: [],
    unknown: [expect.stringContaining('secret')],
  })
})

describe('rules with events', () => {
  const commanded = 'rules:\n  - { name: on request, command: merge, if: { upvotes: 1 }, then: { accept: true } }\n'
  it('count as if who merged had given the command', () => {
    expect(evaluated([file(commanded)])).toBe(undefined)
    const other = { 'actorAccess@3': answer({ id: 3, access_level: 30 }) }
    expect(evaluated([file(commanded)], { other })).toMatchObject({
      failed: ['actor_access: expected at least "maintainer", actual "developer"'],
    })
  })
  it('are unknown where nobody is named', () => {
    const found = evaluated([file(commanded)], { by: {} })
    expect(found).toMatchObject({ failed: [], unknown: [expect.stringContaining('actor_access: ')] })
  })
  it('count without their event', () => {
    const text = 'rules:\n  - { name: a, on: merge_request.approved, if: { upvotes: 3 }, then: { accept: true } }\n'
    expect(evaluated([file(text)])?.failed).toEqual(['upvotes: expected 3, actual 1'])
  })
})

it('is past the rules where another rule restrains the merge', () => {
  const hold = rule('{ upvotes: 1 }', '{ cancel_accept: true }', 'hold')
  const found = evaluated([file(rules(hold, rule('{ draft: false }', '{ accept: true }')))])
  expect(found?.failed).toEqual([expect.stringContaining('requests cancel_accept, which goes first')])
})

test.each([
  ['accepts', '{ accept: true }', undefined, 1],
  ['does not merge', '{ label: { add: x } }', undefined, 0],
  ['approves', '{ approve: true }', undefined, 0],
  ['only observes', '{ accept: true }', { mode: 'observe' as const }, 0],
  ['is turned off', '{ accept: true }', { mode: 'off' as const }, 0],
  ['may not merge', '{ accept: true }', { mode: 'act' as const, allows: ['label'] }, 0],
])('a rule that %s: whether it merges', (_, actions, policy, count) => {
  const files = [file(rules(rule('{ upvotes: 3 }', actions)), { trust: 'repository' })]
  expect(mergingRules({ files, policy })).toHaveLength(count)
  expect(evaluated(files, { policy }) === undefined).toBe(count === 0)
})

describe('facts before the merge', () => {
  const nameOf = (overrides: ReturnType<typeof factsBeforeMerge>) =>
    overrides.flatMap((each) => ('is' in each && each.is.is === 'absent' ? [each.fact] : []))
  const seen = { labels: ['a'], approvals_given: 0 }
  it('are unknown if they changed since the last evaluation, and only the merge came', () => {
    const unknown = nameOf(factsBeforeMerge(seen, { labels: ['a'], approvals_given: 1 }, 'merge'))
    expect(unknown).toEqual(expect.arrayContaining(['approvals_given']))
    expect(unknown).not.toContain('labels')
    expect(nameOf(factsBeforeMerge(seen, { labels: ['a'], approvals_given: 0 }, 'merge'))).toEqual(['commits_behind'])
  })
  it('are the present ones if an event before the merge explains that', () => {
    expect(nameOf(factsBeforeMerge(seen, { approvals_given: 1 }, 'events'))).toEqual(['commits_behind'])
  })
  it('long after the merge are only those that the last evaluation saw as they are', () => {
    const unknown = nameOf(factsBeforeMerge(seen, { labels: ['a'], approvals_given: 1 }, 'none'))
    expect(unknown).toEqual(expect.arrayContaining(['approvals_given', 'upvotes', 'pipeline']))
    for (const known of ['labels', 'author', 'target_branch', 'state', 'changed_files'])
      expect(unknown).not.toContain(known)
  })
  it('have no commit that the merge made', () => {
    const overrides = factsBeforeMerge({}, { merge_commit_sha: 'c' }, 'events')
    expect(overrides).toContainEqual({ fact: 'merge_commit_sha', is: { is: 'known', value: null, complete: true } })
  })
  it('have the commits behind as they were seen: the merge changes them', () => {
    const overrides = factsBeforeMerge({ commits_behind: 0 }, { commits_behind: 1 }, 'events')
    expect(overrides).toContainEqual({ fact: 'commits_behind', is: { is: 'known', value: 0, complete: true } })
  })
})
