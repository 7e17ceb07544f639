// The schema never refuses what check takes: an editor must not underline a rule that works.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { actions } from '../../../../src/rules/actions/index.ts'
import { facts } from '../../../../src/rules/facts/index.ts'
import { readRules } from '../../../../src/rules/language/documents/rule-document.ts'
import { eventKinds } from '../../../../src/rules/language/events.ts'
import { operators } from '../../../../src/rules/language/operators/operators.ts'
import { ruleFileSchema } from '../../../../src/rules/language/schema/rule-file.ts'

const takes = new Ajv2020({ allowUnionTypes: true }).compile(ruleFileSchema())

const words = [
  ...'a,b opened success developer 1h 0m 1h1h 09:00-17:30 2026-12-20 mon UTC (?i)x é'.split(' '),
  ...['a', '', ' ', '2d 4h', '{{ author }}', '\u{1F600}'],
]
const plain = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 2 ** 53),
  fc.constantFrom(...words),
  fc.string({ maxLength: 5 }),
)
const keys = [
  ...Object.keys(operators),
  ...'not add remove set while squash when pipeline duration overwrite'.split(' '),
  ...'days hours from to zone title lock_discussion'.split(' '),
]
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    plain,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('any'), { maxKeys: 2 }),
  ),
})).any

const condition = fc.dictionary(fc.constantFrom(...Object.keys(facts)), value, { minKeys: 1, maxKeys: 1 })
const action = fc.dictionary(fc.constantFrom(...Object.keys(actions)), value, { minKeys: 1, maxKeys: 1 })
const event = fc.oneof(
  fc.constantFrom(...eventKinds),
  fc.array(fc.constantFrom(...eventKinds)),
  fc.dictionary(fc.constantFrom(...eventKinds), fc.oneof(fc.constant(null), fc.record({ changed: value }))),
)

const subject = fc.constantFrom('issues', 'merge_requests', null)
const draft = fc.constant({ draft: true })
const rule = fc.oneof(
  fc.record({ conditions: condition, actions: fc.constant({ subscribe: true }) }),
  fc.record({ conditions: draft, actions: action }),
  fc.record({ conditions: condition, actions: fc.constant({ subscribe: true }), on: event }),
  fc.record({ conditions: draft, actions: action, on: event }),
  fc.record({ conditions: condition, actions: fc.constant({ subscribe: true }), for: subject }),
  fc.record({ conditions: fc.constant({ state: 'opened' }), actions: action, on: event, for: subject }),
)

it('what check takes, the schema takes', () => {
  let taken = 0
  fc.assert(
    fc.property(rule, ({ conditions, actions: expected, ...more }) => {
      const entries = [['name', 'a'], ...Object.entries(more), ['if', conditions], ['then', expected]]
      const file = { rules: [Object.fromEntries(entries)] }
      if (!readRules(JSON.stringify(file), 'f', { trust: 'operator' }).ok) return
      taken++
      expect(takes(file), JSON.stringify([file, takes.errors])).toBe(true)
    }),
    { numRuns: 1500 },
  )
  // Else nothing was tested.
  expect(taken).toBeGreaterThan(20)
})
