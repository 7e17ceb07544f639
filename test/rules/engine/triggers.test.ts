// Which events are needed: those that may change what rules do, according to their kind and to what is known.
import fc from 'fast-check'
import {
  type EventTarget,
  hasRuleAboutTarget,
  isTriggered,
  isTriggeredByTarget,
  isUntouchedByList,
} from '../../../src/rules/engine/triggers.ts'
import type { Event } from '../../../src/rules/event-types.ts'
import { issueRef } from '../../../src/rules/facts/definition/subject-ref.ts'
import { eventKinds, isEventOf } from '../../../src/rules/language/events.ts'
import type { ProjectPolicy } from '../../../src/rules/language/values/rule-types.ts'
import { expected, usualAnswers } from '../arbitraries.ts'
import { decided, factsOf, file, input, issueRule, mergeRequest, rule, rules } from '../world.ts'

const label = '{ label: { add: x } }'
const state = (conditions: string, actions = label) => rule(conditions, actions)
const onEvent = (on: string, conditions = '{ state: opened }', actions = label) =>
  `  - name: the event rule\n    ${on}\n    if: ${conditions}\n    then: ${actions}\n`
const off = (text: string) => text.replace('    if:', '    mode: off\n    if:')

const ref = { project: 1, iid: 7 }
const fromAlice = { origin: { project: 1, branch: 'feature', author: 'alice' } }
const kept = { keeps: true }
const event = (kind: string, more: Partial<Event> = {}): Event => ({
  ...{ kind, actor: { id: 2, username: 'alice' }, at: '2026-01-11T00:00:00Z', project: 1 },
  // Without a command.
  ...(kind === 'note.create' ? { note: { id: 17, mentions: false } } : {}),
  ...more,
})
const pipeline = (status: string) => event('pipeline', { pipeline: { id: 1, status, sha: 'a' } })

const inForce = (text: string, policy?: ProjectPolicy) => ({
  files: text === '' ? [] : [file(rules(text))],
  ...(policy === undefined ? {} : { policy }),
})
const isNeeded = (text: string, happened: Event, known: Partial<EventTarget> = {}) =>
  isTriggered(inForce(text), happened, { ref, keeps: false, ...known })

const single = eventKinds.filter((kind) => !kind.endsWith('.*'))
const neededKinds = (subject: 'merge_request' | 'issue', text: string, known: Partial<EventTarget> = {}) => {
  const [within, target] = [inForce(text), { ref, keeps: false, ...known }]
  return single.filter((kind) => isEventOf(kind, subject) && isTriggered(within, event(kind), target))
}
const kindsOf = (...objects: string[]) => single.filter((kind) => objects.includes(kind.split('.')[0] ?? kind))
const own = ['push', 'merge_request']

describe('a merge that an evaluation made or saw', () => {
  const merge = event('merge_request.merge')
  it.each([
    ['needs no evaluation where rules only merge or approve', '{ accept: true, approve: true }', false],
    ['may start what is done after a merge', '{ backport: { to: stable } }', true],
    ['may start what is done whatever the state is', '{ accept: true, label: { add: merged } }', true],
  ])('%s', (_what, actions, expected) => {
    expect(isNeeded(state('{ draft: false }', actions), merge, { ended: true })).toBe(expected)
  })
  it('needs an evaluation while something is held', () => {
    expect(isNeeded(state('{ draft: false }', '{ accept: true }'), merge, { ended: true, ...kept })).toBe(true)
  })
  it('needs an evaluation if none saw it', () => {
    expect(isNeeded(state('{ draft: false }', '{ accept: true }'), merge)).toBe(true)
  })
})

describe('a merge that no evaluation saw is evaluated', () => {
  const merge = event('merge_request.merge')
  const asked = (conditions: string, actions: string) => onEvent('command: merge', conditions, actions)
  it('by a rule that merges on request too, and not once it was seen', () => {
    expect(isNeeded(asked('{ draft: false }', '{ accept: true }'), merge)).toBe(true)
    expect(isNeeded(asked('{ draft: false }', '{ accept: true }'), merge, { ended: true })).toBe(false)
  })
  it('by no rule that does not merge, or is not for it', () => {
    expect(isNeeded(asked('{ draft: false }', label), merge)).toBe(false)
    expect(isNeeded(asked('{ author: renovate }', '{ accept: true }'), merge, fromAlice)).toBe(false)
  })
  it('only by its own event', () => {
    expect(isNeeded(asked('{ draft: false }', '{ accept: true }'), event('merge_request.close'))).toBe(false)
  })
})

