// Acting, whatever the rules: each call changes something, withdraws only Bellhop's own, and once done leaves no call.

import fc from 'fast-check'
import { acceptMemory } from '../../../src/rules/actions/definition/accept-memory.ts'
import type { Action } from '../../../src/rules/actions/definition/action.ts'
import { actions } from '../../../src/rules/actions/index.ts'
import { isWithdrawal } from '../../../src/rules/engine/limits/deferred-calls.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Occurrence } from '../../../src/rules/event-types.ts'
import { mergeRequestSource } from '../../../src/rules/facts/definition/sources.ts'
import type { DecideInput, Decision, Memory } from '../../../src/rules/types.ts'
import { documents, events, expected, memories, usualAnswers, withEvents } from '../arbitraries.ts'
import {
  answer,
  answers,
  applied,
  decided,
  decidedBy,
  exampleInput,
  file,
  input,
  rememberDone,
  rule,
  rules,
  unseen,
} from '../world.ts'

/** The input of the next decision: the calls took effect and are remembered. */
const afterCalls = (given: DecideInput, decision: Decision): DecideInput => ({
  ...given,
  memory: rememberDone(given.memory, decision),
  answers: applied(given.answers, decision),
})

const oneTurn = Object.values<Action>(actions).filter((action) => action !== actions.backport)

describe('acting', () => {
  it('a backport leaves nothing to do after its turns', () => {
    let given = exampleInput(actions.backport)
    const sends: string[] = []
    for (let decision = decided(given); decision.calls.length > 0; decision = decided(given)) {
      sends.push(...decision.calls.map(({ endpoint }) => endpoint))
      given = afterCalls(given, decision)
    }
    const turns = ['repository.branches.create', 'repository.commits.cherryPick', 'mergeRequests.create']
    expect(sends).toEqual(turns)
  })
  it.each(oneTurn)('$example once leaves nothing to do', (action) => {
    const given = exampleInput(action)
    const first = decided(given)
    expect(first.calls.length).toBeGreaterThan(0)
    const next = afterCalls(given, first)
    expect(decided(next).calls).toEqual([])
    // Also where the memory was lost the state alone says that nothing is missing, where there is a state to see.
    if (action.when !== 'on_events' && JSON.stringify(next.answers) !== JSON.stringify(given.answers))
      expect(decided({ ...next, memory: emptyMemory() }).calls).toEqual([])
  })
  it.each<[string, fc.Arbitrary<string>, fc.Arbitrary<Memory>, fc.Arbitrary<Occurrence[]>]>([
    ['rules that do not undo each other send nothing in the end', documents, memories, fc.constant([])],
    ['also for an event that stays pending', withEvents, fc.constant(emptyMemory()), events],
  ])('comes to rest: %s', (_what, texts, before, happens) => {
    fc.assert(
      fc.property(texts, usualAnswers, before, happens, (text, all, memory, happened) => {
        let given = input([file(text)], { answers: all, memory, events: happened })
        let sends = 0
        for (let round = 0; round < 6; round++) {
          const decision = decided(given)
          sends = decision.calls.length
          given = afterCalls(given, decision)
        }
        if (!asksAboutItself(text)) expect(sends).toBe(0)
      }),
      { numRuns: 40 },
    )
  })
  it('by rules whose conditions stay as they are is done in one turn, and undone by none', () => {
    fc.assert(
      fc.property(fc.array(expected, { minLength: 1, maxLength: 5 }), usualAnswers, memories, (list, all, memory) => {
        const texts = list.map((then, index) => rule('{ source_branch: feature }', then, `rule ${index}`))
        const given = input([file(rules(...texts))], { memory, answers: all })
        const first = decided(given)
        let next = afterCalls(given, first)
        // A merge of one kind, direct or by the queue, comes only when the other kind is withdrawn.
        if (first.calls.some(({ endpoint }) => endpoint === 'mergeQueue.leave')) next = afterCalls(next, decided(next))
        expect(decided(next).calls).toEqual([])
      }),
      { numRuns: 50 },
    )
  })
  it('just after the bound source was read again gives the same call', () => {
    const given = input([file(rules(rule('{ author: alice }', '{ accept: { squash: true } }')))])
    const [, accept] = decided(given).calls
    const again = {
      ...given.answers,
      [mergeRequestSource]: answer({ ...(answers({ squash: true }).mergeRequest as { body: object }).body }),
    }
    expect(decided({ ...given, answers: again }).calls).toEqual([accept])
  })
})

