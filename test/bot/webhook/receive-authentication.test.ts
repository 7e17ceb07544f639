// Which senders the receiver lets in, at the shared and at a project's address (hook-secrets.test.ts has every case).
import { request } from 'node:http'
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import { signingKey, TOKEN } from '../stores.ts'
import { BODY, MASTER_KEY, MB, signed, useReceivers } from './receive-world.ts'

const { serve } = useReceivers()

describe('the shared address', () => {
  test('answers a wrong and a missing token with the same 401, and enqueues nothing', async () => {
    const { url, post, jobs } = await serve()
    const wrong = await post(BODY, { 'x-gitlab-token': 'wrong' })
    const missing = await fetch(url, { method: 'POST', body: BODY })
    expect([wrong.status, missing.status]).toEqual([401, 401])
    const text = await wrong.text()
    expect(await missing.text()).toBe(text)
    expect(text).not.toContain(TOKEN)
    expect(await jobs()).toEqual([])
    expect((await fetch(url, { headers: { 'x-gitlab-token': TOKEN } })).status).toBe(404)
  })

  test('verifies a signature over the bytes as sent; a token does not replace it', async () => {
    const key = signingKey()
    const { post } = await serve({ secrets: { tokens: [TOKEN], signing: [key] } })
    expect((await post(`${BODY} `, signed(key))).status).toBe(401)
    const notUtf8 = Buffer.from('{"a":"x"}')
    notUtf8[6] = 0xff
    expect((await post(new Uint8Array(notUtf8), signed(key, '{"a":"\ufffd"}'))).status).toBe(401)
    expect((await post(BODY, signed(key))).status).toBe(202)
  })

  test('refuses a wrong token before the body is sent', async () => {
    const { url } = await serve()
    const status = await new Promise<number | undefined>((settle, reject) => {
      const headers = { 'content-length': String(20 * MB), 'x-gitlab-token': 'wrong' }
      const sending = request(url, { method: 'POST', headers }, (response) => {
        settle(response.statusCode)
        sending.destroy()
      })
      sending.once('error', reject)
      sending.flushHeaders()
    })
    expect(status).toBe(401)
  })
})

describe('the address of a project', () => {
  const masterKeys = [MASTER_KEY, 'old-master-key-of-thirty-two-chars!']
  const secretsOf = (project: number, key = MASTER_KEY) => projectSecrets([key], project)
  const token = (project: number, key?: string) => ({ 'x-gitlab-token': secretsOf(project, key).tokens[0] ?? '' })
  const serveProjects = async (keys = masterKeys, secrets = { tokens: [TOKEN], signing: [] as string[] }) => {
    const { url, jobs } = await serve({ masterKeys: keys, secrets })
    const send = (path: string, headers: Record<string, string>, body = BODY) =>
      fetch(`${url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
    const status = async (...sent: Parameters<typeof send>) => (await send(...sent)).status
    return { jobs, send, status }
  }

  test('accepts only the secret of that project, and records the project with the delivery', async () => {
    const { jobs, status } = await serveProjects()
    const wrong = [token(8), { 'x-gitlab-token': TOKEN }, { 'x-gitlab-token': MASTER_KEY }, {}]
    for (const headers of wrong) expect(await status('/7', headers)).toBe(401)
    expect(await status('', token(7))).toBe(401)
    expect(await status('/7', token(7))).toBe(202)
    expect(await jobs()).toMatchObject([{ secretProject: 7 }])
  })

  test('accepts a signature, which a token does not replace', async () => {
    const { status } = await serveProjects()
    const headers = signed(secretsOf(7).signing[0] ?? '')
    expect(await status('/7', headers)).toBe(202)
    expect(await status('/8', headers)).toBe(401)
    expect(await status('/7', { ...token(7), ...headers }, `${BODY} `)).toBe(401)
  })

  test('lets nobody in without a master key; a master key alone does not open the shared address', async () => {
    const without = await serveProjects([])
    for (const headers of [token(7), { 'x-gitlab-token': TOKEN }]) expect(await without.status('/7', headers)).toBe(401)
    const alone = await serveProjects(masterKeys, { tokens: [], signing: [] })
    for (const headers of [token(7), {}, { 'x-gitlab-token': '' }]) expect(await alone.status('', headers)).toBe(401)
  })

  test('names the project by its number in one spelling', async () => {
    const { status } = await serveProjects()
    for (const path of ['/0', '/07', '/-7', '/7.0', '/7e0', '/app', '/7/x', `/${'9'.repeat(30)}`])
      expect(await status(path, token(7)), path).toBe(404)
  })
})
