// Evaluating many rules at once: the verdicts and traces of each condition by itself, whatever was asked before.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ConditionEvaluation,
  compiledFile,
  createEvaluation,
  evaluateCondition,
} from '../../../../src/rules/engine/conditions/evaluate-condition.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import type { SourceAnswers } from '../../../../src/rules/types.ts'
import { events, files, hostileAnswers, usualAnswers } from '../../arbitraries.ts'
import { file, input, rule, rules } from '../../world.ts'

/** Some of the answers: what was not read yet is unread. */
const someAnswers: fc.Arbitrary<SourceAnswers> = fc
  .tuple(fc.oneof(hostileAnswers, usualAnswers), fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }))
  .map(([all, kept]) => Object.fromEntries(Object.entries(all).filter((_, index) => kept[index] !== false)))

/** Tells which facts are requested. */
function listening(): { asked: string[]; evaluating: ConditionEvaluation } {
  const asked: string[] = []
  const view = createView(input([]))
  const fact = (name: string) => {
    asked.push(name)
    return view.fact(name)
  }
  return { asked, evaluating: createEvaluation({ ...view, fact }) }
}

describe('evaluating many rules', () => {
  it('gives for each what it gives by itself, verdict first or trace first', () => {
    fc.assert(
      fc.property(files, someAnswers, events, fc.boolean(), (inForce, answers, [occurrence], verdictFirst) => {
        for (const { rules: ruleFile } of inForce) {
          const compiled = compiledFile(ruleFile)
          const view = createView(input([], { answers }), occurrence?.event)
          const evaluating = createEvaluation(view)
          for (const [index, { if: condition }] of ruleFile.rules.entries()) {
            const own = compiled[index]
            if (own === undefined) throw new Error('a rule was not compiled')
            const plain = evaluateCondition(condition, createView(input([], { answers }), occurrence?.event))
            const verdict = verdictFirst ? evaluating.verdict(own) : undefined
            expect(evaluating.trace(own, 'true')).toEqual(plain)
            expect(verdict ?? evaluating.verdict(own)).toBe(plain.trace.verdict)
          }
        }
      }),
      { numRuns: 60 },
    )
  })
  it('reads a fact once for equal conditions of many rules', () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      rule('{ title: { matches: door }, draft: false }', '{ todo: true }', `${index}`),
    )
    const { rules: ruleFile } = file(rules(...many))
    const compiled = compiledFile(ruleFile)
    const { asked, evaluating } = listening()
    for (const each of compiled) evaluating.verdict(each)
    expect(asked).toEqual(['draft', 'title'])
  })
  it('stops at what settles a rule', () => {
    const { rules: ruleFile } = file(rules(rule('{ draft: true, title: door, labels: a }', '{ todo: true }')))
    const compiled = compiledFile(ruleFile)
    const { asked, evaluating } = listening()
    expect(compiled.map(evaluating.verdict)).toEqual(['false'])
    expect(asked).toEqual(['draft'])
  })
  it('requests what is cheap first, wherever it stands', () => {
    const { rules: ruleFile } = file(
      rules(rule('{ changed_files: { any: "docs/**" }, title: { matches: a }, draft: true }', '{ todo: true }')),
    )
    const compiled = compiledFile(ruleFile)
    const { asked, evaluating } = listening()
    expect(compiled.map(evaluating.verdict)).toEqual(['false'])
    expect(asked).toEqual(['draft'])
  })
})
