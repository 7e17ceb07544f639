// Sessions: signed by their token, valid for half a day or until they are ended, without the token itself.
import { allAdminTokens } from '../../../../src/admin/access/authenticate.ts'
import { createSessions, SESSION_MS } from '../../../../src/admin/pages/session/session.ts'
import type { Journal } from '../../../../src/journal/journal.ts'

const ann = { name: 'ann.b@home', scopes: ['read'], token: 'ann-token-0123456' } as const
const bob = { name: 'bob', scopes: ['read', 'manage'], token: 'bob-token-0123456' } as const
let at = 1_000_000
const now = () => at
const ids = new Set<string>()
const marks = {
  write: async (_project: number, mark: string) => void ids.add(mark),
  read: async (_project: number, mark: string) => ids.has(mark) || undefined,
} as unknown as Journal['marks']
const ended = { marks }
const sessions = createSessions([ann, bob], now, ended)

test('a session has the name and scopes of its token, in every process with that token', async () => {
  const cookie = sessions.begin(ann)
  expect(cookie).not.toContain(ann.token)
  const read = await createSessions([bob, ann], now, ended).read(cookie)
  expect(read).toEqual({ name: 'ann.b@home', scopes: ['read'], csrf: expect.any(String) })
})

test('each session has its own cookie and CSRF token', async () => {
  const [one, two] = [sessions.begin(ann), sessions.begin(ann)]
  expect(one).not.toBe(two)
  const csrf = async (cookie: string) => (await sessions.read(cookie))?.csrf
  expect(await csrf(one)).not.toBe(await csrf(two))
  expect(await csrf(one)).toBe(await csrf(one))
})

test('a session ends after half a day', async () => {
  const cookie = sessions.begin(bob)
  at += SESSION_MS - 1
  expect((await sessions.read(cookie))?.name).toBe('bob')
  at += 1
  expect(await sessions.read(cookie)).toBeUndefined()
})

test('a changed token ends its own sessions only; one of two tokens of a name may be removed', async () => {
  const [hers, his] = [sessions.begin(ann), sessions.begin(bob)]
  const changed = createSessions([{ ...ann, token: 'another-token-0123' }, bob], now, ended)
  expect([await changed.read(hers), (await changed.read(his))?.name]).toEqual([undefined, 'bob'])
  const both = createSessions([{ ...ann, token: 'another-token-0123' }, ann], now, ended)
  expect((await both.read(hers))?.name).toBe(ann.name)
})

test('a changed cookie is refused', async () => {
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
  for (const each of forged) expect(await sessions.read(each), each).toBeUndefined()
  expect(await sessions.read(undefined)).toBeUndefined()
})

test('without a token there is no session', async () => {
  const empty = { name: 'admin', scopes: ['read'], token: '' } as const
  const none = createSessions([empty, ...allAdminTokens('', [])], now, ended)
  expect(await none.read(none.begin(empty))).toBeUndefined()
})

test('the stored id of an ended session is no cookie, and a forged cookie ends no session', async () => {
  const cookie = sessions.begin(ann)
  const before = new Set(ids)
  for (const forged of [undefined, '', `${cookie}x`]) await sessions.end(forged)
  expect(ids).toEqual(before)
  await sessions.end(cookie)
  const kept = [...ids].filter((id) => !before.has(id))
  expect(kept).toHaveLength(1)
  for (const part of [ann.token, ...cookie.split('~')]) expect(kept.join()).not.toContain(part)
})
