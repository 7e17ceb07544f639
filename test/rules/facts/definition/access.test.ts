// Access levels as the service's answer about a member says them.
import { expect, it } from 'vitest'
import { accessIn } from '../../../../src/rules/facts/definition/access.ts'

const known = (value: string) => ({ is: 'known', value, complete: true })

it.each([
  [30, known('developer')],
  [50, known('owner')],
  [5, known('minimal')],
  [15, known('planner')],
  // A level between two is of a newer service: neither of them is guessed.
  [25, known('level 25')],
  [-1, { is: 'absent', reason: 'the hosting service does not say' }],
  [undefined, { is: 'absent', reason: 'the hosting service does not say' }],
])('level %j is %j', (access_level, expected) => {
  expect(accessIn({ is: 'read', body: { access_level }, complete: true })).toEqual(expected)
})

const forbidden = { is: 'absent', reason: 'forbidden', status: 403 } as const
const unread = { is: 'unread', source: 'actorAccess@2' } as const

it.each([
  [{ is: 'absent', reason: 'not found', status: 404 } as const, known('none')],
  [forbidden, forbidden],
  [unread, unread],
])('%j is %j', (reading, expected) => {
  expect(accessIn(reading)).toEqual(expected)
})
