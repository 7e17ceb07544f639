// Trust: what the repository's own rules may not approve or accept, and a broken file.
import type { Action } from '../../../../src/rules/actions/definition/action.ts'
import { actions } from '../../../../src/rules/actions/index.ts'
import { decide } from '../../../../src/rules/engine/decide.ts'
import { isLimitedWhenNew, newRuleUses } from '../../../../src/rules/engine/limits/trust.ts'
import { ruleName } from '../../../../src/rules/engine/memory/standing-requests.ts'
import { emptyMemory, remember } from '../../../../src/rules/engine/update-memory.ts'
import type {
  DecideInput,
  NewRuleLimit,
  ProjectPolicy,
  SourceAnswer,
  SourceAnswers,
} from '../../../../src/rules/types.ts'
import { happened } from '../../over-time.ts'
import {
  answer,
  answers,
  approvedByBot,
  change,
  changesAnswer,
  decided,
  decidedBy,
  decideRule,
  file,
  head,
  input,
  outcomes,
  pipeline,
  refused,
  rememberDone,
  rule,
  rules,
  sent,
} from '../../world.ts'

const text = rules(rule('{ author: alice }', '{ approve: true, accept: true, label: { add: a } }'))
const own = file(text, { trust: 'repository' })
const outcome = (fields = {}, other: SourceAnswers = {}, files = [own], policy?: ProjectPolicy) => {
  const decision = decided(input(files, { answers: answers(fields, other), policy }))
  return {
    calls: decision.calls.map((call) => call.action),
    results: decision.rules[0]?.actions.map((each) => each.result),
    detail: decision.rules[0]?.actions[0]?.detail,
  }
}
const changes = (list: object[], more = {}, complete = true) => ({ changes: changesAnswer(list, more, complete) })
const held = { calls: ['label'], results: ['blocked', 'blocked', 'call'] }

describe('the repository’s own rules', () => {
  it('approve and accept into the default branch', () => {
    expect(outcome().calls).toEqual(['approve', 'label', 'accept'])
  })
  it.each([
    ['into another branch', { target_branch: 'release' }, {}],
    ['when the default branch is unknown', {}, { project: refused() }],
    ['what changes their own file', {}, changes([change('.bellhop.yml')])],
    ['what moves their own file away', {}, changes([change('old.yml', '.bellhop.yml')])],
    ['what moves a file into its place', {}, changes([change('.bellhop.yml', 'new.yml')])],
    ['what changes more than is listed', {}, changes([change('a')], { overflow: true })],
    ['what changes more than is counted', {}, changes([change('a')], { changes_count: '1000+' })],
    ['what changes more than was read', {}, changes([change('a')], {}, false)],
    ['what changes nobody knows', {}, { changes: refused(403) }],
    ['what changes files without a name', {}, changes([{ new_path: 'a' }])],
  ])('never %s', (_what, fields, other) => {
    expect(outcome(fields, other)).toMatchObject(held)
  })
  it('say why', () => {
    expect(outcome({}, changes([change('.bellhop.yml')])).detail).toBe(
      'it changes .bellhop.yml, and the repository’s own rules never merge their replacement: a person must',
    )
  })
  it('protect every rule file in force', () => {
    const included = file(rules(rule('{ draft: true }', '{ subscribe: true }', 'other')), {
      trust: 'repository',
      path: 'ci/rules.yml',
    })
    expect(outcome({}, changes([change('ci/rules.yml')]), [own, included])).toMatchObject(held)
  })
  it('leave alone what other projects include from here', () => {
    const moved = changes([change('shared.yml', 'old.yml')])
    const { calls, detail } = outcome({}, moved, [own], { mode: 'act', protects: ['old.yml'] })
    expect([calls, detail]).toEqual([['label'], expect.stringMatching(/^it changes old\.yml/)])
  })
  it('are not kept by a file of another project that has the same path', () => {
    const included = { ...own, path: 'hotel/rules:src/door.ts', origin: { project: 2, path: 'src/door.ts' } }
    expect(outcome({}, {}, [own, included]).calls).toEqual(['approve', 'label', 'accept'])
    expect(outcome({}, {}, [own, { ...included, origin: { project: 1, path: 'src/door.ts' } }])).toMatchObject(held)
  })
  it('merge into the branches that the operator names besides, and into no other', () => {
    const into = (target_branch: string) =>
      outcome({ target_branch }, {}, [own], { mode: 'act', mergesInto: ['release/*'] }).calls
    expect(into('release/1')).toEqual(['approve', 'label', 'accept'])
    expect(['release', 'release/1/x', 'xrelease/1'].map(into)).toEqual([['label'], ['label'], ['label']])
  })
  it('never merge a change of their own file, also into branches that the operator names', () => {
    const release = { target_branch: 'release/1' }
    const ownFile = changes([change('.bellhop.yml')], release)
    expect(outcome(release, ownFile, [own], { mode: 'act', mergesInto: ['**'] }).calls).toEqual(['label'])
  })
  it('cost no call for a merge request into another branch beyond the project', () => {
    const result = decide(
      input([own], {
        answers: {
          mergeRequest: answers({ target_branch: 'x' }).mergeRequest ?? answer({}),
          project: answer({ default_branch: 'main' }),
        },
      }),
    )
    expect('decision' in result).toBe(true)
  })
})

