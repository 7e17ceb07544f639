// What an action remembers stands under its name, beside that of other actions.
import { expect, test } from 'vitest'
import { actionMemory } from '../../../../src/rules/actions/definition/action-memory.ts'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'

test('an action remembers under its own name, and forgets without a trace', () => {
  const [one, two] = [actionMemory<string>('one'), actionMemory<number[]>('two')]
  const both = two.put(one.put(emptyMemory(), 'a'), [1])
  expect([both.of, one.of(both), two.of(both)]).toEqual([{ one: 'a', two: [1] }, 'a', [1]])
  const left = one.put(both, undefined)
  expect([left.of, one.of(left)]).toEqual([{ two: [1] }, undefined])
  expect(two.put(left, undefined)).toStrictEqual(emptyMemory())
})
