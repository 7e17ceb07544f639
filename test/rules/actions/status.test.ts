// status: a commit status that is success exactly while some rule matches.
import status from '../../../src/rules/actions/status.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { explainDecision } from '../../../src/rules/explain/explain.ts'
import type { Call, Memory, SourceAnswer } from '../../../src/rules/types.ts'
import { overTime } from '../over-time.ts'
import {
  answer,
  answers,
  decided,
  decidedBy,
  file,
  head,
  input,
  needsOf,
  onlyMergeRequest,
  problemsIn,
  refused,
  rule,
  rules,
  sent,
} from '../world.ts'

const policy = (conditions: string, more = '', name = 'the policy') =>
  rule(conditions, `{ status: { name: bellhop/policy, while: success${more} } }`, name)
const onLabel = policy('{ labels: approved }', ', description: An owner approved')
const set = (state: string, description: string, more: object = {}) => [
  'repository.statuses.create',
  { sha: head, ref: 'feature', pipeline_id: 5, name: 'bellhop/policy', state, description, ...more },
]
const why = 'No rule matches. Comment “@bellhop why” to see what is missing.'
const met = set('success', 'An owner approved')
const unmet = set('failed', 'To fix: labels')

describe('a status', () => {
  it('follows the verdict, and is set once for each state', () => {
    const mr = overTime()
    expect(mr.sends([onLabel])).toEqual([unmet])
    expect(mr.sends([onLabel])).toEqual([])
    mr.person({ labels: ['approved'] })
    expect(mr.sends([onLabel])).toEqual([met])
    expect(mr.sends([onLabel])).toEqual([])
    mr.person({ labels: [] })
    expect(mr.sends([onLabel])).toEqual([unmet])
  })
  it('follows the head, and the pipeline that counts for it', () => {
    const mr = overTime({ labels: ['approved'] }).after([onLabel])
    const sha = 'b'.repeat(40)
    mr.person({ sha })
    expect(mr.sends([onLabel])).toEqual([
      ['repository.statuses.create', expect.objectContaining({ sha, ref: 'feature' })],
    ])
    const ref = 'refs/merge-requests/7/merge'
    mr.person({ head_pipeline: { id: 6, sha: 'c'.repeat(40), ref, project_id: 1, source: 'merge_request_event' } })
    expect(mr.sends([onLabel])).toEqual([
      set('success', 'An owner approved', { sha: 'c'.repeat(40), ref, pipeline_id: 6 }),
    ])
  })
  it.each([
    ['there is none', null],
    ['it is of statuses alone', { id: 5, sha: head, ref: 'feature', source: 'external' }],
    ['it is of an earlier head', { id: 5, sha: 'b'.repeat(40), ref: 'feature', source: 'push' }],
  ])('names no pipeline where %s', (_why, head_pipeline) => {
    const decision = decidedBy(rules(onLabel), { answers: answers({ head_pipeline }) })
    const { pipeline_id: _none, ...params } = unmet[1] as Record<string, unknown>
    expect(sent(decision)).toEqual([[unmet[0], params]])
  })
  it('is success where one of several rules matches, and pending where each of them says so', () => {
    const other = policy('{ labels: urgent }', ', else: pending', 'other')
    const both = [policy('{ labels: approved }', ', else: pending'), other]
    const states = (labels: string[], texts: string[]) =>
      sent(decidedBy(rules(...texts), { answers: answers({ labels }) })).map(
        ([, params]) => (params as { state: string }).state,
      )
    expect(states(['urgent'], both)).toEqual(['success'])
    expect(states([], both)).toEqual(['pending'])
    expect(states([], [onLabel, other])).toEqual(['failed'])
  })
  it('of the operator is not set by the rules of the repository', () => {
    const files = [
      file(rules(onLabel)),
      file(rules(policy('{ state: opened }', '', 'a way round')), { trust: 'repository' }),
    ]
    const decision = decided(input(files))
    expect(sent(decision)).toEqual([unmet])
    expect(decision.rules[1]?.actions).toMatchObject([
      { result: 'blocked', detail: expect.stringContaining('operator') },
    ])
    expect(sent(decided(input(files, { answers: answers({ labels: ['approved'] }) })))).toEqual([met])
  })
  describe('of a branch that has another open merge request', () => {
    const other = { iid: 12, state: 'opened', source_branch: 'feature', source_project_id: 1 }
    const labels = ['approved']
    const statesWith = (sameSource: SourceAnswer, fields = {}) =>
      sent(decidedBy(rules(onLabel), { answers: answers({ labels, ...fields }, { sameSource }) })).map(
        ([, { state, description }]) => [state, description],
      )
    it('is not success: it would count for the other one too', () => {
      expect(statesWith(answer([{ ...other, iid: 7 }, other]))).toEqual([
        ['failed', '!12 has the same source branch, where this status would count too.'],
      ])
    })
    it.each([
      ['itself', { iid: 7 }],
      ['one that is closed', { state: 'closed' }],
      ['one of another branch', { source_branch: 'other' }],
      ['one of another project', { source_project_id: 2 }],
    ])('is success next to %s', (_which, fields) => {
      expect(statesWith(answer([{ ...other, ...fields }]))).toEqual([['success', 'An owner approved']])
    })
    it('is success where the pipeline is of the merge request alone', () => {
      const ref = 'refs/merge-requests/7/head'
      const head_pipeline = { id: 6, sha: head, ref, project_id: 1, source: 'merge_request_event' }
      expect(statesWith(answer([other]), { head_pipeline })).toEqual([['success', 'An owner approved']])
    })
    it.each([
      ['cannot be read', refused(403)],
      ['is cut', answer([], false)],
    ])('is not success where the list %s', (_what, list) => {
      expect(statesWith(list)).toEqual([['failed', expect.stringContaining('not known')]])
    })
    it('is asked for only before success is set', () => {
      const { sameSource: _none, ...known } = answers()
      expect(sent(decidedBy(rules(onLabel), { answers: known }))).toEqual([unmet])
      const mr = overTime({ labels })
      expect(mr.sends([onLabel])).toEqual([met])
      mr.source('sameSource', [other])
      expect(mr.sends([onLabel])).toEqual([])
    })
  })
  it('of each name is one of its own', () => {
    const second = rule('{ draft: true }', '{ status: { name: bellhop/draft } }', 'second')
    const names = sent(decidedBy(rules(onLabel, second))).map(([, params]) => (params as { name: string }).name)
    expect(names).toEqual(['bellhop/policy', 'bellhop/draft'])
  })
  it.each(['merged', 'closed'])('of what is %s stays', (state) => {
    expect(sent(decidedBy(rules(onLabel), { answers: answers({ state }) }))).toEqual([])
  })
  it('is not success where its condition is unknown', () => {
    const answered = answers({}, { approvals: refused(403) })
    expect(sent(decidedBy(rules(policy('{ approved: true }')), { answers: answered }))).toEqual([
      set('failed', 'To fix: approved (unknown: the hosting service does not tell)'),
    ])
  })
  it('fails while the label turns Bellhop off', () => {
    const mr = overTime({ labels: ['approved'] })
      .after([onLabel])
      .person({ labels: ['approved', 'bellhop::off'] })
    mr.source('labelEvents', [])
    expect(mr.sends([onLabel], { offLabel: 'bellhop::off' })).toEqual([set('failed', why)])
  })
  it.each(['off', 'observe'])('of a rule with mode: %s is not set', (mode) => {
    expect(sent(decidedBy(rules(onLabel.replace('if:', `mode: ${mode}\n    if:`))))).toEqual([])
  })
  it('is taken back as often as needed: no loop guard holds that back', () => {
    const mr = overTime()
    // One more failure than successes: it is the one that a limit would hold back.
    const states = Array.from({ length: 12 }, (_, turn) => {
      mr.person({ labels: turn % 2 === 1 ? ['approved'] : [] })
      return mr.sends([onLabel]).map(([, params]) => (params as { state: string }).state)
    })
    const pairs = Array.from({ length: 5 }, () => ['failed', 'success']).flat()
    expect(states.flat()).toEqual([...pairs, 'failed'])
  })
  it('is set again where the response was lost: the service may have the state before it', () => {
    const mr = overTime({ labels: ['approved'] })
      .after([onLabel])
      .person({ labels: [] })
    const [call] = decidedBy(rules(onLabel), { memory: mr.memory }).calls
    expect(call).toBeDefined()
    const memory = status.remember?.(mr.memory, call as Call, false, '2026-01-11T00:00:00Z') as Memory
    expect(sent(decidedBy(rules(onLabel), { memory }))).toEqual([unmet])
    expect(sent(decidedBy(rules(onLabel), { memory, answers: answers({ labels: ['approved'] }) }))).toEqual([met])
  })
})

