// Evaluating: the laws of three-valued logic, and that reading more never changes what is settled.
import fc from 'fast-check'
import {
  type ConditionEvaluation,
  compiledFile,
  createEvaluation,
  evaluateCondition,
} from '../../../../src/rules/engine/conditions/evaluate-condition.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import type { Condition, Verdict } from '../../../../src/rules/language/values/rule-types.ts'
import type { FactValue, SourceAnswers } from '../../../../src/rules/types.ts'
import { conditionsOf, events, files, hostileAnswers, usualAnswers } from '../../arbitraries.ts'
import { answer, decidedBy, decideRule, file, input, mergeRequest, rule, rules } from '../../world.ts'

// Four facts, each of them a boolean that is known, unread or absent.
const names = ['draft', 'squash', 'subscribed', 'from_fork']
const leaf = fc.constantFrom(...names).map((fact): Condition => ({ fact, operator: 'equals', expected: true }))
const condition = conditionsOf([leaf], 4)
const value: fc.Arbitrary<FactValue> = fc.constantFrom(
  { is: 'known', value: true, complete: true },
  { is: 'known', value: false, complete: true },
  { is: 'unread', source: 'mergeRequest' },
  { is: 'absent', reason: 'no' },
)
const world = fc.array(value, { minLength: 4, maxLength: 4 })
const view = (values: FactValue[]) => {
  const fact = (name: string): FactValue => values[names.indexOf(name)] ?? { is: 'absent', reason: 'no' }
  return {
    now: 0,
    subject: 'merge_request' as const,
    fact,
    membersAmong: fact,
    publicFact: fact,
    hides: () => false,
    actual: (_: string, say: () => string) => say(),
  }
}
const verdict = (given: Condition, values: FactValue[]): Verdict => evaluateCondition(given, view(values)).trace.verdict

describe('an evaluation', () => {
  it('has nothing to fix inside a `not`', () => {
    const draft = { fact: 'draft', operator: 'equals', expected: true }
    const no: FactValue[] = [{ is: 'known', value: false, complete: true }]
    expect(evaluateCondition(draft, view(no)).trace.toFix).toBe('mark it as a draft')
    expect(evaluateCondition({ not: draft }, view(no)).trace).toMatchObject({
      verdict: 'true',
      children: [{ verdict: 'false', toFix: undefined }],
    })
  })
  it('obeys De Morgan', () => {
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 3 }), world, (list, values) => {
        const each = list.map((inner) => ({ not: inner }))
        expect(verdict({ not: { all: list } }, values)).toBe(verdict({ any: each }, values))
        expect(verdict({ not: { any: list } }, values)).toBe(verdict({ all: each }, values))
        expect(verdict({ not: { not: { all: list } } }, values)).toBe(verdict({ all: list }, values))
      }),
    )
  })
  it('that is settled stays so, whatever the unknown turns out to be', () => {
    fc.assert(
      fc.property(condition, world, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (given, values, truth) => {
        const early = verdict(given, values)
        const all = values.map(
          (each, index): FactValue =>
            each.is === 'known' ? each : { is: 'known', value: truth[index] ?? false, complete: true },
        )
        if (early !== 'unknown') expect(verdict(given, all)).toBe(early)
      }),
    )
  })
  it('that requests nothing more can no longer become true', () => {
    fc.assert(
      fc.property(condition, world, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (given, values, truth) => {
        const { trace, needs } = evaluateCondition(given, view(values))
        if (trace.verdict !== 'unknown') expect(needs).toEqual([])
        if (needs.length > 0 || trace.verdict === 'true') return
        const read = values.map(
          (each, index): FactValue =>
            each.is === 'unread' ? { is: 'known', value: truth[index] ?? false, complete: true } : each,
        )
        expect(verdict(given, read)).not.toBe('true')
      }),
    )
  })
  it('says how many of its parts hold', () => {
    const given: Condition = { all: names.map((fact) => ({ fact, operator: 'equals', expected: true })) }
    const known = (value: boolean): FactValue => ({ is: 'known', value, complete: true })
    expect(evaluateCondition(given, view([known(true), known(false), known(true), known(true)])).trace).toMatchObject({
      verdict: 'false',
      actual: '3 of 4 matched',
    })
  })
})

