// Nothing that holds for some merge request is ever called impossible.
import fc from 'fast-check'
import { evaluateCondition } from '../../../src/rules/engine/conditions/evaluate-condition.ts'
import { createView } from '../../../src/rules/facts/reading/fact-view.ts'
import type { Condition } from '../../../src/rules/language/values/rule-types.ts'
import { contradictions } from '../../../src/rules/lint/possible.ts'
import { conditionsOf } from '../arbitraries.ts'
import { answer, answers, change, changesAnswer, input } from '../world.ts'

const label = fc.constantFrom('a', 'b', 'a::b', 'c')
const item = fc.oneof(
  label,
  fc.constantFrom('*', 'a*', '{a,c}', '?'),
  fc.constantFrom('a', '^b').map((matches) => ({ matches })),
)
const items = fc.array(item, { minLength: 1, maxLength: 3 })
const state = fc.constantFrom('opened', 'closed', 'merged', 'locked')
const level = fc.constantFrom('none', 'guest', 'planner', 'developer', 'maintainer')
const count = fc.integer({ min: 0, max: 4 })
const is = (fact: string, operators: string[], expected: fc.Arbitrary<unknown>): fc.Arbitrary<Condition> =>
  fc.record({ fact: fc.constant(fact), operator: fc.constantFrom(...operators), expected }) as fc.Arbitrary<Condition>

const leaf = fc.oneof(
  is('labels', ['any', 'all', 'none'], items),
  is('changed_files', ['any', 'all', 'none'], items),
  is('state', ['equals'], state),
  is('state', ['one_of'], fc.array(state, { minLength: 1, maxLength: 3 })),
  is('draft', ['equals'], fc.boolean()),
  is('upvotes', ['equals', 'at_least', 'at_most', 'more_than', 'less_than'], count),
  is(
    'age',
    ['older_than', 'newer_than'],
    count.map((days) => days * 86_400),
  ),
  is('author', ['equals', 'matches'], label),
  is('author_access', ['equals', 'at_least', 'at_most'], level),
  is('milestone', ['equals'], fc.constantFrom(null, 'a', '')),
)
const condition = conditionsOf([leaf], 3)

const mergeRequest = fc.record({
  labels: fc.uniqueArray(label),
  state,
  work_in_progress: fc.boolean(),
  upvotes: count,
  author: fc.record({ id: fc.constant(2), username: label }),
  milestone: fc.constantFrom(null, { id: 1, title: 'a' }, {}),
  created_at: fc.constantFrom('2026-01-11T00:00:00Z', '2026-01-10T00:00:00Z', '2026-01-08T12:00:00Z', 'never'),
})

it('what is true somewhere is possible', () => {
  fc.assert(
    fc.property(
      condition,
      mergeRequest,
      fc.array(label),
      fc.boolean(),
      fc.constantFrom(0, 10, 30, 40, 77),
      (expected, fields, files, complete, access_level) => {
        const given = answers(fields, {
          changes: changesAnswer(
            files.map((path) => change(path)),
            fields,
            complete,
          ),
          authorAccess: answer({ id: 2, access_level }),
        })
        const { trace } = evaluateCondition(expected, createView(input([], { answers: given })))
        fc.pre(trace.verdict === 'true')
        expect(contradictions([expected])).toBeUndefined()
      },
    ),
    { numRuns: 500 },
  )
})
