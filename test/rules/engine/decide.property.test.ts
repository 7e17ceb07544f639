// Deciding, whatever the rules and whatever a service answers: it ends, never throws, and is the same again.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, decideCalls } from '../../../src/rules/engine/decide.ts'
import { explainDecision, firstBlocker } from '../../../src/rules/explain/explain.ts'
import type { DecideInput, Decision, SourceAnswers } from '../../../src/rules/types.ts'
import { events, fields, files, hostileAnswers, json, memories, project, usualAnswers } from '../arbitraries.ts'
import { answer, answers, decided, input, mergeRequest } from '../world.ts'

/** Answers what is requested, one source after the other, as the bot does. */
function settle(given: DecideInput, all: SourceAnswers): { decision: Decision; asked: string[] } {
  const asked: string[] = []
  for (let state: DecideInput = { ...given, answers: {} }; ; ) {
    const result = decide(state)
    if ('decision' in result) return { decision: result.decision, asked }
    const [next] = result.needs
    if (next === undefined || asked.includes(next)) throw new Error(`requested ${next} after ${asked.join(', ')}`)
    asked.push(next)
    state = { ...state, answers: { ...state.answers, [next]: all[next] ?? { ok: false, reason: 'there is none' } } }
  }
}

describe('a decision', () => {
  it('is reached with each source read at most once, and is the same again', () => {
    fc.assert(
      fc.property(
        files,
        fc.oneof(hostileAnswers, usualAnswers),
        memories,
        project,
        events,
        (inForce, all, memory, about, happened) => {
          const given = input(inForce, { memory, project: about, events: happened })
          const { decision, asked } = settle(given, all)
          expect(settle(structuredClone(given), structuredClone(all))).toEqual({ decision, asked })
          expect(JSON.parse(JSON.stringify(decision))).toEqual(decision)
        },
      ),
      { numRuns: 400 },
    )
  })
  it('with everything read is the one that was reached by reading what was needed', () => {
    fc.assert(
      fc.property(files, usualAnswers, memories, events, (inForce, all, memory, happened) => {
        const given = input(inForce, { memory, answers: all, events: happened })
        expect(decided(given).calls).toEqual(settle(given, all).decision.calls)
      }),
      { numRuns: 300 },
    )
  })
  it('sends the same where only its calls are requested', () => {
    fc.assert(
      fc.property(files, fc.oneof(hostileAnswers, usualAnswers), memories, events, (inForce, all, memory, happened) => {
        const { decision, asked } = settle(input(inForce, { memory, events: happened }), all)
        const read = Object.fromEntries(
          asked.map((name) => [name, all[name] ?? { ok: false as const, reason: 'there is none' }]),
        )
        expect(decideCalls(input(inForce, { memory, events: happened, answers: read }))).toEqual({
          calls: decision.calls,
        })
        expect(decideCalls(input(inForce, { memory, events: happened, answers: {} }))).toEqual(
          asked.length === 0
            ? { calls: decision.calls }
            : decide(input(inForce, { memory, events: happened, answers: {} })),
        )
      }),
      { numRuns: 200 },
    )
  })
  it('can always be explained', () => {
    fc.assert(
      fc.property(files, fc.oneof(hostileAnswers, usualAnswers), memories, (inForce, all, memory) => {
        const { decision } = settle(input(inForce, { memory }), all)
        expect(explainDecision(decision).length).toBeGreaterThan(0)
        for (const each of decision.rules)
          expect(firstBlocker(each) !== undefined).toBe(
            each.verdict !== 'true' ||
              each.actions.some(
                ({ result, queue }) => result === 'blocked' || (result === 'waits' && queue === undefined),
              ),
          )
      }),
      { numRuns: 300 },
    )
  })
  it('survives one field of the merge request that is anything at all', () => {
    fc.assert(
      fc.property(files, fc.constantFrom(...fields), json, (inForce, field, value) => {
        settle(input(inForce), {
          ...answers({ [field]: value }),
          changes: answer({ ...mergeRequest(), [field]: value }),
        })
      }),
      { numRuns: 300 },
    )
  })
  it('never merges a head that it did not evaluate, nor by the repository’s rules what they may not', () => {
    fc.assert(
      fc.property(files, fc.oneof(hostileAnswers, usualAnswers), memories, project, (inForce, all, memory, about) => {
        const { decision } = settle(input(inForce, { memory, project: about }), all)
        const merging = decision.calls.filter((call) =>
          ['mergeRequests.accept', 'mergeRequests.approve'].includes(call.endpoint),
        )
        if (inForce.some((each) => each.broken)) expect(merging).toEqual([])
        for (const call of merging) expect(call.params.sha).toBe(decision.head)
        const changed = JSON.stringify(all.changes)
        if (inForce.every((each) => each.trust === 'repository') && changed.includes('.bellhop.yml'))
          expect(merging).toEqual([])
        expect(decision.calls.findIndex((call) => call.revalidate === true)).toBe(
          merging.some((call) => call.revalidate) ? decision.calls.length - 1 : -1,
        )
      }),
      { numRuns: 400 },
    )
  })
})
