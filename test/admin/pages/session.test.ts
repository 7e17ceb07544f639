// Sessions: signed by the token that they are of, for half a day, and they hold no token.
import { expect, test } from 'vitest'
import { createSessions, SESSION_MS } from '../../../src/admin/pages/session.ts'
import { allAdminTokens } from '../../../src/admin/tokens.ts'

const ann = { name: 'ann.b@home', scopes: ['read'], token: 'ann-token-0123456' } as const
const bob = { name: 'bob', scopes: ['read', 'manage'], token: 'bob-token-0123456' } as const
let at = 1_000_000
const now = () => at
const sessions = createSessions([ann, bob], now)

test('whoever has the token is known by name and scopes, in every process that knows the token', () => {
  const cookie = sessions.begin(ann)
  expect(cookie).not.toContain(ann.token)
  expect(createSessions([bob, ann], now).read(cookie)).toEqual({ name: 'ann.b@home', scopes: ['read'], csrf: expect.any(String) })
})

test('no two sessions are alike, and neither are the marks of their forms', () => {
  const [one, two] = [sessions.begin(ann), sessions.begin(ann)]
  expect(one).not.toBe(two)
  expect(sessions.read(one)?.csrf).not.toBe(sessions.read(two)?.csrf)
  expect(sessions.read(one)?.csrf).toBe(sessions.read(one)?.csrf)
})

test('a session ends after half a day', () => {
  const cookie = sessions.begin(bob)
  at += SESSION_MS - 1
  expect(sessions.read(cookie)?.name).toBe('bob')
  at += 1
  expect(sessions.read(cookie)).toBeUndefined()
})

test('a token that is changed ends its sessions and no others; one of two of a name may go', () => {
  const [hers, his] = [sessions.begin(ann), sessions.begin(bob)]
  const changed = createSessions([{ ...ann, token: 'another-token-0123' }, bob], now)
  expect([changed.read(hers), changed.read(his)?.name]).toEqual([undefined, 'bob'])
  const both = createSessions([{ ...ann, token: 'another-token-0123' }, ann], now)
  expect(both.read(hers)?.name).toBe(ann.name)
})

test('whatever is changed in a cookie, it is none', () => {
  const cookie = sessions.begin(ann)
  const [name = '', ends = '', random = '', mac = ''] = cookie.split('~')
  const forged = [
    `bob~${ends}~${random}~${mac}`,
    `${name}~${Number(ends) + 1}~${random}~${mac}`,
    `${name}~${ends}~${random}x~${mac}`,
    `${name}~${ends}~${random}~${mac.slice(1)}`,
    `${name}~${ends}~${random}`,
    `${cookie}~`,
    '',
    '~~~',
  ]
  for (const each of forged) expect(sessions.read(each), each).toBeUndefined()
  expect(sessions.read(undefined)).toBeUndefined()
})

test('without a token there is no session', () => {
  const empty = { name: 'admin', scopes: ['read'], token: '' } as const
  const none = createSessions([empty, ...allAdminTokens('', [])], now)
  expect(none.read(none.begin(empty))).toBeUndefined()
})
