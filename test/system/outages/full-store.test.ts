// A Redis that is full or frozen, and an embedded journal whose disk is full: deliveries are refused in time,
// readiness fails, and both recover by themselves.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createLog } from '../../../src/cli/output/log.ts'
import { type Bellhop, startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { journalSettings } from '../../bot-journal.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { prepareDatabase } from '../../prepared-database.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { fillDisk, mountSmallDisk, unmountDisk } from '../../servers/small-disk.ts'
import { configOf } from '../config-of.ts'

async function start(settings: Record<string, string>, write: (line: string) => void = () => undefined) {
  return startBellhop(configOf({ BELLHOP_HOOK_SECRET: 'hook-secret', ...settings }), {
    log: createLog({ level: 'info', secrets: [], write }),
  })
}

let next = 1
const post = (url: string) =>
  fetch(`${url}/hooks`, {
    method: 'POST',
    body: JSON.stringify({ object_kind: 'moonrise', n: next++ }),
    headers: { 'x-gitlab-token': 'hook-secret' },
    // The service waits no longer.
    signal: AbortSignal.timeout(10_000),
  })

const disk = ownFolder().folder
const small = mountSmallDisk(disk, 400)
afterAll(() => {
  if (small) unmountDisk(disk)
})

describe.skipIf(!hasRedisServer()).sequential('a bot whose Redis', () => {
  const log: string[] = []
  const { folder } = ownFolder()
  let redis: TestRedis
  let admin: Redis
  let bellhop: Bellhop

  beforeAll(async () => {
    redis = await startRedis()
    admin = new Redis(redis.url)
    admin.on('error', () => undefined)
    const settings = { BELLHOP_QUEUE_URL: redis.url, ...(await journalSettings(redis.url)) }
    bellhop = await start({ ...settings, BELLHOP_RULES: join(folder, 'rules') }, (line) => log.push(line))
  })
  afterAll(async () => {
    admin.disconnect()
    await bellhop.stop()
    await redis.stop()
  })

  const deliver = async () => {
    const { status, headers } = await post(bellhop.url)
    return { status, retryAfter: headers.get('retry-after') }
  }
  const used = async () => Number(/^used_memory:(\d+)/m.exec(await admin.info('memory'))?.[1])
  const readiness = async () => {
    const response = await fetch(`${bellhop.url}/readyz`)
    const { failed } = (await response.json()) as { failed?: string[] }
    return failed ?? 'ready'
  }
  const turnedDown = { status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) }
  const recoveries = () => log.filter((line) => line.includes('"deliveries_refused"')).length

  test('is nearly full ends readiness, and still takes deliveries', async () => {
    // So much that the bot’s own connections and jobs do not count.
    for (let n = 0; n < 50; n += 1) await admin.set(`ballast-${n}`, Buffer.alloc(1_000_000))
    await admin.config('SET', 'maxmemory', Math.round((await used()) / 0.8))
    await bellhop.bot.capacity.measure()
    expect(await readiness()).toEqual(['capacity'])
    expect((await deliver()).status).toBe(202)
    await admin.config('SET', 'maxmemory', 0)
    await bellhop.bot.capacity.measure()
    expect(await readiness()).toBe('ready')
  })

  test('is full refuses deliveries, and accepts them again when there is space', async () => {
    const before = recoveries()
    await admin.config('SET', 'maxmemory', Math.round((await used()) / 2))
    // Not looked at yet: Redis itself refuses, and the answer is the same.
    expect(await deliver()).toEqual(turnedDown)
    expect(await readiness()).toEqual(['capacity'])
    await bellhop.bot.capacity.measure()
    expect(await deliver()).toEqual(turnedDown)
    expect(recoveries()).toBe(before)
    await admin.config('SET', 'maxmemory', 0)
    await bellhop.bot.capacity.measure()
    expect(await readiness()).toBe('ready')
    expect((await deliver()).status).toBe(202)
    expect(recoveries()).toBe(before + 1)
  })

  test('is frozen turns deliveries down while the sender still waits, and takes them again', async () => {
    const before = recoveries()
    redis.freeze()
    try {
      expect(await deliver()).toEqual(turnedDown)
      expect(await readiness()).toEqual(['queue', 'capacity'])
    } finally {
      redis.thaw()
    }
    await expect.poll(async () => (await deliver()).status).toBe(202)
    expect(await readiness()).toBe('ready')
    expect(recoveries()).toBe(before + 1)
  })
})

describe.skipIf(!hasRedisServer() || !small)('a bot whose embedded journal', () => {
  test('has a full disk refuses deliveries, and accepts them again when there is space', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const journal = await prepareDatabase(join(disk, 'journal'))
    const bellhop = await start({
      ...{ BELLHOP_QUEUE_URL: redis.url, BELLHOP_JOURNAL_URL: `embedded:${journal}` },
      BELLHOP_RULES: join(disk, 'rules'),
    })
    onTestFinished(() => bellhop.stop())
    const ballast = join(disk, 'ballast')
    for (const [left, status] of [
      [10, 503],
      [undefined, 202],
    ] as const) {
      if (left === undefined) rmSync(ballast)
      else fillDisk(disk, ballast, left)
      await bellhop.bot.capacity.measure()
      expect((await post(bellhop.url)).status).toBe(status)
    }
  })
})
