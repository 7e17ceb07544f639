// backport: one step in each evaluation, by what the service has; done once, and never repeated.
import { describe, expect, it } from 'vitest'
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import type { Decision, Memory, SourceAnswers } from '../../../src/rules/types.ts'
import { answer, answered, answers, bot, decideRule, problemsIn, rule, rules, sent } from '../world.ts'

const [A, B] = ['a', 'c'].map((each) => each.repeat(40)) as [string, string]
const branch = 'backport/7-to-stable-1.2'
const target = 'b'.repeat(40)
const merged = { state: 'merged', merge_commit_sha: A }
const head = (id: string, message = 'x') => ({ [`branch@${branch}`]: answer({ commit: { id, message } }) })
const picked = (sha: string) => head('d'.repeat(40), `Fix\n\n(cherry picked from commit ${sha})`)
const opened = (fields: object = {}) => ({
  [`mergeRequestsFrom@${branch}`]: answer([{ iid: 9, source_branch: branch, source_project_id: 1, ...fields }]),
})

function decideBackport(other: SourceAnswers = {}, fields = {}, memory: Memory = emptyMemory(), args = '') {
  return decideRule('{ author: alice }', `{ backport: { to: [stable-1.2]${args} } }`, {
    answers: answers({ ...merged, ...fields }, other),
    memory,
  })
}
const traceOf = (decision: Decision) => decision.rules[0]?.actions[0]

describe('a backport', () => {
  it('makes its branch, picks, and opens a merge request: one call in each evaluation', () => {
    expect(sent(decideBackport())).toEqual([['repository.branches.create', { branch, ref: 'stable-1.2' }]])
    expect(sent(decideBackport(head(target)))).toEqual([['repository.commits.cherryPick', { sha: A, branch }]])
    expect(sent(decideBackport(picked(A), {}, emptyMemory(), ', labels: [backport, "type::fix"]'))).toEqual([
      [
        'mergeRequests.create',
        {
          source_branch: branch,
          target_branch: 'stable-1.2',
          title: 'Backport to stable-1.2: Add a door',
          description: 'Backport of !7 to `stable-1.2`. Bellhop cherry-picked it when it was merged.',
          assignee_id: 2,
          labels: 'backport,type::fix',
          remove_source_branch: true,
        },
      ],
    ])
  })
  it('picks each commit in order where the service made none of its own', () => {
    const commits = { commits: answer([{ id: B }, { id: A }]) }
    const fields = { merge_commit_sha: null }
    expect(sent(decideBackport({ ...commits, ...head(target) }, fields))[0]?.[1]).toMatchObject({ sha: A })
    expect(sent(decideBackport({ ...commits, ...picked(A) }, fields))[0]?.[1]).toMatchObject({ sha: B })
    expect(sent(decideBackport({ ...commits, ...picked(B) }, fields))[0]?.[0]).toBe('mergeRequests.create')
  })
  it('counts nothing as picked while its branch is where the target is, whatever that says', () => {
    const [call] = sent(decideBackport(head(target, `(cherry picked from commit ${A})`)))
    expect(call?.[0]).toBe('repository.commits.cherryPick')
  })
  it.each(['opened', 'merged', 'closed'])('is done where its merge request is %s', (state) => {
    const decision = decideBackport({ ...head(target), ...opened({ state }) })
    expect([sent(decision), traceOf(decision)?.result, traceOf(decision)?.detail]).toEqual([
      [],
      'nothing_to_do',
      '!9 is into stable-1.2',
    ])
  })
  it('is not done by a merge request from the same branch of a fork, or from another branch', () => {
    for (const other of [{ source_project_id: 5 }, { source_branch: 'x' }])
      expect(sent(decideBackport(opened(other)))).toHaveLength(1)
  })
  it.each<[string, object, SourceAnswers, string]>([
    ['it is open', { state: 'opened' }, {}, 'it is not merged'],
    [
      'there is no such branch',
      {},
      { 'branch@stable-1.2': { ok: false, reason: '404' } },
      'there is no branch stable-1.2',
    ],
    [
      'its commits are too many',
      { merge_commit_sha: null },
      { commits: answer([], false) },
      'its commits cannot be read, or are too many',
    ],
    [
      'the notes cannot be read',
      {},
      { notes: { ok: false, reason: '403' } },
      'the notes cannot be read, so its own may say that it failed',
    ],
    [
      'the merge requests cannot be listed',
      {},
      { [`mergeRequestsFrom@${branch}`]: { ok: false, reason: '403' } },
      'the merge requests cannot be listed',
    ],
  ])('is blocked where %s', (_why, fields, other, detail) => {
    const decision = decideBackport(other, fields)
    expect([sent(decision), traceOf(decision)]).toMatchObject([[], { result: 'blocked', detail }])
  })
})

