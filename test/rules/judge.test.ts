// Judging: the laws of three-valued logic, and that reading more never changes what is settled.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/rules/judge.ts'
import type { Condition, FactValue, Verdict } from '../../src/rules/types.ts'

// Four facts, each of them a boolean that is known, unread or absent.
const names = ['draft', 'squash', 'subscribed', 'from_fork']
const leaf = fc.constantFrom(...names).map((fact): Condition => ({ fact, operator: 'equals', wanted: true }))
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
  ),
}))
const value: fc.Arbitrary<FactValue> = fc.constantFrom(
  { is: 'known', value: true, complete: true },
  { is: 'known', value: false, complete: true },
  { is: 'unread', source: 'mergeRequest' },
  { is: 'absent', reason: 'no' },
)
const world = fc.array(value, { minLength: 4, maxLength: 4 })
const view = (values: FactValue[]) => ({ fact: (name: string): FactValue => values[names.indexOf(name)] ?? { is: 'absent', reason: 'no' } })
const verdict = (given: Condition, values: FactValue[]): Verdict => judge(given, view(values)).trace.verdict

describe('a judgement', () => {
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
          (each, index): FactValue => (each.is === 'known' ? each : { is: 'known', value: truth[index] ?? false, complete: true }),
        )
        if (early !== 'unknown') expect(verdict(given, all)).toBe(early)
      }),
    )
  })
  it('that asks for nothing more can no longer become true', () => {
    fc.assert(
      fc.property(condition, world, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (given, values, truth) => {
        const { trace, needs } = judge(given, view(values))
        if (trace.verdict !== 'unknown') expect(needs).toEqual([])
        if (needs.length > 0 || trace.verdict === 'true') return
        const read = values.map(
          (each, index): FactValue => (each.is === 'unread' ? { is: 'known', value: truth[index] ?? false, complete: true } : each),
        )
        expect(verdict(given, read)).not.toBe('true')
      }),
    )
  })
  it('says how many of its parts hold', () => {
    const given: Condition = { all: names.map((fact) => ({ fact, operator: 'equals', wanted: true })) }
    const known = (value: boolean): FactValue => ({ is: 'known', value, complete: true })
    expect(judge(given, view([known(true), known(false), known(true), known(true)])).trace).toMatchObject({
      verdict: 'false',
      actual: '3 of 4 hold',
    })
  })
})