/**
 * An effect kept while a rule matches can flip forever if the rule asks about it: an approval, a waiting merge. So can
 * a value that two rules set differently, if one asks about it: one assigns where nobody is, the other unassigns.
 */
function asksAboutItself(text: string): boolean {
  if (/approv|merge_when_pipeline_succeeds/.test(text.replaceAll('approve: true', ''))) return true
  const wishes = text.match(/^ +then: .*$/gm)?.join() ?? ''
  const conditions = text.replaceAll(/^ +then: .*$/gm, '')
  return ['assign', 'milestone'].some(
    (what) => new Set(wishes.match(new RegExp(`\\b${what}: [^,}]+`, 'g'))).size > 1 && conditions.includes(what),
  )
}

const ids = ['id', 'merge_request_iid', 'note_id']
/** A lock, a merge and a squash can be set to what they are only as part of what was evaluated. */
const guards = ['sha', 'squash']

/** What is taken back because no rule asks for it. */
const withdrawals = [
  ...['mergeRequests.unapprove', 'mergeRequests.cancelMergeWhenPipelineSucceeds', 'mergeQueue.leave'],
  'mergeRequests.notes.delete',
]

describe('a call', () => {
  it('changes something with each parameter, is the only update, and names a rule unless it takes something back', () => {
    fc.assert(
      fc.property(withEvents, usualAnswers, memories, events, (text, all, memory, happened) => {
        const { calls } = decidedBy(text, { answers: all, memory, events: happened })
        expect(calls.filter(({ endpoint }) => endpoint === 'mergeRequests.update').length).toBeLessThan(2)
        for (const { endpoint, params, ...rest } of calls) {
          const own = Object.fromEntries(Object.entries(params).filter(([key]) => ids.includes(key)))
          const others = Object.entries(params).filter(([key]) => !ids.includes(key))
          if (rest.rules.length === 0)
            expect(withdrawals.includes(endpoint) || others.map(([key]) => key).join() === 'remove_labels').toBe(true)
          if (unseen.includes(endpoint)) continue
          const changing = others.filter(([key]) => !guards.includes(key))
          const parts =
            endpoint === 'mergeRequests.update' ? changing.map(([key, value]) => ({ ...own, [key]: value })) : [params]
          for (const part of parts) {
            const then = applied(all, { calls: [{ ...rest, endpoint, params: part }] } as Decision)
            expect(then, JSON.stringify([endpoint, part])).not.toEqual(all)
          }
        }
      }),
      { numRuns: 60 },
    )
  })
  it('withdraws only what Bellhop remembers as its own', () => {
    const nothing = rules(rule('{ draft: true, not: { draft: true } }', '{ subscribe: true }'))
    fc.assert(
      fc.property(usualAnswers, memories, (all, memory) => {
        for (const { endpoint, params } of decidedBy(nothing, { answers: all, memory }).calls) {
          if (endpoint === 'mergeRequests.unapprove') expect(memory.of?.approve).toBeDefined()
          else if (endpoint === 'mergeRequests.cancelMergeWhenPipelineSucceeds')
            expect(acceptMemory(memory).waitingSha).toBeDefined()
          else if (endpoint === 'mergeQueue.leave') expect(acceptMemory(memory).queued).toBeDefined()
          else expect(memory.of?.label).toEqual(expect.arrayContaining(String(params.remove_labels).split(',')))
        }
      }),
      { numRuns: 40 },
    )
  })
  it('that a rule restrains is not made, whatever the order of the rules', () => {
    const restrained = {
      unapprove: 'approve',
      cancel_accept: 'accept',
      close: 'accept',
      unsubscribe: 'subscribe',
    } as const
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.entries(restrained)),
        documents,
        usualAnswers,
        memories,
        fc.boolean(),
        (pair, text, all, memory, first) => {
          const [restrains, permits] = pair
          fc.pre(all.mergeRequest?.ok === true && (all.mergeRequest.body as { state: string }).state === 'opened')
          const guard = rule('{ state: opened }', `{ ${restrains}: true }`, 'guard')
          const whole = first ? text.replace('rules:\n', `rules:\n${guard}`) : `${text}${guard}`
          const { calls } = decidedBy(whole, { answers: all, memory })
          expect(calls.filter((call) => call.action === permits && !isWithdrawal(call))).toEqual([])
        },
      ),
      { numRuns: 40 },
    )
  })
})