describe('a change that does not apply', () => {
  const refused = remember(emptyMemory(), answered(decideBackport(head(target)), 'not_now', 400))
  it('gets one note with the commands, and its branch is removed', () => {
    const calls = sent(decideBackport(head(target), {}, refused))
    expect(calls.map(([endpoint]) => endpoint)).toEqual(['repository.branches.delete', 'mergeRequests.notes.create'])
    expect(String(calls[1]?.[1].body)).toContain(`git cherry-pick -x -m 1 ${A}`)
    expect(sent(decideBackport({}, {}, refused)).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.notes.create'])
  })
  it('is not tried again while its note is there, also without memory', () => {
    const [, note] = sent(decideBackport(head(target), {}, refused))
    const notes = { notes: answer([{ id: 1, body: note?.[1].body, author: bot, system: false }]) }
    for (const memory of [refused, emptyMemory()])
      expect(sent(decideBackport({ ...notes, ...head(target) }, {}, memory))).toEqual([])
  })
  it('does not hold back other branches', () => {
    const other = 'backport/7-to-next'
    const given = {
      'branch@next': answer({ commit: { id: 'e'.repeat(40) } }),
      [`mergeRequestsFrom@${other}`]: answer([]),
    }
    const decision = decideRule('{ author: alice }', '{ backport: { to: [stable-1.2, next] } }', {
      answers: answers(merged, { ...given, [`branch@${other}`]: { ok: false, reason: '404' } }),
      memory: refused,
    })
    expect(sent(decision).map(([endpoint]) => endpoint)).toEqual([
      'mergeRequests.notes.create',
      'repository.branches.create',
    ])
  })
})

describe('a backport by labels', () => {
  const from = '{ from_labels: { label: "backport::*", branch: "stable-*", set_by: { members_of: team/release } } }'
  const rita = { id: 5, username: 'rita' }
  const byRita = answer([{ action: 'add', label: { name: 'backport::1.2' }, user: rita }])
  const given = { labelEvents: byRita, 'groupMembers@team/release': answer([{ ...rita, state: 'active' }]) }
  const decideByLabel = (other: SourceAnswers = {}, fields = {}) =>
    decideRule('{ author: alice }', `{ backport: ${from} }`, {
      answers: answers({ ...merged, labels: ['backport::1.2'], ...fields }, { ...given, ...other }),
    })

  it('goes to the branch that the label of a member names, as one that the rule names', () => {
    expect(sent(decideByLabel())).toEqual([['repository.branches.create', { branch, ref: 'stable-1.2' }]])
    expect(sent(decideByLabel(picked(A)))).toMatchObject([['mergeRequests.create', { target_branch: 'stable-1.2' }]])
    expect(traceOf(decideByLabel(opened()))).toMatchObject({ result: 'nothing_to_do', detail: '!9 is into stable-1.2' })
  })
  it('has nothing to do without such a label', () => {
    const decision = decideByLabel({}, { labels: ['bug'] })
    expect(traceOf(decision)).toMatchObject({ result: 'nothing_to_do', detail: 'no label names a branch' })
  })
  it.each<[string, SourceAnswers, string]>([
    ['of a stranger', { 'groupMembers@team/release': answer([]) }, 'rita set it, and is no member of team/release'],
    ['whose setter is unknown', { labelEvents: { ok: false, reason: '403' } }, 'who set the labels cannot be read'],
  ])('is blocked by a label %s, and says why', (_who, other, detail) => {
    const decision = decideByLabel(other)
    expect([sent(decision), traceOf(decision)?.result]).toEqual([[], 'blocked'])
    expect(traceOf(decision)?.detail).toContain(detail)
  })
  it('goes to the branches that the rule names, whatever the labels say', () => {
    const decision = decideRule('{ author: alice }', `{ backport: { to: [stable-1.2], ${from.slice(1)} }`, {
      answers: answers({ ...merged, labels: ['backport::9'] }, { ...given, labelEvents: answer([]) }),
    })
    expect(sent(decision)).toHaveLength(1)
    expect(traceOf(decision)?.detail).toContain('the label "backport::9" does not count')
  })
})

it.each([
  ['{ to: [] }', /to: expected a list of 1 to 5/],
  ['{ to: ["a b"] }', /expected the name of a branch/],
  ['{ to: ["`id`"] }', /expected the name of a branch/],
  ['{ to: [-x] }', /expected the name of a branch/],
  ['{ labels: [x] }', /expected the key "to"/],
  ['{ to: a, labels: ["a,b"] }', /expected a label without commas/],
])('check refuses %s', (args, expected) => {
  expect(problemsIn(rules(rule('{ author: alice }', `{ backport: ${args} }`))).join()).toMatch(expected)
})