it('an event may request a merge that its pipeline does not allow yet', () => {
  const asked = onEvent('on: pipeline.running', '{ draft: false }', '{ accept: true }')
  const running = event('pipeline.running', { pipeline: { id: 1, status: 'running', sha: 'a' } })
  expect(isNeeded(asked, running)).toBe(true)
})

describe('of all kinds of events', () => {
  it.each([
    ['what shows in the merge request itself', '{ title: x }', own],
    ['the pipeline', '{ pipeline: success }', [...own, 'pipeline']],
    ['what only a pipeline changes', '{ has_conflicts: true }', [...own, 'pipeline']],
    ['a merge train', '{ merge_train: none }', [...own, 'pipeline']],
    ['the number of notes', '{ any: [{ user_notes_count: { at_least: 3 } }] }', [...own, 'note']],
    ['the last change', '{ updated: { older_than: 7d } }', [...own, 'note']],
    ['the last activity', '{ inactive_for: { older_than: 7d } }', [...own, 'note']],
    ['who takes part', '{ participants: [bob] }', [...own, 'note']],
    ['threads', '{ discussions_resolved: true }', [...own, 'note', 'pipeline']],
    ['whether it can be merged', '{ mergeability: mergeable }', [...own, 'note', 'pipeline']],
    ['votes', '{ upvotes: { at_least: 2 } }', [...own, 'emoji']],
  ])('a rule about %s needs those that may change it', (_name, condition, objects) => {
    expect(neededKinds('merge_request', state(condition))).toEqual(kindsOf(...objects))
  })
  it.each([
    ['an accept', '{ accept: true }', [...own, 'note', 'pipeline']],
    ['an approval', '{ approve: true }', [...own, 'pipeline']],
    ['a status', '{ status: { name: a } }', [...own, 'pipeline']],
    ['a text that names votes', '{ comment: "{{ downvotes }} against" }', [...own, 'emoji']],
  ])('%s needs those that may change its own facts', (_name, action, objects) => {
    expect(neededKinds('merge_request', state('{ title: x }', action))).toEqual(kindsOf(...objects))
  })
  it('a rule about any fact needs what changes it', () => {
    const ofTrigger = {
      ...{ emoji: 'emoji.award', note: 'note.update', 'note by others': 'note.update' },
      ...{ pipeline: 'pipeline.success', status: 'pipeline.failed' },
    }
    for (const subject of ['merge_request', 'issue'] as const)
      for (const [name, { example, changesWith = [] }] of factsOf(subject)) {
        const target = subject === 'issue' ? { ref: issueRef(1, 7) } : {}
        const text = subject === 'issue' ? issueRule(`{ ${example} }`, label) : state(`{ ${example} }`)
        for (const trigger of changesWith.filter((each) => each !== 'target branch'))
          if (isEventOf(ofTrigger[trigger], subject))
            expect(isNeeded(text, event(ofTrigger[trigger]), target), name).toBe(true)
      }
  })
  it.each(kindsOf('push', 'merge_request', 'note', 'pipeline', 'emoji'))(
    'a rule on %s needs that event alone',
    (kind) => {
      expect(neededKinds('merge_request', onEvent(`on: ${kind}`))).toEqual([kind])
    },
  )
  it('a standing request of an event rule also needs those that may change its facts', () => {
    const text = onEvent('on: merge_request.approved', '{ upvotes: 2 }', '{ accept: true }')
    expect(neededKinds('merge_request', text, kept)).toEqual(kindsOf(...own, 'note', 'pipeline', 'emoji'))
  })
  it('a rule for issues counts for issues alone, and no pipeline does', () => {
    const issue = { ref: issueRef(1, 7) }
    const text = issueRule('{ user_notes_count: 1 }', label) + state('{ upvotes: 1 }').replace('the rule', 'other')
    expect(neededKinds('merge_request', text)).toEqual(kindsOf(...own, 'emoji'))
    expect(neededKinds('issue', text, issue)).toEqual(kindsOf('note', 'issue'))
    expect(neededKinds('issue', issueRule('{ related_merge_requests: { none: "*" } }', label), issue)).toEqual(
      kindsOf('note', 'issue'),
    )
    expect(isNeeded(issueRule('{ subscribed: true }', label), event('pipeline.success'), issue)).toBe(false)
  })
  it.each([
    ['author: bob', false],
    ['user_notes_count: { at_least: 3 }', true],
    ['updated: { older_than: 7d }', true],
    ['participants: [bob]', true],
    ['inactive_for: { older_than: 7d }', false],
    ['discussions_resolved: true', false],
    ['mergeability: mergeable', false],
  ])('a note of Bellhop’s own is needed only where it changes a fact: %s', (condition, needed) => {
    const byBellhop = { isOwnNote: true }
    const note = event('note.create', { note: { id: 17, mentions: true } })
    const text = state(`{ any: [{ ${condition} }] }`)
    expect([isNeeded(text, note, byBellhop), isNeeded(text, event('note.update'), byBellhop)]).toEqual([needed, needed])
    expect(isNeeded(text, note, { ...byBellhop, ...kept })).toBe(needed)
    expect(isNeeded(onEvent('on: note.create', `{ ${condition} }`), note, byBellhop)).toBe(false)
    expect(isNeeded(onEvent('on: note.create', `{ ${condition} }`), note, { ...byBellhop, ...kept })).toBe(needed)
  })
  it('a note that may be a command is needed without any rule', () => {
    expect([
      isNeeded('', event('note.create', { note: { id: 17, mentions: true } })),
      isNeeded('', event('note.create', { note: { id: 17 } })),
      isNeeded(state('{ title: x }'), event('note.create', { note: { id: 17 } })),
      isNeeded(onEvent('command: go'), event('note.create')),
      isNeeded(onEvent('command: go'), event('note.update', { note: { id: 17, mentions: true } })),
    ]).toEqual([true, true, true, false, false])
  })
})

