// Receive over real HTTP: the addresses and secrets of single projects.
import { describe, expect, test } from 'vitest'
import { projectSecrets } from '../../../src/bot/webhook/project-secrets.ts'
import { closeServersAtTheEnd, idOf, serveHooks, signedBy, TOKEN, testQueues, useStores } from '../stores.ts'
import { BODY, waiting } from './receive-world.ts'

const stores = useStores()
closeServersAtTheEnd()

describe('a hook of one project', () => {
  const masterKeys = ['new-master-key-of-thirty-two-chars!', 'old-master-key-of-thirty-two-chars!']
  const secretOf = (project: number, key = masterKeys[0] ?? '') => projectSecrets([key], project)
  const token = (project: number, key?: string) => ({ 'x-gitlab-token': secretOf(project, key).tokens[0] ?? '' })
  const serve = async (masterKeysNow = masterKeys, secrets = { tokens: [TOKEN], signing: [] as string[] }) => {
    const queues = testQueues(stores)
    const { url } = await serveHooks({ queues, masterKeys: masterKeysNow, secrets })
    const send = (path: string, headers: Record<string, string>, body = BODY) =>
      fetch(`${url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
    return { queues, send }
  }

  test('is let in with the secret of that project, which is noted with the delivery', async () => {
    const { queues, send } = await serve()
    await idOf(await send('/7', token(7)))
    expect(await waiting(queues)).toMatchObject([{ boundTo: 7 }])
  })

  test('is not let in with the secret of another, a shared one, the master key, or none', async () => {
    const { queues, send } = await serve()
    const wrong = [token(8), { 'x-gitlab-token': TOKEN }, { 'x-gitlab-token': masterKeys[0] ?? '' }, {}]
    for (const headers of wrong) expect((await send('/7', headers)).status).toBe(401)
    expect((await send('', token(7))).status).toBe(401)
    expect(await waiting(queues)).toEqual([])
  })

  test('may be signed; then the signature counts, and a token does not replace it', async () => {
    const { send } = await serve()
    const [key = ''] = secretOf(7).signing
    const headers = signedBy(key, { id: 'm', timestamp: Math.floor(Date.now() / 1000), body: BODY })
    expect((await send('/7', headers)).status).toBe(202)
    expect((await send('/8', headers)).status).toBe(401)
    expect((await send('/7', { ...token(7), ...headers }, `${BODY} `)).status).toBe(401)
  })

  test('two master keys are valid while they are changed, a third is not', async () => {
    const { send } = await serve()
    expect((await send('/7', token(7, masterKeys[1]))).status).toBe(202)
    expect((await send('/7', token(7, 'some-master-key-of-thirty-two-chars'))).status).toBe(401)
  })

  test('lets nobody in where there is no master key; a master key alone opens no shared address', async () => {
    const without = await serve([])
    for (const headers of [token(7), { 'x-gitlab-token': TOKEN }])
      expect((await without.send('/7', headers)).status).toBe(401)
    const alone = await serve(masterKeys, { tokens: [], signing: [] })
    for (const headers of [token(7), {}, { 'x-gitlab-token': '' }])
      expect((await alone.send('', headers)).status).toBe(401)
  })

  test('has an address that names a project by its number, in one spelling', async () => {
    const { send } = await serve()
    for (const path of ['/0', '/07', '/-7', '/7.0', '/7e0', '/app', '/7/x', `/${'9'.repeat(30)}`])
      expect((await send(path, token(7))).status, path).toBe(404)
  })

  test('cannot take the id of another’s delivery', async () => {
    const { queues, send } = await serve()
    const id = { 'webhook-id': 'msg-1' }
    const ids = [
      await idOf(await send('/7', { ...token(7), ...id })),
      await idOf(await send('/8', { ...token(8), ...id })),
      await idOf(await send('', { 'x-gitlab-token': TOKEN, ...id })),
    ]
    expect(new Set(ids).size).toBe(3)
    expect((await waiting(queues)).map(({ is }) => is)).toEqual(['delivery', 'delivery', 'delivery'])
  })
})
