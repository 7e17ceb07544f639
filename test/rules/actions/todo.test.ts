// todo: once while the rule matches; the service itself knows whether there is one.
import { decideRule, rememberAs } from '../world.ts'

it.each([
  ['already', ['todo']],
  ['refused', []],
] as const)('that the service answers with %s is remembered so', (result, done) => {
  const decision = decideRule('{ draft: false }', '{ todo: true }')
  expect(Object.values(rememberAs(result, decision).rules)[0]?.done).toEqual(done)
})