describe('an operator’s rules', () => {
  it('are not limited so', () => {
    expect(outcome({ target_branch: 'release' }, changes([change('.bellhop.yml')]), [file(text)]).calls).toEqual([
      'approve',
      'label',
      'accept',
    ])
  })
  it('are blocked with all others while any file is broken', () => {
    const broken = file('', { trust: 'repository', broken: true })
    expect(outcome({}, {}, [file(text), broken])).toMatchObject({
      ...held,
      detail: '.bellhop.yml has problems: nothing is approved or accepted until they are fixed',
    })
  })
})

describe('an approval and a waiting merge, while a file is broken', () => {
  const text = rules(rule('{ author: alice }', '{ approve: true, accept: { when: pipeline_succeeds } }'))
  const files = [file(text, { trust: 'repository', broken: true })]
  const waiting = {
    merge_when_pipeline_succeeds: true,
    ...pipeline('running'),
  }
  const memory = { rules: {}, pushes: [], of: { approve: head, accept: { waitingSha: head } } }
  const takenBack = (fields: object, other: SourceAnswers) =>
    decided(
      input(files, { memory, answers: answers({ ...waiting, ...fields }, { ...approvedByBot, ...other }) }),
    ).calls.map(({ endpoint }) => endpoint)

  it('stay where they may stand', () => {
    expect(takenBack({}, {})).toEqual([])
  })
  it.each([
    ['of what was retargeted to another branch', { target_branch: 'production' }, {}],
    ['of what changes a rule file by now', {}, changes([change('.bellhop.yml')])],
  ])('are withdrawn %s', (_, fields, other) => {
    expect(takenBack(fields, other)).toEqual([
      'mergeRequests.unapprove',
      'mergeRequests.cancelMergeWhenPipelineSucceeds',
    ])
  })
})

describe('the label that turns Bellhop off', () => {
  const off = (labels: string[]) =>
    decideRule('{ state: opened }', '{ subscribe: true }', { offLabel: 'bellhop::off', answers: answers({ labels }) })
  it('leaves nothing to do, and says why', () => {
    expect(off(['bellhop::off'])).toMatchObject({ calls: [], paused: 'the label bellhop::off is on it' })
    expect(off(['other']).calls).toHaveLength(1)
  })
  it('is no end: what was blocked is done when it is taken off', () => {
    const given = file(rules(rule('{ state: opened }', '{ subscribe: true }')))
    const paused = decided(input([given], { offLabel: 'x', answers: answers({ labels: ['x'] }) }))
    expect(sent(decided(input([given], { memory: remember(emptyMemory(), paused) })))).toHaveLength(1)
  })
})

describe('who set the label', () => {
  const files = [file(rules(rule('{ state: opened }', '{ subscribe: true }')))]
  const added = (id: number | null, name = 'off', action = 'add') => ({
    action,
    label: { name },
    user: id === null ? null : { id, username: `u${id}` },
  })
  const access = (level: number): SourceAnswer => answer({ access_level: level })
  const given = (history: unknown[], other: SourceAnswers = {}, complete = true) =>
    input(files, {
      offLabel: 'off',
      answers: answers({ labels: ['off'] }, { labelEvents: answer(history, complete), ...other }),
    })
  const isOff = (...of: Parameters<typeof given>) => decided(given(...of)).calls.length === 0

  it.each([
    [30, true],
    [40, true],
    [50, true],
    [20, false],
    [10, false],
  ])('with the access level %i counts: %s', (level, expected) => {
    expect(isOff([added(7)], { 'actorAccess@7': access(level) })).toBe(expected)
  })
  it('is the last who added it', () => {
    const people = { 'actorAccess@7': access(10), 'actorAccess@8': access(40) }
    expect(isOff([added(7), added(7, 'off', 'remove'), added(8)], people)).toBe(true)
    expect(isOff([added(8), added(8, 'off', 'remove'), added(7), added(8, 'other')], people)).toBe(false)
  })
  it('counts for no member, and the decision says whose label does not count', () => {
    const decision = decided(given([added(7)], { 'actorAccess@7': refused() }))
    expect([decision.calls.length, decision.offIgnored]).toEqual([
      1,
      'the label off does not count: u7 set it, and only a developer or above may',
    ])
  })
  it.each([
    ['the history does not say', []],
    ['the history names nobody', [added(null)]],
    ['the history is of another shape', [17, null]],
  ])('is unknown where %s: the label counts', (_what, history) => {
    expect(isOff(history)).toBe(true)
  })
  it('is unknown where the history or the access cannot be read, or is cut: the label counts', () => {
    expect(isOff([], { labelEvents: refused(403) })).toBe(true)
    expect(isOff([added(7)], { 'actorAccess@7': refused(403) })).toBe(true)
    expect(isOff([added(7)], { 'actorAccess@7': access(10) }, false)).toBe(true)
  })
  it('is read only where the label is set', () => {
    const { labelEvents: _history, ...without } = answers({ labels: ['off'] })
    expect(decide(input(files, { offLabel: 'off', answers: without }))).toEqual({ needs: ['labelEvents'] })
    const { labelEvents: _unread, ...unlabelled } = answers()
    expect(decide(input(files, { offLabel: 'off', answers: unlabelled }))).toHaveProperty('decision')
    expect(decide(given([added(7)]))).toEqual({ needs: ['actorAccess@7'] })
  })
})

