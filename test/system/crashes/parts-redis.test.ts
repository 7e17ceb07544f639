// Receivers and workers apart, over one Redis: each does its own part, and only a worker has journal and dashboard.
import { createLog } from '../../../src/cli/output/log.ts'
import { openQueue, type Running, startReceiver } from '../../../src/cli/server/run-server.ts'
import { startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { journalSettings } from '../../bot-journal.ts'
import { hasPostgresServer } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { configOf } from '../config-of.ts'

const token = 'admin-token'
// Nothing listens there: no delivery of these tests leads to a call.
const serviceUrl = 'http://127.0.0.1:9'
const log = createLog({ level: 'warn', secrets: [], write: () => undefined })
const ask = ({ url }: Running, path: string) =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('on Redis', () => {
  let redis: TestRedis
  let receiver: Running
  beforeAll(async () => {
    redis = await startRedis()
    receiver = await startReceiver(await config('receiver'), { log })
  })
  afterAll(async () => {
    await receiver?.stop()
    await redis?.stop()
  })

  async function config(only: 'receiver' | 'worker') {
    return configOf({
      ...{ BELLHOP_SERVICE_URL: serviceUrl, BELLHOP_HOOK_SECRET: 'secret', BELLHOP_QUEUE_URL: redis.url },
      ...{ BELLHOP_SWEEP_EVERY: '0', BELLHOP_ADMIN_TOKEN: token, BELLHOP_ONLY: only },
      // A receiver opens none.
      ...(only === 'receiver' ? {} : await journalSettings(redis.url)),
    })
  }

  const deliver = ({ url }: Running) =>
    fetch(`${url}/hooks`, {
      method: 'POST',
      headers: { 'x-gitlab-token': 'secret', 'content-type': 'application/json' },
      body: JSON.stringify({ object_kind: 'moonrise' }),
    })

  test('what a receiver takes waits for a worker, which takes no deliveries itself', async () => {
    const taken = await deliver(receiver)
    expect(taken.status).toBe(202)
    const { id } = (await taken.json()) as { id: string }
    const worker = await startBellhop(await config('worker'), { log })
    onTestFinished(() => worker.stop())
    expect((await deliver(worker)).status).toBe(404)
    await worker.bot.settled()
    const response = await ask(worker, `/admin/api/deliveries/${id}`)
    expect(await response.json()).toMatchObject({ delivery: { id, state: 'no_merge_request' } })
    for (const each of [receiver, worker]) expect((await ask(each, '/readyz')).status).toBe(200)
  })

  test('a receiver opens no journal: it is ready by its queue alone, and says where the dashboard is', async () => {
    const queue = await openQueue(await config('receiver'), { log })
    if (queue.store.kind !== 'redis') throw new Error('the queue is in Redis')
    await queue.store.redis.del(queue.store.journalMark.key)
    await queue.close()
    const elsewhere = expect.stringContaining('at a worker, or at a process without --only')
    for (const path of ['/admin/api/overview', '/admin/api']) {
      const response = await ask(receiver, path)
      expect([response.status, await response.json()]).toEqual([404, { error: elsewhere }])
    }
    for (const path of ['/admin', '/admin/deliveries']) {
      const response = await ask(receiver, path)
      expect([response.status, await response.text()]).toEqual([404, elsewhere])
    }
    expect(await (await ask(receiver, '/readyz')).json()).toEqual({ status: 'ready', queue: 'redis' })
    const metrics = await (await ask(receiver, '/metrics')).text()
    expect(metrics).toContain('bellhop_jobs{queue="deliveries",state="waiting"}')
    expect(metrics).not.toMatch(/^bellhop_(merge_queues|merge_request_times|service_condition)\b/m)
  })
})
