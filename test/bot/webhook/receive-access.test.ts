// Receive over real HTTP: who is let in at the shared address.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { closeServersAtTheEnd, serveHooks, signedBy, signingKey, TOKEN, testQueues, useStores } from '../stores.ts'
import { BODY, MB, waiting } from './receive-world.ts'

const stores = useStores()
closeServersAtTheEnd()

describe('who is let in', () => {
  test('a wrong and a missing token get the same 401 and leave no job', async () => {
    const queues = testQueues(stores)
    const { url, post } = await serveHooks({ queues })
    const wrong = await post(BODY, { 'x-gitlab-token': 'wrong' })
    const missing = await fetch(url, { method: 'POST', body: BODY })
    expect([wrong.status, missing.status]).toEqual([401, 401])
    const said = await wrong.text()
    expect(await missing.text()).toBe(said)
    expect(said).not.toContain(TOKEN)
    expect(await waiting(queues)).toEqual([])
  })

  test('a signature must be right when it is there, a token cannot replace it', async () => {
    const queues = testQueues(stores)
    const key = signingKey()
    const { post } = await serveHooks({ queues, secrets: { tokens: [TOKEN], signing: [key] } })
    const headers = signedBy(key, { id: 'm-1', timestamp: Math.floor(Date.now() / 1000), body: BODY })
    expect((await post(`${BODY} `, headers)).status).toBe(401)
    expect(await waiting(queues)).toEqual([])
    expect((await post(BODY, headers)).status).toBe(202)
  })

  test('a signature covers the bytes as they were sent, also those that are not UTF-8', async () => {
    const queues = testQueues(stores)
    const key = signingKey()
    const { post } = await serveHooks({ queues, secrets: { tokens: [], signing: [key] } })
    const headers = signedBy(key, { id: 'm-2', timestamp: Math.floor(Date.now() / 1000), body: '{"a":"\ufffd"}' })
    const sent = Buffer.from('{"a":"x"}')
    sent[6] = 0xff
    expect((await post(new Uint8Array(sent), headers)).status).toBe(401)
  })

  test('a stranger is refused before the body is read', async () => {
    const { url } = await serveHooks({ queues: testQueues(stores) })
    const status = await new Promise<number | undefined>((settle, reject) => {
      const sending = request(
        url,
        { method: 'POST', headers: { 'content-length': String(20 * MB), 'x-gitlab-token': 'wrong' } },
        (response) => {
          settle(response.statusCode)
          sending.destroy()
        },
      )
      sending.once('error', reject)
      // The head of the request alone: its body never comes.
      sending.flushHeaders()
    })
    expect(status).toBe(401)
  })

  test('unicode and very long tokens are refused without a crash', async () => {
    const { post } = await serveHooks({ queues: testQueues(stores) })
    expect((await post(BODY, { 'x-gitlab-token': 'é'.repeat(1000) })).status).toBe(401)
    expect([401, 431]).toContain((await post(BODY, { 'x-gitlab-token': 'x'.repeat(15_000) })).status)
  })

  test('reading /hooks is not a delivery', async () => {
    const { url } = await serveHooks({ queues: testQueues(stores) })
    expect((await fetch(url, { headers: { 'x-gitlab-token': TOKEN } })).status).toBe(404)
  })
})
