// Requests are authenticated by admin tokens.
import { createServer, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import express from 'express'
import { afterAll, expect, test } from 'vitest'
import { allAdminTokens, createAuthenticator } from '../../../src/admin/access/authenticate.ts'
import { clientAddress } from '../../../src/cli/server/http-server.ts'
import { listening } from '../../listening.ts'

const closings: (() => void)[] = []
afterAll(() => {
  for (const close of closings) close()
})

/** Sends requests to a server that accepts `token`. */
async function guard(
  token: string,
  now = () => Date.now(),
  trustedProxies: string[] = [],
): Promise<(authorization?: string, forwardedFor?: string) => Promise<Response>> {
  const authenticator = createAuthenticator(
    allAdminTokens(token, [{ name: 'second', scopes: ['read'], token: 'second-token-0123' }]),
    now,
    clientAddress(trustedProxies),
  )
  const app = express()
  app.get('/', (request, response) => {
    const owner = authenticator.authenticate(request, response)
    if (owner !== undefined) response.json(owner.name)
  })
  const server = createServer(app)
  closings.push(() => server.close())
  const url = await listening(server)
  return (authorization, forwardedFor) =>
    fetch(url, {
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      },
    })
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

test('behind a trusted proxy only the client is locked, whatever it writes into X-Forwarded-For', async () => {
  const ask = await guard('admin-token', () => 1_000, ['127.0.0.1'])
  // The proxy adds the address that it sees behind what the client sent.
  for (let n = 0; n < 10; n += 1) await ask('Bearer wrong', `198.51.100.${n}, 203.0.113.6, 203.0.113.5`)
  expect((await ask('Bearer admin-token', '198.51.100.77, 203.0.113.5')).status).toBe(429)
  expect((await ask('Bearer admin-token', '203.0.113.6')).status).toBe(200)
  expect((await ask('Bearer admin-token', '198.51.100.1')).status).toBe(200)
})

test('an empty token never matches, even if it is configured', () => {
  const authenticator = createAuthenticator(
    [{ name: 'nobody', scopes: ['read'], token: '' }],
    () => 0,
    () => '127.0.0.1',
  )
  const request = new IncomingMessage(new Socket())
  expect([authenticator.check(request, '').result, authenticator.check(request, undefined).result]).toEqual([
    'wrong',
    'wrong',
  ])
})
