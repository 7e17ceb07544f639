// The receiver over real HTTP: unverified signed bodies neither take the memory of others nor are waited for.
import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { projectSecrets } from '../../../src/bot/webhook/project-secrets.ts'
import { closeServersAtTheEnd, serveHooks, signedBy, signingKey, TOKEN, testQueues, useStores } from '../stores.ts'
import { BODY, MB } from './receive-world.ts'

const stores = useStores()
closeServersAtTheEnd()

describe('strangers who claim to sign', () => {
  const masterKey = 'a-master-key-of-thirty-two-characters'
  const key = signingKey()
  const secondsNow = () => Math.floor(Date.now() / 1000)

  /** Sends a head that could be a signed delivery's, and so many bytes of its body; `answer` is the status, when there is one. */
  async function stall(url: string, declared: number, sent: number) {
    const headers = {
      ...signedBy(signingKey(), { id: 'x', timestamp: secondsNow(), body: '' }),
      'content-length': String(declared),
    }
    const sending = request(url, { method: 'POST', headers })
    const answer = new Promise<number | undefined>((settle) => {
      sending
        .once('response', (response) => settle(response.resume().statusCode))
        .once('error', () => settle(undefined))
    })
    await new Promise<void>((settle) => sending.write(Buffer.alloc(sent), () => settle()))
    return { answer, end: () => sending.destroy() }
  }

  test.each([
    ['the shared address', '', key],
    ['a project’s address', '/7', projectSecrets([masterKey], 7).signing[0] ?? ''],
  ])('keep nobody out of %s by declaring or sending much and then nothing more', async (_name, path, right) => {
    const queues = testQueues(stores)
    const served = await serveHooks({ queues, secrets: { tokens: [TOKEN], signing: [key] }, masterKeys: [masterKey] })
    const url = `${served.url}${path}`
    const stalled = await Promise.all([25, 25, 25, 14].map((size) => stall(url, size * MB, 1)))
    const flooding = await Promise.all([24, 24].map((size) => stall(url, 25 * MB, size * MB)))
    const token = path === '' ? TOKEN : (projectSecrets([masterKey], 7).tokens[0] ?? '')
    expect((await fetch(url, { method: 'POST', body: BODY, headers: { 'x-gitlab-token': token } })).status).toBe(202)
    const body = ' '.repeat(MB)
    const headers = signedBy(right, { id: 'real', timestamp: secondsNow(), body })
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(202)
    // The oldest was evicted: all of them together are over the limit.
    expect([503, undefined]).toContain(await stalled[0]?.answer)
    for (const { end } of [...stalled, ...flooding]) end()
  })

  test('get 408 when their body does not arrive in time', async () => {
    const secrets = { tokens: [], signing: [key] }
    const { url } = await serveHooks({ queues: testQueues(stores), secrets, signedBodyWithinMs: 50 })
    const { answer, end } = await stall(url, MB, 1)
    expect(await answer).toBe(408)
    end()
  })

  test('are refused at once where no body can make their signature right', async () => {
    const { url } = await serveHooks({ queues: testQueues(stores), secrets: { tokens: [], signing: [key] } })
    const right = signedBy(key, { id: 'x', timestamp: secondsNow(), body: '' })
    const wrong = [
      { 'webhook-signature': 'v1,AAAA' },
      { 'webhook-timestamp': String(secondsNow() - 400) },
      { 'webhook-id': '' },
    ]
    for (const change of wrong) {
      const sending = request(url, { method: 'POST', headers: { ...right, ...change, 'content-length': '1000' } })
      const answered = once(sending, 'response')
      sending.flushHeaders()
      const [{ statusCode }] = await answered
      sending.destroy()
      expect(statusCode).toBe(401)
    }
  })
})
