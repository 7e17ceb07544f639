// Who set a label last, by the events of labels.
import { expect, it } from 'vitest'
import { lastSetter } from '../../../../src/rules/facts/definition/service-values.ts'

const event = (action: string, name: string | null, user: unknown = { id: 7, username: 'rita' }) => ({
  action,
  label: name === null ? null : { name },
  user,
})
const rita = { id: 7, name: 'rita' }

it.each<[string, unknown, object | undefined]>([
  ['who added it', [event('add', 'x')], rita],
  ['the last who added it', [event('add', 'x', { id: 8, username: 'bob' }), event('add', 'x')], rita],
  ['not who removed it', [event('add', 'x'), event('remove', 'x', { id: 8, username: 'bob' })], rita],
  ['not who added another label, or one that is deleted', [event('add', 'y'), event('add', null)], undefined],
  [
    'nobody where the user is deleted',
    [event('add', 'x', { id: 8, username: 'bob' }), event('add', 'x', null)],
    undefined,
  ],
  ['nobody where the id is no id', [event('add', 'x', { id: '7', username: 'rita' })], undefined],
  ['still who added it where another entry cannot be read', [event('add', 'x'), 'add'], rita],
  ['nobody where it is no list', { message: 'x' }, undefined],
])('it is %s', (_what, body, expected) => {
  expect(lastSetter(body, 'x')).toEqual(expected)
})
