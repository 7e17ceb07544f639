// Evaluating all rules: each verdict is that of its trace.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { evaluateRules } from '../../../../src/rules/engine/conditions/evaluate-rules.ts'
import { ruleEvaluations } from '../../../../src/rules/engine/conditions/rules-in-force.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import { events, files, hostileAnswers, usualAnswers } from '../../arbitraries.ts'
import { head, input } from '../../world.ts'

it('evaluating all rules gives the verdicts that their traces give', () => {
  fc.assert(
    fc.property(files, fc.oneof(hostileAnswers, usualAnswers), events, (inForce, answers, happened) => {
      const given = input(inForce, { answers, events: happened })
      const all = ruleEvaluations(given)
      const { verdicts, trace } = evaluateRules(all, given, createView(given), { head })
      expect(verdicts).toEqual(all.map((_, place) => trace(place).trace.verdict))
    }),
    { numRuns: 60 },
  )
})
