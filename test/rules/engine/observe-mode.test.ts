// A rule in mode observe decides and is recorded; it calls nothing, and never makes or keeps another from acting.
import type { Action } from '../../../src/rules/actions/definition/action.ts'
import { actions } from '../../../src/rules/actions/index.ts'
import { overridesAfter } from '../../../src/rules/engine/observe-mode.ts'
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import type { DecideInput, Decision } from '../../../src/rules/types.ts'
import { alice, happened, noted } from '../over-time.ts'
import {
  answer,
  answers,
  applied,
  approvedByBot,
  bot,
  change,
  changesAnswer,
  decided,
  decidedBy,
  decideRule,
  exampleInput,
  head,
  input,
  pipeline,
  rememberDone,
  rules,
  sent,
} from '../world.ts'

const one = (name: string, conditions: string, actions: string, mode = 'observe') =>
  `  - name: ${name}\n    mode: ${mode}\n    if: ${conditions}\n    then: ${actions}\n`
const decideAll = (texts: string[], changes: Partial<DecideInput> = {}) => decidedBy(rules(...texts), changes)
const supposed = ({ dryRunCalls: calls = [] }: Decision) => sent({ calls } as Decision)
const ofAlice = '{ author: alice }'
const events = [happened('note.create', 'd1', { note: { id: 17, mentions: true } })]
const adds = (label: string) => ['mergeRequests.update', { add_labels: label }]

describe('an observing rule', () => {
  it('calls nothing, and says what it would have called', () => {
    const decision = decideAll([one('quiet', ofAlice, '{ label: { add: a }, approve: true, accept: true }')])
    expect(decision.calls).toEqual([])
    expect(supposed(decision).map(([endpoint]) => endpoint)).toEqual([
      'mergeRequests.update',
      'mergeRequests.approve',
      'mergeRequests.accept',
    ])
    expect(decision.rules[0]).toMatchObject({ mode: 'observe', verdict: 'true' })
    expect(decision.rules[0]?.actions.every((each) => each.dryRun === true)).toBe(true)
  })
  it('never names a merge queue that it is in: nothing of it lands', () => {
    const queues = 'queues: [{ name: main, target: main }]\n'
    const decision = decidedBy(
      `${queues}${rules(
        one('enters', ofAlice, '{ label: { add: x }, accept: { queue: main } }'),
        one('follows', '{ labels: { any: x } }', '{ accept: { queue: main } }'),
      )}`.replace('version: 1\n', ''),
    )
    expect(supposed(decision).map(([endpoint]) => endpoint)).toContain('mergeQueue.enter')
    const accepts = decision.rules.flatMap(({ actions }) => actions.filter(({ action }) => action === 'accept'))
    expect(accepts.map(({ result, queue }) => [result, queue])).toEqual([
      ['call', undefined],
      ['waits', undefined],
    ])
  })
  it('has no part in the calls of acting rules', () => {
    const decision = decideAll([
      one('loud', ofAlice, '{ label: { add: a } }', 'act'),
      one('quiet', ofAlice, '{ label: { add: b } }'),
    ])
    expect(sent(decision)).toEqual([adds('a')])
    expect(decision.calls[0]?.rules).toEqual(['rules/test.yml#loud'])
    expect(supposed(decision)).toEqual([adds('b')])
  })
  it('never makes another rule act', () => {
    const decision = decideAll([
      one('quiet', ofAlice, '{ label: { add: ready } }'),
      one('loud', '{ labels: { any: ready } }', '{ approve: true, accept: true }', 'act'),
    ])
    expect(decision.calls).toEqual([])
    expect(decision.rules.map(({ verdict }) => verdict)).toEqual(['true', 'false'])
  })
  it.each(['close: true', 'unapprove: true', 'cancel_accept: true', 'label: { remove: a }', 'estimate: 1h'])(
    'never keeps another from acting, whatever comes first: %s',
    (action) => {
      const acting = '{ label: { add: a }, approve: true, accept: true, estimate: 15m }'
      const alone = decideAll([one('loud', ofAlice, acting, 'act')])
      const decision = decideAll([one('quiet', ofAlice, `{ ${action} }`), one('loud', ofAlice, acting, 'act')])
      expect(decision.calls).toEqual(alone.calls)
    },
  )
})

