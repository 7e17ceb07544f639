// Deciding, whatever the rules and whatever a service answers: it ends, never throws, and is the same again.
import fc from 'fast-check'
import { decide, decideCalls } from '../../../src/rules/engine/decide.ts'
import { explainDecision, firstBlocker } from '../../../src/rules/explain/explain.ts'
import type { DecideInput, Decision, SourceAnswers } from '../../../src/rules/types.ts'
import { events, fields, files, hostileAnswers, json, memories, project, usualAnswers } from '../arbitraries.ts'
import { answer, answers, decided, input, mergeRequest } from '../world.ts'

/** Answers what is requested, one source after the other, as the bot does. */
function settle(given: DecideInput, all: SourceAnswers): { decision: Decision; read: SourceAnswers } {
  for (let read: SourceAnswers = {}; ; ) {
    const result = decide({ ...given, answers: read })
    if ('decision' in result) return { decision: result.decision, read }
    const [next] = result.needs
    if (next === undefined || next in read) throw new Error(`requested ${next} after ${Object.keys(read).join(', ')}`)
    read = { ...read, [next]: all[next] ?? { ok: false, reason: 'there is none' } }
  }
}

function expectExplained(decision: Decision): void {
  expect(explainDecision(decision).length).toBeGreaterThan(0)
  for (const each of decision.rules)
    expect(firstBlocker(each) !== undefined).toBe(
      each.verdict !== 'true' ||
        each.actions.some(({ result, queue }) => result === 'blocked' || (result === 'waits' && queue === undefined)),
    )
}

/** It merges last, no head that it did not evaluate, and nothing that the repository's rules may not merge. */
function expectSafeMerge({ calls, head }: Decision, { files: inForce }: DecideInput, all: SourceAnswers): void {
  const merging = calls.filter(({ endpoint }) => /^mergeRequests\.(accept|approve)$/.test(endpoint))
  const changesRules = JSON.stringify(all.changes).includes('.bellhop.yml')
  if (inForce.some(({ broken, trust }) => broken || (trust === 'repository' && changesRules)))
    expect(merging).toEqual([])
  for (const call of merging) expect(call.params.sha).toBe(head)
  expect(calls.findIndex((call) => call.revalidate === true)).toBe(
    merging.some((call) => call.revalidate) ? calls.length - 1 : -1,
  )
}

describe('a decision', () => {
  it('reads each source at most once, is the same again, can be explained, and merges only what it may', () => {
    fc.assert(
      fc.property(
        files,
        fc.oneof(hostileAnswers, usualAnswers),
        memories,
        project,
        events,
        (inForce, all, memory, about, happened) => {
          const given = input(inForce, { memory, project: about, events: happened, answers: {} })
          const { decision, read } = settle(given, all)
          expect(settle(structuredClone(given), structuredClone(all))).toEqual({ decision, read })
          expect(JSON.parse(JSON.stringify(decision))).toEqual(decision)
          expectExplained(decision)
          expectSafeMerge(decision, given, all)
          // The same calls are decided alone, from what was read and from nothing.
          const { calls } = decision
          expect(decideCalls({ ...given, answers: read })).toEqual({ calls })
          expect(decideCalls(given)).toEqual(Object.keys(read).length === 0 ? { calls } : decide(given))
        },
      ),
      { numRuns: 100 },
    )
  })
  it('with everything read is the one that was reached by reading what was needed', () => {
    fc.assert(
      fc.property(files, usualAnswers, memories, events, (inForce, all, memory, happened) => {
        const given = input(inForce, { memory, answers: all, events: happened })
        expect(decided(given).calls).toEqual(settle(given, all).decision.calls)
      }),
      { numRuns: 40 },
    )
  })
  it('survives one field of the merge request that is anything at all', () => {
    fc.assert(
      fc.property(files, fc.constantFrom(...fields), json, (inForce, field, value) => {
        const changed = { [field]: value }
        settle(input(inForce), { ...answers(changed), changes: answer({ ...mergeRequest(), ...changed }) })
      }),
      { numRuns: 100 },
    )
  })
})
