// What one turn of the event loop sends to Redis goes out as one write, and everything is answered.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { JoinedWrites } from '../../src/queue/joined-writes.ts'
import { hasRedisServer, startRedis } from '../redis-server.ts'

describe.skipIf(!hasRedisServer())('a connection', () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: JoinedWrites
  const written = () => {
    const [one, many] = [vi.spyOn(redis.stream, '_write'), vi.spyOn(redis.stream as Required<typeof redis.stream>, '_writev')]
    return () => one.mock.calls.length + many.mock.calls.length
  }

  beforeAll(async () => {
    server = await startRedis()
    redis = new JoinedWrites(server.url)
    await redis.ping()
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })

  it('sends the commands and transactions of one turn in one write', async () => {
    const writes = written()
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => redis.set(`key-${n}`, n)),
      Promise.resolve().then(() => redis.incr('key-1')),
      redis.multi().get('key-2').get('key-3').exec(),
    ])
    expect(answers.slice(-2)).toEqual([
      2,
      [
        [null, '2'],
        [null, '3'],
      ],
    ])
    expect(writes()).toBe(1)
  })

  it('goes on so after its connection was lost', async () => {
    const before = redis.stream
    redis.stream.destroy()
    expect(await redis.ping()).toBe('PONG')
    expect(redis.stream).not.toBe(before)
    const writes = written()
    expect(await Promise.all([redis.get('key-4'), redis.get('key-5')])).toEqual(['4', '5'])
    expect(writes()).toBe(1)
  })
})
