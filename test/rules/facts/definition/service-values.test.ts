// Lists as services send them, and the user of a name in one.
import { expect, it } from 'vitest'
import { userIn, userNamed } from '../../../../src/rules/facts/definition/service-values.ts'

const carol = { id: 3, username: 'carol' }

it.each([
  ['the one of the name', [{ id: 2, username: 'carola' }, carol], 3],
  ['the same in another case, as the service sees it', [{ id: 3, username: 'Carol' }], 3],
  ['nobody among others', [{ id: 2, username: 'caro' }], undefined],
  ['nobody in an empty list', [], undefined],
  ['nobody without an id', [{ username: 'carol' }], undefined],
  ['nobody whose id is no number', [{ id: '3', username: 'carol' }], undefined],
  ['past entries that are no users', [null, 7, 'carol', { username: 5 }, carol], 3],
  ['nobody in an object', { id: 3, username: 'carol' }, undefined],
  ['nobody where nothing was read', undefined, undefined],
])('finds %s', (_what, body, expected) => {
  expect(userNamed(body, 'carol')).toBe(expected)
})

it('tells the name as the service writes it, and whether the user is active', () => {
  expect(userIn([{ id: 2, username: 'Bob', state: 'blocked' }], 'bob')).toEqual({ id: 2, name: 'Bob', isActive: false })
  expect(userIn([carol, { ...carol, state: 'active' }], 'carol')?.isActive).toBe(false)
})