const until = '2026-01-11T00:20:00Z'
const everything = ['accept', 'approve', 'backport', 'close', 'comment', 'notify']
const limitOn = (newRules: string[], names = everything): NewRuleLimit => ({
  perHour: 3,
  newRules: newRules.map((name) => `rules/test.yml#${name}`),
  full: Object.fromEntries(names.map((name) => [name, until])),
})
const one = (actionsText: string, name = 'fresh') => rule('{ author: alice }', actionsText, name)
const run = (texts: string[], newRuleLimit: NewRuleLimit, changes: Partial<DecideInput> = {}) =>
  decidedBy(rules(...texts), { newRuleLimit, ...changes })
const names = ({ calls }: ReturnType<typeof run>) => calls.map(({ action }) => action)

describe('a rule that is new, where the new-rule limit is on', () => {
  it.each(['approve: true', 'accept: true', 'close: true', 'comment: hello'])(
    'is blocked with the reason, and evaluated again then: %s',
    (text) => {
      const decision = run([one(`{ ${text} }`)], limitOn(['fresh']))
      expect(decision.calls).toEqual([])
      expect(outcomes(decision)).toEqual([
        expect.stringMatching(/^blocked: the new-rule limit: new rules did this 3 times/),
      ])
      expect(decision.againInMs).toBe(20 * 60_000)
    },
  )
  it('does everything else', () => {
    expect(names(run([one('{ label: { add: a }, approve: true, subscribe: true }')], limitOn(['fresh'])))).toEqual([
      'label',
      'subscribe',
    ])
  })
  it('does later what was blocked', () => {
    const texts = [one('{ comment: hello }')]
    const memory = rememberDone(emptyMemory(), run(texts, limitOn(['fresh'])))
    expect(names(run(texts, limitOn(['fresh'], []), { memory }))).toEqual(['comment'])
  })
  it('keeps the approval that was given before', () => {
    const given = { memory: { ...emptyMemory(), of: { approve: head } }, answers: answers({}, approvedByBot) }
    expect(run([one('{ approve: true }')], limitOn(['fresh']), given).calls).toEqual([])
  })
  it('restrains with what is blocked: what it wants closed is not merged', () => {
    expect(names(run([one('{ close: true }'), one('{ accept: true }', 'old')], limitOn(['fresh'])))).toEqual([])
  })
  it('does not stand in the way of an old rule', () => {
    expect(names(run([one('{ approve: true }'), one('{ approve: true }', 'old')], limitOn(['fresh'])))).toEqual([
      'approve',
    ])
  })
  it('is done with no event before it could act', () => {
    const text = 'rules:\n  - name: fresh\n    on: push\n    then: { comment: hello }\n'
    const run1 = (newRuleLimit: NewRuleLimit, memory = emptyMemory()) =>
      decidedBy(text, { newRuleLimit, memory, events: [happened('push')] })
    const held = run1(limitOn(['fresh']))
    expect(held).toMatchObject({ calls: [], againInMs: 20 * 60_000 })
    expect(names(run1(limitOn(['fresh'], []), rememberDone(emptyMemory(), held)))).toEqual(['comment'])
  })
})

it('a rule that is old is not limited', () => {
  expect(names(run([one('{ approve: true, accept: true, comment: hello }', 'old')], limitOn([])))).toEqual([
    'approve',
    'comment',
    'accept',
  ])
})

describe('what is counted', () => {
  const limited = Object.values<Action>(actions as Record<string, Action>).filter(isLimitedWhenNew)
  const counted = (texts: string[], newRules: string[]) => {
    const newRuleLimit = limitOn(newRules, [])
    return Object.fromEntries(newRuleUses(run(texts, newRuleLimit), newRuleLimit, limited, ruleName))
  }
  it('limits approve, accept, close and comment', () => {
    expect(limited.map(({ name }) => name).sort()).toEqual(everything)
  })
  it('counts each note, but an approval once, no matter which rule requests it', () => {
    const text = '{ comment: hello, approve: true }'
    expect(counted([one(text, 'a'), one(text, 'b')], ['a', 'b'])).toEqual({ comment: 2, approve: 1 })
  })
  it('is not what an old rule requests as well', () => {
    const text = '{ comment: hello, approve: true }'
    expect(counted([one(text, 'a'), one(text, 'b')], ['a'])).toEqual({ comment: 1 })
  })
})