describe('what is missing', () => {
  const carol = { user: { id: 4, username: 'carol' } }
  const given = (more: SourceAnswer[] = [], fields = {}) => ({
    answers: answers(fields, {
      approvals: answer({ approved_by: more }),
      'codeOwners@CODEOWNERS': answer({ content: btoa('[doors]\n*.ts @bob @acme/private') }),
      'groupDirectMembers@acme/private': answer([{ ...carol.user, state: 'active', access_level: 30 }]),
    }),
    memory: { ...emptyMemory(), pushes: [{ from: null, to: head, by: { username: 'alice' } }] },
  })
  const described = (text: string, trust: 'operator' | 'repository', more = given()) =>
    sent(decided(input([file(text, { trust })], more))).map(([, { description }]) => description)
  const condition =
    '{ draft: true, code_owners_approved: true, any: [{ labels: urgent }, { approvals_given: { at_least: 2 } }], not: { title: x } }'
  it('is said by the rules of the repository as explain says it', () => {
    expect(described(rules(policy(condition.replace('title: x', 'author: alice'))), 'repository')).toEqual([
      'To fix: mark it as a draft; doors: needs 1 of @bob, @acme/private; labels with any of "urgent" or approvals: at least 2; not (author: "alice")',
    ])
  })
  it('is said without the words of the operator’s rules', () => {
    expect(described(rules(policy(condition.replace('title: x', 'author: alice'))), 'operator')).toEqual([
      'To fix: draft; doors: needs 1 of @bob, @acme/private; labels or approvals_given; not (author)',
    ])
  })
  it('never says who is in a group', () => {
    const text = rules(policy('{ code_owners_approved: true, labels: urgent }'))
    const [one, two] = [given(), given([carol as never])].map((each) => described(text, 'repository', each))
    expect(one).toEqual(['To fix: doors: needs 1 of @bob, @acme/private; labels with any of "urgent"'])
    expect(two).toEqual(['To fix: labels with any of "urgent"'])
  })
  it('is set again when it changes, not where the service refuses a state that it has', () => {
    const both = '{ labels: { all: [approved] }, draft: true }'
    const failed = overTime()
      .after([policy(both)])
      .person({ draft: true })
    expect(failed.sends([policy(both)])).toEqual([set('failed', 'To fix: labels')])
    const pending = overTime()
      .after([policy(both, ', else: pending')])
      .person({ draft: true })
    expect(pending.sends([policy(both, ', else: pending')])).toEqual([])
  })
  it('is one text of what each of several rules lacks, and is cut', () => {
    const other = policy('{ assignee: carol }', '', 'other')
    expect(described(rules(onLabel, other), 'operator')).toEqual(['To fix: labels or assignee'])
    const long = policy(`{ labels: { any: ["${'a'.repeat(200)}", "${'b'.repeat(200)}"] } }`)
    const [text = ''] = described(rules(long), 'repository') as string[]
    expect([text.length, text.at(-1)]).toEqual([255, '…'])
  })
  it('is read, so that the text does not depend on what other rules read', () => {
    const { approvals: _none, ...known } = answers()
    expect(needsOf('{ draft: true, approved: true }', '{ status: { name: a } }', known)).toEqual(['approvals'])
    expect(needsOf('{ draft: true, approved: true }', '{ label: { add: a } }', known)).toEqual([])
    const ended = { ...known, ...onlyMergeRequest({ state: 'closed' }) }
    expect(needsOf('{ draft: true, approved: true }', '{ status: { name: a } }', ended)).toEqual([])
  })
  it('links the page of the dashboard, where Bellhop’s address is known', () => {
    const page = 'https://bellhop.example.com/admin/merge-requests/1/7'
    const memory = overTime({ labels: ['approved'] }).after([onLabel]).memory
    expect(sent(decidedBy(rules(onLabel), { page }))).toEqual([set('failed', 'To fix: labels', { target_url: page })])
    expect(sent(decidedBy('version: 1\nrules: []\n', { page, memory }))).toMatchObject([
      [unmet[0], { target_url: page }],
    ])
  })
})

