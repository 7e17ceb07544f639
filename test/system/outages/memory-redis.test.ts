// How much memory of Redis a finished delivery takes.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { hookSecret } from '../../../bench/bot.ts'
import { mergeRequestBody } from '../../../bench/deliver.ts'
import { portOf } from '../../../bench/port-of.ts'
import { createLog } from '../../../src/cli/output/log.ts'
import { startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { journalSettings } from '../../bot-journal.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'
import { configOf } from '../config-of.ts'

const KB = 1024
const DELIVERIES = 300
const AT_ONCE = 20
const rules = `version: 1
rules:
  - name: what is urgent is seen
    if: { labels: { any: [urgent] } }
    then: { subscribe: true }
`

/** A bot over a Redis of its own, and a service that has every merge request. */
async function startBot() {
  const { folder } = ownFolder()
  await writeFile(join(folder, 'rules.yml'), rules)
  const server = await startRedis()
  onTestFinished(() => server.stop())
  const program = join(import.meta.dirname, '../../../bench/evaluation/service.mjs')
  const service = spawn(process.execPath, [program, '1'], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void service.kill('SIGKILL'))
  const config = configOf({
    BELLHOP_SERVICE_URL: `http://127.0.0.1:${await portOf(service)}`,
    BELLHOP_HOOK_SECRET: hookSecret,
    BELLHOP_QUEUE_URL: server.url,
    BELLHOP_RULES: folder,
    ...(await journalSettings(server.url)),
  })
  const bellhop = await startBellhop(config, {
    log: createLog({ level: 'error', secrets: [], write: () => undefined }),
  })
  onTestFinished(() => bellhop.stop())
  const redis = new Redis(server.url)
  onTestFinished(() => redis.disconnect())
  let iid = 0

  /** So many deliveries of as many merge requests; resolves with their ids when all are evaluated. */
  async function deliver(count: number): Promise<string[]> {
    const ids: string[] = []
    for (const end = iid + count; iid < end; ) {
      const some = Array.from({ length: Math.min(AT_ONCE, end - iid) }, () => (iid += 1))
      const responses = some.map((each) =>
        fetch(`${bellhop.url}/hooks`, {
          method: 'POST',
          headers: { 'x-gitlab-token': hookSecret, 'idempotency-key': `delivery ${each}` },
          body: bodyOf(each),
        }),
      )
      for (const response of await Promise.all(responses)) ids.push(((await response.json()) as { id: string }).id)
    }
    await bellhop.bot.settled()
    return ids
  }

  /** Ends the minute for which the jobs that are done stay. */
  async function passAMinute(): Promise<void> {
    for (const done of await redis.keys('*:completed'))
      for (const id of await redis.zrange(done, '0', '-1')) await redis.call('ZINCRBY', done, '-61000', id)
    await deliver(1)
  }

  /** The size of all keys; BullMQ limits the length of its streams of events. */
  async function bytes(): Promise<number> {
    let sum = 0
    for (const key of await redis.keys('*'))
      if (!key.endsWith(':events')) sum += Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'))
    return sum
  }

  return { bellhop, deliver, passAMinute, bytes }
}

const bodies = new Map<number, string>()
function bodyOf(iid: number): string {
  const body = bodies.get(iid) ?? mergeRequestBody(iid).padEnd(6_700, ' ')
  bodies.set(iid, body)
  return body
}

test.skipIf(!hasRedisServer())(
  'a finished delivery of 6.7 KB and its evaluation leave 1 KB at most in Redis',
  async () => {
    const { bellhop, deliver, passAMinute, bytes } = await startBot()
    await deliver(AT_ONCE)
    await passAMinute()
    const before = await bytes()
    const ids = await deliver(DELIVERIES)
    await passAMinute()
    expect((await bytes()) - before).toBeLessThan(DELIVERIES * KB)

    expect(await bellhop.journal.deliveries.body(ids[0] ?? '')).toBe(bodyOf(AT_ONCE + 2))
    const { items } = await bellhop.journal.decisions.list({ limit: DELIVERIES })
    expect(items).toHaveLength(DELIVERIES)
    const again = await fetch(`${bellhop.url}/hooks`, {
      method: 'POST',
      headers: { 'x-gitlab-token': hookSecret, 'idempotency-key': `delivery ${AT_ONCE + 2}` },
      body: bodyOf(AT_ONCE + 2),
    })
    expect(await again.json()).toEqual({ id: ids[0] })
    const known = await bellhop.journal.deliveries.list({ limit: 1_000 })
    expect(known.items).toHaveLength(AT_ONCE + DELIVERIES + 2)
  },
)
