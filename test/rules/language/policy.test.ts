// The operator's policy: which entry holds for a project, what it denies to whom, and the mode of a rule.
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { deniedBy, modeOf, type PolicyEntry, policyFor } from '../../../src/rules/language/policy.ts'
import type { Mode, ProjectPolicy } from '../../../src/rules/language/values/rule-types.ts'
import {
  answers,
  approvedByBot,
  decided,
  decidedBy,
  file,
  input,
  outcomes,
  rememberDone,
  rule,
  rules,
  sent,
} from '../world.ts'

const defaults = { mode: 'act' as const, newRuleLimit: 10 }
const of = (path: string, ...entries: PolicyEntry[]) => policyFor(path, entries, defaults)
const repository = (text: string) => file(text, { trust: 'repository' })
const approve = { name: 'approve' }
const policy = (changes: Partial<ProjectPolicy> = {}): ProjectPolicy => ({ mode: 'act', ...changes })

describe('the policy of a project', () => {
  it('is the defaults where no entry says otherwise', () => {
    expect(of('hotel/app')).toEqual({ mode: 'act', newRuleLimit: 10, includeFrom: [] })
  })
  it('takes each key from the first entry that is for it and says it', () => {
    const entries = [
      { projects: ['hotel/*'], newRuleLimit: 0 },
      { projects: ['hotel/app'], mode: 'observe' as const, newRuleLimit: 3 },
      { allows: ['label'], mode: 'off' as const },
    ]
    expect(of('hotel/app', ...entries)).toMatchObject({ mode: 'observe', newRuleLimit: 0, allows: ['label'] })
    expect(of('motel/app', ...entries)).toMatchObject({ mode: 'off', newRuleLimit: 10, allows: ['label'] })
  })
  it('is not that of a project whose name only looks alike', () => {
    const observing = { projects: ['hotel/*'], mode: 'observe' as const }
    expect(['hotel/app', 'HOTEL/App'].map((path) => of(path, observing).mode)).toEqual(['observe', 'observe'])
    expect(['hotel-x/app', 'x/hotel/app', 'hotel/a/b', 'hotel'].map((path) => of(path, observing).mode)).toEqual(
      Array(4).fill('act'),
    )
  })
  it('lists who is absent, and allows groups of others, where the first entry that says so does', () => {
    const entries = [
      { projects: ['hotel/app'], absent: ['alice'], groups: 'own' as const },
      { absent: ['bob'], groups: 'any' as const },
    ]
    const both = (path: string) => [of(path, ...entries).absent, of(path, ...entries).groups]
    expect([both('hotel/app'), both('motel/app')]).toEqual([
      [['alice'], undefined],
      [['bob'], 'any'],
    ])
  })
  it('lets rules use issues that the author may not see only where the first entry that says so allows it', () => {
    const entries = [
      { projects: ['hotel/app'], issues: 'author' as const },
      { projects: ['hotel/*'], issues: 'any' as const },
    ]
    expect(['hotel/app', 'hotel/bar', 'motel/app'].map((path) => of(path, ...entries).issues)).toEqual([
      undefined,
      'any',
      undefined,
    ])
  })
  it('names the chats that the operator lets the project use', () => {
    const chats = [{ name: 'all' }, { name: 'hotel', projects: ['hotel/**'] }]
    const named = (path: string) => policyFor(path, [], { ...defaults, chats }).chats
    expect([named('Hotel/a/b'), named('motel/app'), named('')]).toEqual([['all', 'hotel'], ['all'], ['all']])
    expect(policyFor('a/b', [], { ...defaults, chats: [] }).chats).toEqual([])
  })
  it('is never looser than the mode of the installation', () => {
    expect(policyFor('a/b', [{ mode: 'act' }], { mode: 'observe', newRuleLimit: 1 }).mode).toBe('observe')
    expect(policyFor('a/b', [{ mode: 'off' }], { mode: 'observe', newRuleLimit: 1 }).mode).toBe('off')
  })
})

