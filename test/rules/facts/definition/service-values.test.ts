// Lists as services send them, and the user of a name in one.
import { lastSetter, parseTime, userIn, userNamed } from '../../../../src/rules/facts/definition/service-values.ts'

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

describe('a time', () => {
  it.each([
    '2017-09-15T16:50:55Z',
    '2017-09-15T16:50:55.000Z',
    '2017-09-15 16:50:55 UTC',
    '2017-09-15T18:50:55+02:00',
    '2017-09-15T18:50:55.000+0200',
  ])('of the form %s is read', (text) => {
    expect(parseTime(text)).toBe(Date.UTC(2017, 8, 15, 16, 50, 55))
  })
  it.each(['2017-09-15T16:50:55', '2017-09-15', 'yesterday', '', 5, null, undefined, '2017-13-45T99:99:99Z', {}])(
    '%j is no time',
    (value) => {
      expect(parseTime(value)).toBeUndefined()
    },
  )
})

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