describe('a status that no rule sets any more', () => {
  const policyOff = { mode: 'off' as const, includeFrom: [], newRuleLimit: 0 }
  const inMode = (mode: string) => [onLabel.replace('if:', `mode: ${mode}\n    if:`)]
  const other = policy('{ labels: urgent }', '', 'another').replace('bellhop/policy', 'bellhop/other')
  const withdrawn = set('failed', 'No rule of Bellhop sets this any more.')
  /** One whose status is success. */
  const passed = (...texts: string[]) => {
    const mr = overTime({ labels: ['approved', 'urgent'] }).after(texts.length === 0 ? [onLabel] : texts)
    return mr
  }
  it.each([
    ['its rule is removed', [], {}],
    ['its rule is turned off', inMode('off'), {}],
    ['its rule only observes', inMode('observe'), {}],
    ['its rule sets another name', [onLabel.replace('bellhop/policy', 'bellhop/new')], {}],
    ['the operator turns Bellhop off', [onLabel], { policy: policyOff }],
    ['the project only observes', [onLabel], { policy: { ...policyOff, mode: 'observe' as const } }],
  ])('is success no longer where %s, and is set once', (_why, texts, changes) => {
    const mr = passed()
    expect(mr.sends(texts, changes)).toContainEqual(withdrawn)
    expect(mr.sends(texts, changes)).toEqual([])
    mr.turn([onLabel])
    expect(mr.sends(texts, changes)).toContainEqual(withdrawn)
  })
  it('has the state that its rules had for no match', () => {
    const pending = policy('{ labels: approved }', ', else: pending')
    expect(passed(pending).sends([])).toEqual([set('pending', 'No rule of Bellhop sets this any more.')])
    expect(passed(pending, policy('{ labels: urgent }', '', 'another')).sends([])).toEqual([withdrawn])
  })
  it('is withdrawn next to those of other names', () => {
    const mr = passed(onLabel, other)
    expect(mr.sends([other])).toEqual([withdrawn])
    expect(mr.sends([other])).toEqual([])
    expect(mr.sends([])).toEqual([[withdrawn[0], { ...(withdrawn[1] as object), name: 'bellhop/other' }]])
  })
  it('is changed on the head and the pipeline where it was set', () => {
    const mr = passed()
    mr.person({ sha: 'b'.repeat(40), head_pipeline: null })
    expect(mr.sends([])).toEqual([withdrawn])
    expect(mr.sends([])).toEqual([])
  })
  it('stays as it is where it was no success', () => {
    const mr = overTime()
    expect(mr.sends([onLabel])).toEqual([unmet])
    expect(mr.sends([])).toEqual([])
  })
  it('is withdrawn of a closed merge request, which may be reopened, and stays at a merged one', () => {
    const [closed, merged] = [passed(), passed(onLabel, other)]
    closed.person({ state: 'closed' })
    expect(closed.sends([])).toEqual([withdrawn])
    merged.person({ state: 'merged' })
    expect(merged.sends([])).toEqual([])
    expect(merged.sends([other])).toEqual([])
  })
  it('is withdrawn before all other calls', () => {
    const label = rule('{ draft: false }', '{ label: { add: seen } }', 'label')
    const calls = passed().sends([label])
    expect(calls).toHaveLength(2)
    expect(calls[0]).toEqual(withdrawn)
  })
  it('is shown by the decision', () => {
    const decision = passed().turn(inMode('off'))
    expect(decision.rules[0]?.actions).toMatchObject([
      { action: 'status', result: 'call', withdrawal: true, detail: expect.stringContaining('bellhop/policy') },
    ])
    expect(explainDecision(passed().turn([]))).toContainEqual(expect.stringContaining('no rule requests it any more'))
  })
  it('is withdrawn again where the response was lost, in a state that the service takes twice', () => {
    const mr = passed(policy('{ labels: approved }', ', else: pending'))
    const [call] = decidedBy(rules(), { memory: mr.memory }).calls
    const memory = status.remember?.(mr.memory, call as Call, false, '2026-01-11T00:00:00Z') as Memory
    expect(sent(decidedBy(rules(), { memory }))).toEqual([withdrawn])
  })
  it('is withdrawn where it may have been set, and the response was lost', () => {
    const [call] = decidedBy(rules(onLabel), { answers: answers({ labels: ['approved'] }) }).calls
    const memory = status.remember?.(emptyMemory(), call as Call, false, '2026-01-11T00:00:00Z') as Memory
    expect(sent(decidedBy(rules(), { memory }))).toEqual([withdrawn])
  })
})

it.each([
  ['{ status: { while: success } }', 'the key "name"'],
  ['{ status: { name: a, while: failed } }', 'success'],
  ['{ status: { name: a, else: canceled } }', 'failed'],
  ['{ status: { name: "" } }', 'a name'],
  ['{ status: a }', 'a mapping'],
])('%s is refused', (actions, expected) => {
  expect(problemsIn(rules(rule('{ draft: false }', actions)))[0]).toContain(expected)
})

it('an event rule has no status', () => {
  const text = '  - { name: a, on: push, then: { status: { name: a } } }\n'
  expect(problemsIn(rules(text))[0]).toContain('status in a rule with on:')
})