describe('an action that the policy does not allow', () => {
  const text = rules(rule('{ author: alice }', '{ approve: true, label: { add: a } }'))
  it('is blocked in the repository’s rules, and the reason is given', () => {
    const decision = decided(input([repository(text)], { policy: policy({ allows: ['label'] }) }))
    expect(sent(decision)).toEqual([['mergeRequests.update', { add_labels: 'a' }]])
    expect(outcomes(decision)).toEqual([
      'blocked: the operator’s policy does not allow approve in the repository’s own rules',
      'call: add "a"',
    ])
  })
  it('is blocked where the labels of several rules become one call', () => {
    const own = rules(rule('{ author: alice }', '{ label: { add: smuggled } }'))
    const decision = decided(input([file(text), repository(own)], { policy: policy({ allows: ['approve'] }) }))
    expect(sent(decision)).toContainEqual(['mergeRequests.update', { add_labels: 'a' }])
    expect(JSON.stringify(decision.calls)).not.toContain('smuggled')
  })
  it('does not stand in the way of what the operator’s rules request', () => {
    const own = rules(rule('{ author: alice }', '{ close: true }'))
    const operator = rules(rule('{ author: alice }', '{ accept: true }'))
    const denied = decided(input([file(operator), repository(own)], { policy: policy({ allows: [] }) }))
    expect(denied.calls.map(({ action }) => action)).toEqual(['accept'])
    expect(decided(input([file(operator), repository(own)])).calls.map(({ action }) => action)).toEqual(['close'])
  })
  it('never denies to withdraw an approval or a waiting merge', () => {
    const own = rules(rule('{ author: alice }', '{ unapprove: true, cancel_accept: true }'))
    const operator = rules(rule('{ author: alice }', '{ approve: true, accept: true }'))
    const decision = decided(input([file(operator), repository(own)], { policy: policy({ allows: [] }) }))
    expect(decision.calls).toEqual([])
    expect(decision.rules[0]?.actions.map(({ result }) => result)).toEqual(['overruled', 'overruled'])
  })
  it('is nobody’s business in an operator’s rule', () => {
    expect(deniedBy(policy({ allows: [] }), { trust: 'operator' }, approve)).toBeUndefined()
    expect(deniedBy(policy({ allows: [] }), { trust: 'repository' }, approve)).toMatch(/does not allow approve/)
    expect(deniedBy(undefined, { trust: 'repository' }, approve)).toBeUndefined()
  })
  it('takes an approval back that was given before', () => {
    const memory = { rules: {}, pushes: [], of: { approve: 'a'.repeat(40) } }
    const given = { memory, answers: answers({}, approvedByBot), policy: policy({ allows: ['label'] }) }
    const decision = decided(input([repository(text)], given))
    expect(decision.calls.map(({ endpoint }) => endpoint)).toContain('mergeRequests.unapprove')
  })
})

const modeBy = (rule?: Mode, own?: Mode, project?: Mode) =>
  modeOf({ mode: rule }, { rules: { file: 'x', rules: [], mode: own } }, project && { mode: project })

describe('the mode of a rule', () => {
  it('is its own, or that of its file, or to act', () => {
    expect([modeBy(), modeBy(undefined, 'observe'), modeBy('act', 'observe'), modeBy('off', 'act')]).toEqual([
      'act',
      'observe',
      'act',
      'off',
    ])
  })
  it('is never more than the operator lets the project do', () => {
    expect([
      modeBy('act', 'act', 'observe'),
      modeBy('observe', undefined, 'off'),
      modeBy('off', undefined, 'observe'),
    ]).toEqual(['observe', 'off', 'off'])
  })
})

const text = (mode: string) =>
  `${mode}\nrules:\n  - name: the rule\n    if: { author: alice }\n    then: { label: { add: a }, approve: true }\n`

describe('a rule that is off', () => {
  it('is not evaluated, and says so', () => {
    const decision = decidedBy(text('mode: off'))
    expect(decision.calls).toEqual([])
    expect(decision.rules).toMatchObject([
      { verdict: 'false', mode: 'off', conditions: { condition: 'mode', actual: 'off' } },
    ])
  })
  it('acts once it is on again', () => {
    const memory = rememberDone(emptyMemory(), decidedBy(text('mode: off')))
    expect(decidedBy(text('mode: act'), { memory }).calls).toHaveLength(2)
  })
})

it('a project that is off costs no call, and nothing is done, whatever its rules say', () => {
  expect(decidedBy(text('mode: act'), { policy: { mode: 'off' }, answers: {} })).toMatchObject({
    calls: [],
    paused: 'the operator turned Bellhop off for this project',
    rules: [{ mode: 'off' }],
  })
})

it('a rule that observed and acts now is new: what it only observed is done', () => {
  const memory = rememberDone(emptyMemory(), decidedBy(text('mode: observe')))
  expect(sent(decidedBy(text('mode: act'), { memory }))).toHaveLength(2)
})
