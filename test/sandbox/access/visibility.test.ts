// Nothing is more visible than the group that it is in.
import { expect, test } from 'vitest'
import { checkGroupVisibility, checkProjectVisibility, isMoreVisible } from '../../../src/sandbox/access/visibility.ts'
import { family } from '../groups/family.ts'

const all = ['private', 'internal', 'public'] as const
const refusal = (check: () => void): unknown => {
  try {
    check()
    return 'fine'
  } catch (error) {
    return (error as { body: unknown }).body
  }
}

test('public is more visible than internal, and internal than private', () => {
  const pairs = all.flatMap((one) =>
    all.filter((other) => isMoreVisible(one, other)).map((other) => `${one} > ${other}`),
  )
  expect(pairs).toEqual(['internal > private', 'public > private', 'public > internal'])
})

test('more visibility than the group’s is refused, naming both', () => {
  const { outer } = family('internal').groups
  expect(all.map((visibility) => refusal(() => checkGroupVisibility(outer, visibility)))).toEqual([
    'fine',
    'fine',
    { message: { visibility_level: ['public is not allowed since the parent group has a internal visibility.'] } },
  ])
  expect(all.map((visibility) => refusal(() => checkProjectVisibility(outer, visibility)))).toEqual([
    'fine',
    'fine',
    { message: { visibility_level: ['public is not allowed in a internal group.'] } },
  ])
})

test('at the top and in a user’s namespace everything is allowed', () => {
  expect(refusal(() => checkGroupVisibility(undefined, 'public'))).toBe('fine')
  expect(refusal(() => checkProjectVisibility(undefined, 'public'))).toBe('fine')
})
