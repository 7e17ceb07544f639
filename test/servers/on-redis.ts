// A block of tests on its own Redis, or on PostgreSQL where the project says so; skipped where the server is missing.
import { inject } from 'vitest'
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
