// The merge queue, whatever the rules and the answers: at rest no entry stands that the rules do not ask for at this head.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decide } from '../../../src/rules/engine/decide.ts'
import type { DecideInput, Decision } from '../../../src/rules/types.ts'
import { events, files, hostileAnswers, memories, usualAnswers } from '../arbitraries.ts'
import { input, rememberDone } from '../world.ts'

/** Answers what is missing with an error. */
function decidedWith(given: DecideInput): Decision {
  for (let state = given; ; ) {
    const result = decide(state)
    if ('decision' in result) return result.decision
    const missing = result.needs.map((name) => [name, { ok: false as const, reason: 'there is none' }] as const)
    state = { ...state, answers: { ...state.answers, ...Object.fromEntries(missing) } }
  }
}

const entries = fc.constantFrom<DecideInput['queueEntry']>(
  undefined,
  { position: 1 },
  {
    removed: { reason: 'conflict', at: '2026-01-11T00:00:00Z' },
  },
)
const policies = fc.constantFrom<DecideInput['policy']>(
  undefined,
  { mode: 'off' },
  { mode: 'observe' },
  { mode: 'act', allows: [] },
)

it('at rest an entry stands only where a rule asks for it, in its queue and for this head', () => {
  fc.assert(
    fc.property(
      files,
      fc.oneof(hostileAnswers, usualAnswers),
      memories,
      fc.tuple(entries, policies, events),
      (inForce, answers, before, [queueEntry, policy, happened]) => {
        let memory = before
        let decision: Decision | undefined
        for (let turn = 0; turn < 6; turn++) {
          const entry = memory.queued === undefined || queueEntry === undefined ? {} : { queueEntry }
          const more = { answers, memory, events: turn === 0 ? happened : [], ...entry }
          decision = decidedWith(input(inForce, { ...more, ...(policy === undefined ? {} : { policy }) }))
          const entered = decision.calls.find(({ endpoint }) => (endpoint as string) === 'mergeQueue.enter')
          if (entered !== undefined) {
            expect(entered.params.sha).toBe(decision.head)
            expect(inForce.some(({ broken }) => broken)).toBe(false)
          }
          memory = rememberDone(memory, decision)
        }
        const named = decision?.rules.flatMap(({ actions }) => actions.flatMap(({ queue }) => queue ?? [])) ?? []
        const { queued } = memory
        if (named.length > 0) {
          expect(new Set(named)).toEqual(new Set([queued?.queue]))
          expect(queued).toMatchObject({ sha: decision?.head, target: decision?.target })
          expect(memory.waitingSha).toBeUndefined()
        } else if (inForce.every(({ broken }) => !broken) && decision?.calls.length === 0)
          expect(queued).toBeUndefined()
      },
    ),
    { numRuns: 400 },
  )
})
