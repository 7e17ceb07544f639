// A script that Redis keeps: sent by its name, in whole where Redis does not know it, with as many keys as somebody has.
import { randomBytes } from 'node:crypto'
import { type Command, Redis } from 'ioredis'
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

  it('is run in the order of the calls, however many come before Redis is seen to know it', async () => {
    // As over a slow network: what is answered is heard some turns of the event loop later.
    const slow = {
      async sendCommand(command: Command) {
        const [answer] = await Promise.allSettled([redis.sendCommand(command)])
        for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve))
        if (answer.status === 'rejected') throw answer.reason
        return answer.value
      },
    }
    const run = redisScript(slow, "return redis.call('RPUSH', KEYS[1], ARGV[1])")
    const calls: Promise<unknown>[] = []
    while (calls.length < 100) {
      calls.push(run(['line'], [calls.length]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(calls)
    expect((await redis.lrange('line', 0, -1)).map(Number)).toEqual(calls.map((_, n) => n))
  })

  it('takes more keys and values than a call takes arguments', async () => {
    const many = Array.from({ length: 200_000 }, (_, n) => `${n}`)
    expect(await redisScript(redis, 'return { #KEYS, #ARGV, KEYS[200000] }')(many, many)).toEqual([200_000, 200_000, '199999'])
  })

  it('takes texts of any letters, numbers, and bytes as they are, in their order', async () => {
    const [bytes, empty] = [Buffer.from([0, 255, 13, 10, 36]), Buffer.alloc(0)]
    const values = ['ä€😀\r\n', 7, bytes, '', empty, 'end']
    expect(
      await redisScript(redis, "redis.call('DEL', KEYS[1]) return redis.call('RPUSH', KEYS[1], unpack(ARGV))")(['bytes'], values),
    ).toBe(6)
    const kept = await redis.lrangeBuffer('bytes', 0, -1)
    expect(kept).toEqual(values.map((value) => (typeof value === 'object' ? value : Buffer.from(String(value)))))
  })

  it('is sent again in whole over a new connection where the first ended before the answer', async () => {
    const own = new Redis(server.url)
    const run = redisScript(own, "return redis.call('SET', KEYS[1], ARGV[1] .. ARGV[2])")
    await run(['again'], ['', ''])
    const bytes = randomBytes(100_000)
    const asked = run(['again'], [bytes, 'end'])
    own.stream.destroy()
    expect(await asked).toBe('OK')
    expect(await redis.getBuffer('again')).toEqual(Buffer.concat([bytes, Buffer.from('end')]))
    own.disconnect()
  })

  it('is run in the order of the calls where a connection ends to a Redis that has forgotten it', async () => {
    const own = new Redis(server.url)
    const run = redisScript(own, "return redis.call('RPUSH', KEYS[1], ARGV[1])")
    await run(['order'], ['known'])
    await redis.script('FLUSH')
    const calls: Promise<unknown>[] = []
    own.stream.pause()
    // So much that Redis answers them one by one.
    const much = Buffer.alloc(300_000)
    for (let n = 0; n < 50; n += 1) calls.push(run(['order'], [n, much]))
    own.stream.destroy()
    while (calls.length < 200) {
      calls.push(run(['order'], [calls.length]))
      await new Promise((resolve) => setTimeout(resolve))
    }
    await Promise.all(calls)
    expect(await redis.lrange('order', 0, -1)).toEqual(['known', ...calls.map((_, n) => String(n))])
    own.disconnect()
  })

  it('throws what it throws', async () => {
    await expect(redisScript(redis, "return redis.error_reply('ERR not so')")([], [])).rejects.toThrow('not so')
  })
})
