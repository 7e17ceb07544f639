// The merge queue, whatever rules and answers are: at rest no entry stands that the rules do not request at this head.

import fc from 'fast-check'
import { acceptMemory } from '../../../src/rules/actions/definition/accept-memory.ts'
import { decide } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { DecideInput, Decision } from '../../../src/rules/types.ts'
import { events, files, hostileAnswers, memories, usualAnswers } from '../arbitraries.ts'
import { answers as answersOf, file, head, input, rememberDone, rule, rules } from '../world.ts'

/** Answers what is missing with an error. */
function decidedWith(given: DecideInput): Decision {
  for (let state = given; ; ) {
    const result = decide(state)
    if ('decision' in result) return result.decision
    const missing = result.needs.map((name) => [name, { ok: false as const, reason: 'there is none' }] as const)
    state = { ...state, answers: { ...state.answers, ...Object.fromEntries(missing) } }
  }
}

const removed = { removed: { reason: 'conflict', at: '2026-01-11T00:00:00Z' } } as const
const entries = fc.constantFrom<DecideInput['queueEntry']>(undefined, { progress: 'Position 1 of 1.' }, removed)
const policies = fc.constantFrom<DecideInput['policy']>(
  ...[undefined, { mode: 'off' as const }, { mode: 'observe' as const }, { mode: 'act' as const, allows: [] }],
)

it('at rest an entry stands only where a rule asks for it, in its queue and for this head', () => {
  fc.assert(
    fc.property(
      files,
      fc.oneof(hostileAnswers, usualAnswers),
      memories,
      fc.tuple(entries, policies, events),
      (inForce, answers, before, [entry, policy, happened]) => {
        let memory = before
        let decision: Decision | undefined
        for (let turn = 0; turn < 6; turn++) {
          const queueEntry = acceptMemory(memory).queued === undefined ? undefined : entry
          const more = { answers, memory, events: turn === 0 ? happened : [], queueEntry, policy }
          decision = decidedWith(input(inForce, more))
          const entered = decision.calls.find(({ endpoint }) => endpoint === 'mergeQueue.enter')
          if (entered !== undefined) {
            expect(entered.params.sha).toBe(decision.head)
            expect(inForce.some(({ broken }) => broken)).toBe(false)
          }
          memory = rememberDone(memory, decision)
        }
        const named = decision?.rules.flatMap(({ actions }) => actions.flatMap(({ queue }) => queue ?? [])) ?? []
        const { queued, waitingSha } = acceptMemory(memory)
        if (named.length > 0) {
          expect(new Set(named)).toEqual(new Set([queued?.queue]))
          expect(queued).toMatchObject({ sha: decision?.head, target: decision?.target })
          expect(waitingSha).toBeUndefined()
        } else if (inForce.every(({ broken }) => !broken) && decision?.calls.length === 0)
          expect(queued).toBeUndefined()
      },
    ),
    { numRuns: 80 },
  )
})

const queues = 'queues: [{ name: main, target: main }, { name: release, target: release }]\n'
const asked = file(`${queues}${rules(rule('{ labels: { any: on } }', '{ accept: { queue: main } }'))}`)
/** What an author can change between two evaluations. */
const edits = fc.record({
  labels: fc.constantFrom<string[]>(['on'], []),
  draft: fc.boolean(),
  state: fc.constantFrom('opened', 'opened', 'closed'),
  sha: fc.constantFrom(head, head, 'b'.repeat(40)),
  target_branch: fc.constantFrom('main', 'main', 'release'),
})

it('after any edits an entry stands exactly where the rule asks for it, ready, for this head and target', () => {
  let standing = 0
  fc.assert(
    fc.property(fc.array(edits, { minLength: 1, maxLength: 6 }), (sequence) => {
      let memory = emptyMemory()
      for (const fields of sequence) {
        for (let turn = 0; turn < 3; turn++)
          memory = rememberDone(memory, decidedWith(input([asked], { answers: answersOf(fields), memory })))
        // The pipeline is one of `head`.
        const { labels, draft, state, sha, target_branch: target } = fields
        const isAsked = labels.includes('on') && !draft && state === 'opened' && sha === head && target === 'main'
        expect(acceptMemory(memory).queued?.sha).toBe(isAsked ? head : undefined)
        standing += Number(isAsked)
      }
    }),
    { numRuns: 60 },
  )
  expect(standing).toBeGreaterThan(0)
})