describe('by what is known', () => {
  const known = [
    ['author', 'author: alice', 'author: bob'],
    ['source branch', 'source_branch: feature', 'source_branch: main'],
    ['source project', 'source_project_id: 1', 'source_project_id: 2'],
    ['fork', 'from_fork: false', 'from_fork: true'],
    ['number', 'iid: 7', 'iid: { more_than: 7 }'],
    ['target branch', 'target_branch: main', 'target_branch: release'],
    ['status of its pipeline', 'pipeline: success', 'pipeline: [failed, canceled]'],
  ] as const
  const all = event('pipeline', { target: 'main', pipeline: { id: 1, status: 'success', sha: 'a' } })
  const needs = (condition: string, more: Partial<EventTarget> = fromAlice) =>
    isNeeded(state(`{ all: [{ ${condition} }, { mergeability: mergeable }] }`), all, more)

  it.each(known)('an event is left out where the %s is another, and nothing has to be withdrawn', (_, same, other) => {
    const not = (condition: string) => `not: { ${condition} }`
    expect([needs(same), needs(other), needs(not(same)), needs(not(other))]).toEqual([true, false, false, true])
    expect(needs(other, { ...fromAlice, ...kept })).toBe(true)
  })
  const push = event('push')
  it.each<[string, string, Event, Partial<EventTarget>, boolean]>([
    ['one of several rules is not false', state('{ author: bob }') + onEvent('on: push'), push, {}, true],
    ['another fact of a false rule is unknown', state('{ author: bob, title: x }'), push, {}, false],
    ['another fact may be true', state('{ any: [{ author: bob }, { title: x }] }'), push, {}, true],
    [
      'a status is set where its rule is false',
      state('{ author: bob }', '{ status: { name: a } }'),
      pipeline('success'),
      {},
      true,
    ],
    ['its author is not known', state('{ author: bob }'), push, { origin: { project: 1, branch: 'b' } }, true],
    ['nothing is known', state('{ author: bob, from_fork: true }'), push, { origin: undefined }, true],
    ['no rule can name the status', state('{ pipeline: success }'), pipeline('a new one'), {}, true],
    ['the pipeline of a fork counts', state('{ pipeline: { of_fork: success } }'), pipeline('failed'), {}, true],
    ['it comes from a fork', state('{ from_fork: false }'), push, { origin: { project: 2, branch: 'b' } }, false],
    ['the actor fits', onEvent('on: push', '{ actor: alice }'), push, {}, true],
    ['another is the actor', onEvent('on: push', '{ actor: bob }'), push, {}, false],
    ['the actor may be one of a group', onEvent('on: push', '{ actor: { members_of: a/b } }'), push, {}, true],
    ['the delivery names no actor', onEvent('on: push', '{ actor: bob }'), event('push', { actor: {} }), {}, true],
    ['their access is not known', onEvent('on: push', '{ actor_access: maintainer }'), push, {}, true],
    ['the ref fits', onEvent('on: push', '{ ref: main }'), event('push', { ref: 'main' }), {}, true],
    ['the ref is another', onEvent('on: push', '{ ref: main }'), event('push', { ref: 'b' }), {}, false],
    ['the event fits its rule, and the author not', onEvent('on: push', '{ author: bob }'), push, {}, false],
    ['a rule is about its author', state('{ author: alice }'), event('push', { actor: { username: 'bob' } }), {}, true],
  ])('where %s', (_name, text, happened, more, needed) => {
    expect(isNeeded(text, happened, { ...fromAlice, ...more })).toBe(needed)
  })
  it.each([
    [['labels', 'title'], true],
    [['title'], false],
    [undefined, false],
  ])('of the fields that a rule waits for: changed are %j', (changed, needed) => {
    const text = onEvent('on: { merge_request.update: { changed: [labels] } }')
    expect(isNeeded(text, event('merge_request.update', changed && { changed }))).toBe(needed)
  })
  it('no fact that nobody states leaves an event out', () => {
    const examples = factsOf('merge_request').filter(([name, fact]) => fact.ofEvents !== true && name !== 'iid')
    const texts = examples.flatMap(([, { example }]) => [`{ ${example} }`, `{ not: { ${example} } }`])
    expect(texts.filter((text) => !isNeeded(state(text), event('push')))).toEqual([])
  })
  it('no rule that is off counts; where something is held, everything does unless the project is off', () => {
    const needs = (text: string, mode: ProjectPolicy['mode']) =>
      [false, true].map((keeps) => isTriggered(inForce(text, { mode }), event('push'), { ref, keeps }))
    expect(needs(off(state('{ title: x }')), 'act')).toEqual([false, true])
    expect(needs(state('{ title: x }'), 'off')).toEqual([false, false])
    expect(needs(state('{ title: x }'), 'observe')).toEqual([true, true])
  })
  it('patterns that take more than their budget leave nothing out', () => {
    const text = state('{ source_branch: { matches: "[a-m].{0,350}z[!-/]$" } }')
    const from = (branch: string) => isNeeded(text, event('push'), { origin: { project: 1, branch } })
    expect([from('feature'), from('a'.repeat(500))]).toEqual([false, true])
  })
  it('what is left out would match no rule, and do nothing', () => {
    const stated = ['source_branch: main', 'source_branch: feature', 'author: dependabot', 'from_fork: true']
    const facts = [...stated, 'iid: { more_than: 7 }', 'target_branch: release', 'draft: false', 'pipeline: success']
    const condition = fc
      .array(fc.tuple(fc.constantFrom(...facts), fc.boolean()), { minLength: 1, maxLength: 2 })
      .map((list) => `{ all: [${list.map(([one, is]) => (is ? `{ ${one} }` : `{ not: { ${one} } }`)).join(', ')}] }`)
    const texts = fc
      .array(
        fc.tuple(
          condition,
          fc.oneof(
            expected.map((then) => ['', then]),
            fc.constantFrom(['on: push', label], ['on: note.create', label]),
          ),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((list) =>
        list
          .map(([given, [on = '', then = '']], at) =>
            rule(given, then, `rule ${at}`).replace('    if:', on === '' ? '    if:' : `    ${on}\n    if:`),
          )
          .join(''),
      )
    let leftOut = 0
    fc.assert(
      fc.property(texts, usualAnswers, (text, all) => {
        const mr = (all.mergeRequest?.ok === true ? all.mergeRequest.body : {}) as ReturnType<typeof mergeRequest>
        const { username: author } = mr.author as { username: string }
        const happened = event('push', { target: String(mr.target_branch) })
        if (isNeeded(text, happened, { origin: { project: 1, branch: 'feature', author } })) return
        leftOut += 1
        const decision = decided(input([file(rules(text))], { answers: all, events: [{ id: 'd1', event: happened }] }))
        expect(decision.calls).toEqual([])
        expect(decision.rules.map(({ verdict }) => verdict)).not.toContain('true')
      }),
      { numRuns: 150 },
    )
    expect(leftOut).toBeGreaterThan(10)
  })
})

describe('a push to the target branch', () => {
  const behind = 'commits_behind: { at_least: 1 }'
  it.each<[string, string, Partial<EventTarget>, boolean]>([
    ['no rule is about it', state('{ title: "Add a door" }'), {}, false],
    ['a rule may match', state(`{ ${behind}, title: "Add a door" }`), {}, true],
    ['the list shows that no rule matches', state(`{ ${behind}, title: x }`), {}, false],
    ['the list shows it of all that are about it', state(`{ ${behind}, title: x }`) + onEvent('on: push'), {}, false],
    ['something may have to be withdrawn', state(`{ ${behind}, title: x }`), kept, true],
    ['something else may have to be withdrawn', state('{ title: x }'), kept, false],
    ['the list does not show a fact', state(`{ ${behind}, subscribed: true }`), {}, true],
    ['the rule is for an event', onEvent('on: push', `{ ${behind} }`), {}, false],
    ['a request of a rule for events may stand', onEvent('on: push', `{ ${behind} }`), kept, true],
    ['the rule is off', off(state(`{ ${behind} }`)), kept, false],
  ])('where %s', (_name, text, more, needed) => {
    const { subscribed: _subscribed, ...listed } = mergeRequest()
    const target = { ref, keeps: false, ...more }
    expect(isTriggeredByTarget(inForce(text), '2026-01-11T00:00:00Z', target, listed)).toBe(needed)
  })
  it('is of interest where a rule that is not off depends on it', () => {
    const texts = [state(`{ ${behind} }`), off(state(`{ ${behind} }`)), state('{ title: x }')]
    expect(texts.map((text) => hasRuleAboutTarget(inForce(text)))).toEqual([true, false, false])
  })
})

describe('a merge request of a list that was never evaluated', () => {
  const own = rule('{ title: x }', label)
  it.each([
    ['no rule matches what the list shows', own, true],
    ['a rule matches', rule('{ title: "Add a door" }', label), false],
    ['another rule may match', own + onEvent('on: push').replace('on: push\n', 'mode: act\n'), false],
    ['a list does not show a fact', rule('{ changed_files: { any: "docs/**" } }', label), false],
    ['a list shows a fact late', rule('{ has_conflicts: true }', label), false],
    ['a rule only waits for an event', onEvent('on: push'), true],
    ['a rule acts where it does not match', rule('{ title: x }', '{ status: { name: x, while: success } }'), false],
    ['it is too young', rule('{ age: { older_than: 30d } }', label), true],
    ['it is old enough', rule('{ age: { older_than: 1h } }', label), false],
  ])('is untouched: %s', (_name, text, expected) => {
    const listed = { ...mergeRequest(), created_at: '2026-01-10T00:00:00Z', has_conflicts: false }
    const target = { ref, keeps: false }
    expect(isUntouchedByList(inForce(text), '2026-01-11T00:00:00Z', target, listed)).toBe(expected)
  })
  it('is an issue by its own number', () => {
    const text = issueRule('{ iid: 7 }', label)
    const target = { ref: issueRef(1, 7), keeps: false }
    expect(isUntouchedByList(inForce(text), '2026-01-11T00:00:00Z', target, { iid: -7 })).toBe(false)
  })
})
