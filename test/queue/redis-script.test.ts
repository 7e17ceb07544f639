// A script that Redis keeps: sent by its name, in whole where Redis does not know it, with as many keys as somebody has.
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisScript } from '../../src/queue/redis-script.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../redis-server.ts'

describe.skipIf(!hasRedisServer())('a script', () => {
  let server: TestRedis
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis()
    redis = new Redis(server.url)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })

  it('runs the first time, again, and after Redis has forgotten it', async () => {
    const run = redisScript(redis, "return redis.call('INCRBY', KEYS[1], ARGV[1])")
    expect([await run(['sum'], [1]), await run(['sum'], [2])]).toEqual([1, 3])
    await redis.script('FLUSH')
    expect(await run(['sum'], [4])).toBe(7)
  })

  it('takes more keys and values than a call takes arguments', async () => {
    const many = Array.from({ length: 200_000 }, (_, n) => `${n}`)
    expect(await redisScript(redis, 'return { #KEYS, #ARGV, KEYS[200000] }')(many, many)).toEqual([200_000, 200_000, '199999'])
  })

  it('throws what it throws', async () => {
    await expect(redisScript(redis, "return redis.error_reply('ERR not so')")([], [])).rejects.toThrow('not so')
  })
})
