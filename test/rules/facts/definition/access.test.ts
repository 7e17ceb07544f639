// Access levels as the service's answer about a member says them.
import { expect, it } from 'vitest'
import { accessIn } from '../../../../src/rules/facts/definition/access.ts'

it.each([
  [
    { is: 'read', body: { access_level: 30 }, complete: true },
    { is: 'known', value: 'developer', complete: true },
  ],
  [
    { is: 'read', body: { access_level: 50 }, complete: true },
    { is: 'known', value: 'owner', complete: true },
  ],
  [
    { is: 'read', body: { access_level: 5 }, complete: true },
    { is: 'known', value: 'minimal', complete: true },
  ],
  [
    { is: 'read', body: { access_level: 15 }, complete: true },
    { is: 'known', value: 'planner', complete: true },
  ],
  // A level between two is of a newer service: neither of them is guessed.
  [
    { is: 'read', body: { access_level: 25 }, complete: true },
    { is: 'known', value: 'level 25', complete: true },
  ],
  [
    { is: 'read', body: { access_level: -1 }, complete: true },
    { is: 'absent', reason: 'the hosting service does not say' },
  ],
  [
    { is: 'read', body: {}, complete: true },
    { is: 'absent', reason: 'the hosting service does not say' },
  ],
  [
    { is: 'absent', reason: 'not found', status: 404 },
    { is: 'known', value: 'none', complete: true },
  ],
  [
    { is: 'absent', reason: 'forbidden', status: 403 },
    { is: 'absent', reason: 'forbidden', status: 403 },
  ],
  [
    { is: 'unread', source: 'actorAccess@2' },
    { is: 'unread', source: 'actorAccess@2' },
  ],
] as [Parameters<typeof accessIn>[0], unknown][])('%j is %j', (reading, expected) => {
  expect(accessIn(reading)).toEqual(expected)
})
