// Parsing of admin tokens.
import { expect, test } from 'vitest'
import { allAdminTokens, readAdminTokens } from '../../../src/admin/access/authenticate.ts'

const token = 'a:token+of=16chars'

test('tokens have a name and scopes, and may contain colons', () => {
  expect(readAdminTokens(` ann@example.com:replay+read:${token} ,, grafana:read:0123456789abcdef`)).toEqual([
    { name: 'ann@example.com', scopes: ['read', 'replay'], token },
    { name: 'grafana', scopes: ['read'], token: '0123456789abcdef' },
  ])
})

test('two tokens may have one name, for a rotation', () => {
  expect(readAdminTokens(`ann:read:${token},ann:read:${token}2`)).toHaveLength(2)
})

test.each([
  token,
  `:read:${token}`,
  `ann::${token}`,
  `ann:write:${token}`,
  `ann:read+:${token}`,
  `ann:read+read:${token}`,
  'ann:read:',
  'ann:read:a-short-one',
  `ann:read:${token} x`,
  `ann:read:${token},bob:manage:${token}`,
])('%s is refused without showing the token', (text) => {
  expect(() => readAdminTokens(text)).toThrow(/^(name|each|tokens|a token)/)
  expect(() => readAdminTokens(text)).not.toThrow(token)
})

test('the single token may do everything; empty it is none', () => {
  expect(allAdminTokens('x', [])).toEqual([{ name: 'admin', scopes: ['read', 'replay', 'manage'], token: 'x' }])
  expect(allAdminTokens('', [])).toEqual([])
})
