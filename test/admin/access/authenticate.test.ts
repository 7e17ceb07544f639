// Requests are authenticated by admin tokens, which are settings; wrong ones are counted by address.
import { createServer, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import express from 'express'
import {
  allAdminTokens,
  countWrongTokens,
  createAuthenticator,
  readAdminTokens,
} from '../../../src/admin/access/authenticate.ts'
import { clientAddress } from '../../../src/cli/server/http-server.ts'
import { listening } from '../../listening.ts'

const closings: (() => void)[] = []
afterAll(() => {
  for (const close of closings) close()
})

/** Sends requests to a server that accepts `token`. */
async function guard(token: string, now = () => Date.now()): Promise<(authorization?: string) => Promise<Response>> {
  const authenticator = createAuthenticator(
    allAdminTokens(token, [{ name: 'second', scopes: ['read'], token: 'second-token-0123' }]),
    now,
    clientAddress([]),
  )
  const app = express()
  app.get('/', (request, response) => {
    const owner = authenticator.authenticate(request, response)
    if (owner !== undefined) response.json(owner.name)
  })
  const server = createServer(app)
  closings.push(() => server.close())
  const url = await listening(server)
  return (authorization) => fetch(url, { headers: authorization === undefined ? {} : { authorization } })
}

test('each token is accepted under its name, with any case of the scheme, and as UTF-8', async () => {
  const ask = await guard('admin-token')
  expect(await (await ask('Bearer admin-token')).json()).toBe('admin')
  expect(await (await ask('bearer second-token-0123')).json()).toBe('second')
  const other = await guard('ключ')
  expect((await other(`Bearer ${Buffer.from('ключ').toString('latin1')}`)).status).toBe(200)
  expect((await other(`Bearer ${Buffer.from('клюй').toString('latin1')}`)).status).toBe(401)
})

test('a missing and a wrong token get the same 401', async () => {
  const ask = await guard('admin-token')
  const missing = await ask()
  expect(missing.status).toBe(401)
  expect(missing.headers.get('www-authenticate')).toBe('Bearer')
  const message = await missing.text()
  expect(message).not.toContain('admin-token')
  const wrong = ['wrong', '', ' ', 'admin-tokenx', 'é', 'x'.repeat(10_000)].map((each) => `Bearer ${each}`)
  for (const each of [...wrong, 'Bearer', 'admin-token', 'Basic admin-token']) {
    const answer = await ask(each)
    expect(answer.status, each).toBe(401)
    expect(await answer.text()).toBe(message)
  }
})

test('without a configured token nobody gets in', async () => {
  const ask = await guard('')
  for (const each of [undefined, 'Bearer ', 'Bearer undefined', 'Bearer x']) expect((await ask(each)).status).toBe(401)
})

test('after ten wrong tokens every token from the address is refused until the minute ends', async () => {
  let at = 1_000
  const ask = await guard('admin-token', () => at)
  for (let n = 0; n < 3; n += 1) expect((await ask()).status).toBe(401)
  for (let n = 0; n < 10; n += 1) expect((await ask('Bearer wrong')).status).toBe(401)
  at += 20_000
  for (const each of ['Bearer admin-token', 'Bearer wrong', undefined]) {
    const answer = await ask(each)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '40'])
  }
  at += 40_000
  expect((await ask('Bearer admin-token')).status).toBe(200)
})

test('an empty token never matches, even if it is configured', () => {
  const nobody = { name: 'nobody', scopes: ['read' as const], token: '' }
  const authenticator = createAuthenticator([nobody], Date.now, () => '127.0.0.1')
  for (const given of ['', undefined])
    expect(authenticator.check(new IncomingMessage(new Socket()), given).result).toBe('wrong')
})

describe('the settings of tokens', () => {
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
})

describe('wrong tokens', () => {
  const limits = { most: 2, withinMs: 60_000, addresses: 3 }

  test('one address does not block another', () => {
    const wrong = countWrongTokens(() => 1, limits)
    for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) wrong.count(address)
    expect([
      wrong.blockedSeconds('10.0.0.1'),
      wrong.blockedSeconds('10.0.0.2'),
      wrong.blockedSeconds('10.0.0.3'),
    ]).toEqual([60, undefined, undefined])
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8::1', '2001:0db8:0:0:5::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
    ['fe80::1%eth0', 'fe80::1%eth1', true],
  ])('%s and %s count as one: %s', (first, second, same) => {
    const wrong = countWrongTokens(() => 1, limits)
    for (const address of [first, second]) wrong.count(address)
    expect(wrong.blockedSeconds(first) !== undefined).toBe(same)
  })

  test('after the minute the address is unblocked, and the count starts again', () => {
    let at = 1
    const wrong = countWrongTokens(() => at, limits)
    for (const address of ['a', 'a']) wrong.count(address)
    at = 60_000
    expect(wrong.blockedSeconds('a')).toBe(1)
    at = 60_001
    expect(wrong.blockedSeconds('a')).toBeUndefined()
    wrong.count('a')
    expect(wrong.blockedSeconds('a')).toBeUndefined()
  })

  test('above the limit of addresses the oldest is evicted', () => {
    const wrong = countWrongTokens(() => 1, limits)
    for (const address of ['a', 'a', 'b', 'b', 'c', 'd']) wrong.count(address)
    expect([wrong.blockedSeconds('a'), wrong.blockedSeconds('b')]).toEqual([undefined, 60])
  })
})