describe('observing rules that follow one another', () => {
  it('see what those before them would have done', () => {
    const decision = decideAll([
      one('first', ofAlice, '{ label: { add: ready } }'),
      one('second', '{ labels: { any: ready } }', '{ approve: true }'),
      one('third', '{ approved_by_service: { any: bellhop } }', '{ label: { add: approved } }'),
    ])
    expect(decision.calls).toEqual([])
    expect(supposed(decision).map(([endpoint]) => endpoint)).toEqual([
      'mergeRequests.update',
      'mergeRequests.approve',
      'mergeRequests.update',
    ])
    expect(decision.rules.map(({ verdict }) => verdict)).toEqual(['true', 'true', 'true'])
  })
  it('see what acting rules do now', () => {
    const decision = decideAll([
      one('loud', ofAlice, '{ label: { add: ready } }', 'act'),
      one('quiet', '{ labels: { any: ready } }', '{ approve: true }'),
    ])
    expect(sent(decision)).toEqual([adds('ready')])
    expect(supposed(decision).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.approve'])
  })
  it('end, also where they undo each other', () => {
    const decision = decideAll([
      one('on', '{ labels: { none: a } }', '{ label: { while: a } }'),
      one('off', '{ labels: { any: a } }', '{ label: { remove: a } }'),
    ])
    expect(decision.calls).toEqual([])
    expect(decision.dryRunCalls?.length).toBeLessThan(10)
  })
  it('say the same each time while nothing is done', () => {
    const texts = [one('quiet', ofAlice, '{ label: { add: a }, comment: hello }')]
    const first = decideAll(texts)
    const memory = remember(emptyMemory(), first)
    const second = decideAll(texts, { memory })
    expect(supposed(second)).toEqual(supposed(first))
    expect(second.rules[0]?.became).toBe(false)
  })
})

describe('what is remembered of observing rules', () => {
  const said = answers(pipeline('running'), {
    ...noted('@bellhop merge'),
    changes: changesAnswer([change('a')]),
  })
  const onCommand = (mode: string) =>
    `  - name: merge\n    mode: ${mode}\n    command: merge\n    then: { accept: true }\n`

  it('never fulfils a request later, when the rule acts', () => {
    const observed = decideAll([onCommand('observe')], { events, answers: said })
    const memory = remember(emptyMemory(), observed)
    const green = answers({}, said)
    const later = { answers: { ...green, mergeRequest: answers().mergeRequest ?? answer({}) }, memory }
    expect(decideAll([onCommand('act')], later).calls).toEqual([])
  })
  it('does not end what events requested of acting rules', () => {
    const memory = rememberDone(emptyMemory(), decideAll([onCommand('act')], { events, answers: said }))
    expect(memory.standing).toHaveLength(1)
    const texts = [onCommand('act'), one('quiet', ofAlice, '{ close: true }')]
    expect(rememberDone(memory, decideAll(texts, { memory, answers: said })).standing).toHaveLength(1)
  })
})

describe('a project that observes', () => {
  const policy = { mode: 'observe' as const }
  it('sends nothing but withdrawals, and tells what else it would', () => {
    const given = { policy, memory: { ...emptyMemory(), of: { approve: head } }, answers: answers({}, approvedByBot) }
    const decision = decideAll([one('loud', ofAlice, '{ label: { add: a } }', 'act')], given)
    expect(sent(decision)).toEqual([['mergeRequests.unapprove', {}]])
    expect(supposed(decision)).toEqual([adds('a')])
  })
  it('answers no question either', () => {
    const body = answer({ id: 17, body: '@bellhop why', author: alice, system: false })
    const given = { events, answers: answers({}, { 'note@17': body }) }
    expect(decideAll([], given).calls).toHaveLength(1)
    expect(decideAll([], { ...given, policy }).calls).toEqual([])
  })
})

/** Facts that rules see of what actions change. */
const seen = [
  ...['labels', 'state', 'approved_by_bot', 'subscribed', 'squash', 'title', 'description', 'target_branch'],
  ...['merge_when_pipeline_succeeds', 'assignee', 'milestone', 'reviewers', 'time_estimate'],
]

it.each(Object.values<Action>(actions as Record<string, Action>))(
  'the calls of $name leave all as the service',
  (action) => {
    const given = exampleInput(action)
    const decision = decided(given)
    const valuesIn = (changes: Partial<DecideInput>) => {
      const view = createView({ ...given, ...changes })
      return seen.map(view.fact).map((fact) => (fact.is === 'known' ? fact.value : fact))
    }
    const here = valuesIn({ overrides: overridesAfter(decision.calls) })
    expect(here).toEqual(valuesIn({ answers: applied(given.answers, decision) }))
  },
)

it('an approval is the bot’s, and goes with it', () => {
  const effectsOf = (then: string, user_has_approved: boolean) => {
    const approvals = answer({ approved_by: user_has_approved ? [{ user: bot }] : [], user_has_approved })
    return overridesAfter(decideRule('{ author: alice }', then, { answers: answers({}, { approvals }) }).calls)
  }
  const approved = effectsOf('{ approve: true }', false)
  const approvers = (overrides: typeof approved) => createView(input([], { overrides })).fact('approved_by_service')
  expect(approvers(approved)).toMatchObject({ value: ['bellhop'] })
  expect(approvers([...approved, ...effectsOf('{ unapprove: true }', true)])).toMatchObject({ value: [] })
})
it('a merge that waits is no merge yet', () => {
  const then = '{ accept: { when: pipeline_succeeds } }'
  const { calls } = decideRule('{ author: alice }', then, { answers: answers(pipeline('running')) })
  const view = createView(input([], { overrides: overridesAfter(calls) }))
  expect([view.fact('state'), view.fact('merge_when_pipeline_succeeds')]).toMatchObject([
    { value: 'opened' },
    { value: true },
  ])
})
