// A PostgreSQL server for the test files of a project (vitest.config.ts): in it they store their journals next to a Redis.
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent where the project stores journals with their queues. */
    postgres?: string
  }
}

export default async function startForRun(project: TestProject): Promise<() => Promise<void>> {
  // Each bot has a pool of connections.
  const server = await startPostgres({ max_connections: '500' })
  project.provide('postgres', server.url)
  return () => server.stop()
}
