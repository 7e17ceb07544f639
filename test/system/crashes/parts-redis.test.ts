// Receivers and workers apart, over one Redis: each does its own part, and both show the desk.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/cli/output/log.ts'
import { type Bellhop, startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { readConfig } from '../../../src/cli/settings/config.ts'
import { journalSettings } from '../../bot-journal.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'

const token = 'admin-token'
// Nothing listens there: no delivery of these tests leads to a call.
const serviceUrl = 'http://127.0.0.1:9'

describe.skipIf(!hasRedisServer())('on Redis', () => {
  let redis: TestRedis
  let receiver: Bellhop
  beforeAll(async () => {
    redis = await startRedis()
    receiver = await start('receiver')
  })
  afterAll(async () => {
    await receiver?.stop()
    await redis?.stop()
  })

  async function start(only: 'receiver' | 'worker'): Promise<Bellhop> {
    const read = readConfig(
      {
        ...{ BELLHOP_SERVICE_URL: serviceUrl, BELLHOP_SERVICE_TOKEN: 'token', BELLHOP_HOOK_SECRET: 'secret' },
        ...{
          BELLHOP_QUEUE_URL: redis.url,
          BELLHOP_PORT: '0',
          BELLHOP_SWEEP_EVERY: '0',
          BELLHOP_ADMIN_TOKEN: token,
          BELLHOP_ONLY: only,
        },
        ...(await journalSettings(redis.url)),
      },
      {},
    )
    if (!read.ok) throw new Error(read.problems.join('\n'))
    return startBellhop(read.config, { log: createLog({ level: 'warn', secrets: [], write: () => undefined }) })
  }

  const deliver = ({ url }: Bellhop) =>
    fetch(`${url}/hooks`, {
      method: 'POST',
      headers: { 'x-gitlab-token': 'secret', 'content-type': 'application/json' },
      body: JSON.stringify({ object_kind: 'moonrise' }),
    })

  test('what a receiver takes waits for a worker, which takes no deliveries itself', async () => {
    const taken = await deliver(receiver)
    expect(taken.status).toBe(202)
    const { id } = (await taken.json()) as { id: string }
    expect(await receiver.bot.queues.deliveries.counts()).toMatchObject({ waiting: 1, active: 0 })

    const worker = await start('worker')
    try {
      expect((await deliver(worker)).status).toBe(404)
      await worker.bot.settled()
      for (const { url } of [receiver, worker]) {
        const response = await fetch(`${url}/admin/api/deliveries/${id}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        expect(await response.json()).toMatchObject({ delivery: { id, state: 'no_merge_request' } })
        expect((await fetch(`${url}/readyz`)).status).toBe(200)
      }
    } finally {
      await worker.stop()
    }
  })
})
