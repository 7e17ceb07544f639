// A block of tests on a Redis of its own, or where the project says so on PostgreSQL; left out where this machine has no such server.
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { makeDatabase } from '../bot-journal.ts'
import { hasRedisServer, startRedis } from './redis-server.ts'

/** `url` is known once the tests run. */
export function onRedis(tests: (url: () => string) => void): void {
  const postgres = inject('queueOf') === 'postgres' ? inject('postgres') : undefined
  describe.skipIf(postgres === undefined && !hasRedisServer())(`on ${postgres ? 'PostgreSQL' : 'Redis'}`, () => {
    let queue: { url: string; stop(): Promise<void> }
    beforeAll(async () => {
      queue = postgres ? { url: await makeDatabase(postgres), stop: async () => undefined } : await startRedis()
    })
    afterAll(() => queue?.stop())
    tests(() => queue.url)
  })
}
