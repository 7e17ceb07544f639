// A burst of deliveries, and where its secrets are not: what is stored depends on the backend. Run on each backend.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import { signedBy } from '../../bot/stores.ts'
import { storedText } from '../stored-text.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

export const masterKey = 'a-master-key-of-thirty-two-characters'
export const tokenOf = (project: number) => projectSecrets([masterKey], project).tokens[0] ?? ''

/** Sends a delivery to `/hooks` and that path. */
export async function send({ bellhop }: TestWorld, path: string, token: string, payload: unknown) {
  const response = await fetch(`${bellhop.url}/hooks${path}`, {
    method: 'POST',
    body: JSON.stringify(payload),
    headers: { 'content-type': 'application/json', 'x-gitlab-token': token },
  })
  const { id = '' } = (await response.json()) as { id?: string }
  return { status: response.status, id }
}

/** Calls `queueUrl` when it starts; undefined: embedded. The burst: `count` deliveries of `bytes`, fifty at once. */
export function receivingSuite(queueUrl: () => string | undefined, burst: { count: number; bytes: number }): void {
  let world: TestWorld
  beforeAll(async () => {
    const settings = { BELLHOP_HOOK_MASTER_KEY: masterKey }
    world = await startTestWorld({ rules: 'version: 1\nrules: []\n', settings, queueUrl: queueUrl() })
  })
  afterAll(() => world?.end())

  test('a burst of deliveries: each that is answered 202 is read, and memory stays bounded', async () => {
    const text = 'x'.repeat(burst.bytes)
    const answers: { status: number; id: string }[] = []
    const held: number[] = []
    let next = 0
    const sender = async () => {
      while (next < burst.count) {
        next += 1
        answers.push(await send(world, '', world.hookSecret, { object_kind: 'moonrise', next, text }))
        // To collect garbage takes its time.
        if (answers.length % (burst.count / 10) === 0) held.push(await liveMemory())
      }
    }
    await Promise.all(Array.from({ length: 50 }, sender))
    await world.bellhop.bot.queues.deliveries.settled()
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    const ids = new Set(answers.map(({ id }) => id))
    expect(ids.size).toBe(burst.count)
    const records = await Promise.all([...ids].map((id) => world.bellhop.journal.deliveries.find(id)))
    expect(new Set(records.map((record) => record?.state))).toEqual(new Set(['no_merge_request']))
    // What the start has left is given back by the first tenth.
    const [first = 0, ...later] = held
    const grown = Math.max(...later) - first
    const sent = burst.count * burst.bytes
    expect(grown).toBeLessThan(sent / 2)
  })

  test('no secret is in the queue, the journal or the log', async () => {
    const signing = projectSecrets([masterKey], world.project).signing[0] ?? ''
    const body = JSON.stringify({ object_kind: 'moonrise', text: 'a marked body' })
    const signed = signedBy(signing, { id: 'signed', timestamp: Math.floor(Date.now() / 1000), body })
    const ways: [string, Record<string, string>][] = [
      ['', { 'x-gitlab-token': world.hookSecret }],
      [`/${world.project}`, { 'x-gitlab-token': tokenOf(world.project) }],
      [`/${world.project}`, signed],
    ]
    for (const [path, headers] of ways) {
      const response = await fetch(`${world.bellhop.url}/hooks${path}`, { method: 'POST', body, headers })
      expect(response.status).toBe(202)
      await response.body?.cancel()
    }
    await world.settle()
    // On Redis the journal is in another store.
    const { journal, queue } = world.bellhop
    const { items } = await journal.deliveries.list({ limit: 10 })
    const bodies = await Promise.all(items.map(({ id }) => journal.deliveries.body(id)))
    const kept = [await storedText(queue.store), JSON.stringify(items), ...bodies].join('\n')
    expect(kept).toContain('a marked body')
    const tokens = Object.values(world.people).map(({ token }) => token)
    const secrets = [
      masterKey,
      signing,
      tokenOf(world.project),
      world.hookSecret,
      world.adminToken,
      world.sandbox.token,
      ...tokens,
    ]
    for (const secret of [...secrets, signed['webhook-signature']]) {
      expect(kept.includes(secret)).toBe(false)
      expect(world.rawLog.some((line) => line.includes(secret))).toBe(false)
    }
  })
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of objects and buffers that something still holds after collections of garbage. */
async function liveMemory(): Promise<number> {
  // What a first collection finishes (closed handles, buffers that are freed beside it) is seen by the second.
  collect()
  await setImmediate()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