describe('a verdict changes by itself', () => {
  const minute = 60_000
  const start = Date.parse('2026-01-11T00:00:00Z')
  const minutes = fc.integer({ min: 0, max: 20_000 })
  const window = fc.constantFrom<Condition>(
    { fact: 'clock', operator: 'within', expected: [{ days: ['mon', 'wed'], hours: '22:00-06:00' }] },
    { fact: 'clock', operator: 'within', expected: [{ hours: '09:00-17:30', zone: 'Europe/Berlin' }] },
    { fact: 'clock', operator: 'within', expected: [{ from: '2026-01-13', to: '2026-01-20' }] },
  )
  const old = fc
    .tuple(fc.constantFrom('age', 'updated'), fc.constantFrom('older_than', 'newer_than'), minutes)
    .map(([fact, operator, span]): Condition => ({ fact, operator, expected: span * 60 }))
  const timeless = fc
    .constantFrom('draft', 'subscribed')
    .map((fact): Condition => ({ fact, operator: 'equals', expected: false }))
  const timed = conditionsOf([window, old, timeless], 3)
  const mergeRequests: fc.Arbitrary<SourceAnswers> = fc
    .tuple(minutes, minutes, fc.constantFrom(true, false, undefined))
    .map(([created, updated, draft]) => ({
      mergeRequest: answer(
        mergeRequest({
          created_at: new Date(start - created * minute).toISOString(),
          updated_at: new Date(start - updated * minute).toISOString(),
          work_in_progress: draft,
        }),
      ),
    }))
  const at = (given: Condition, answers: SourceAnswers, time: number) =>
    evaluateCondition(given, createView(input([], { answers, now: new Date(time).toISOString() })))

  it('never before the given moment', () => {
    fc.assert(
      fc.property(
        timed,
        mergeRequests,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
        (given, answers, parts) => {
          const { trace, changesAt } = at(given, answers, start)
          if (changesAt !== undefined) expect(changesAt).toBeGreaterThan(start)
          const last = changesAt === undefined ? start + 400 * 1440 * minute : changesAt - 1
          for (const part of [1, ...parts])
            expect(at(given, answers, start + Math.floor(part * (last - start))).trace.verdict).toBe(trace.verdict)
        },
      ),
      { numRuns: 300 },
    )
  })
  const created = (ago: number) => answer(mergeRequest({ created_at: new Date(start - ago).toISOString() }))
  it.each([
    ['older_than', 86_400_000, 1],
    ['older_than', 86_399_999, 2],
    ['newer_than', 86_399_999, 1],
  ])('when an age is %s a day after %i milliseconds, in %i', (operator, ago, expected) => {
    const given: Condition = { fact: 'age', operator, expected: 86_400 }
    const { trace, changesAt } = at(given, { mergeRequest: created(ago) }, start)
    expect(changesAt).toBe(start + expected)
    expect(at(given, { mergeRequest: created(ago) }, start + expected).trace.verdict).not.toBe(trace.verdict)
  })
  const soon: Condition = { fact: 'age', operator: 'older_than', expected: 3600 }
  const late: Condition = { fact: 'age', operator: 'older_than', expected: 7200 }
  const never: Condition = { fact: 'draft', operator: 'equals', expected: true }
  const over: Condition = { fact: 'age', operator: 'newer_than', expected: 60 }
  const unread: Condition = { fact: 'approvals_left', operator: 'equals', expected: 0 }
  it.each([
    ['all that are false: when the last of them changes', { all: [soon, late] }, 7200],
    ['all, of which one stays false', { all: [soon, never] }, undefined],
    ['any: when the first of them changes', { any: [soon, late, never] }, 3600],
    ['not: as what is in it', { not: { any: [soon, late] } }, 3600],
    ['an age that is over', over, undefined],
    ['something unknown: when another part settles it', { any: [unread, late] }, 7200],
  ] as [string, Condition, number | undefined][])('%s', (_what, given, seconds) => {
    const { changesAt } = at(given, { mergeRequest: created(30 * minute) }, start)
    const expected = seconds === undefined ? undefined : start - 30 * minute + seconds * 1000 + 1
    expect(changesAt).toBe(expected)
  })
  it('and the decision tells the first moment of all its rules', () => {
    const text = rules(
      rule('{ age: { older_than: 30d } }', '{ subscribe: true }', 'late'),
      rule('{ clock: { from: 2026-01-12 } }', '{ subscribe: true }', 'soon'),
      rule('{ draft: true }', '{ subscribe: true }', 'never'),
    )
    expect(decidedBy(text).changesAt).toBe('2026-01-12T00:00:00.000Z')
    expect(decideRule('{ draft: true }', '{ subscribe: true }').changesAt).toBeUndefined()
  })
  it('a rule for an event that is over is not waited for', () => {
    const text = 'rules:\n  - { name: a, on: push, if: { age: { older_than: 30d } }, then: { subscribe: true } }\n'
    const events = [{ id: 'd1', event: { kind: 'push', actor: { id: 2 }, at: '2026-01-11T00:00:00Z' } }]
    expect(decidedBy(text, { events }).changesAt).toBeUndefined()
  })
})

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
  it.each([
    ['stops at what settles a rule', '{ draft: true, title: door, labels: a }'],
    [
      'requests what is cheap first, wherever it stands',
      '{ changed_files: { any: "docs/**" }, title: { matches: a }, draft: true }',
    ],
  ])('%s', (_what, conditions) => {
    const compiled = compiledFile(file(rules(rule(conditions, '{ todo: true }'))).rules)
    const { asked, evaluating } = listening()
    expect(compiled.map(evaluating.verdict)).toEqual(['false'])
    expect(asked).toEqual(['draft'])
  })
})
