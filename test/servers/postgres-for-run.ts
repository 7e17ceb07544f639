// A PostgreSQL server for the test files of a project (vitest.config.ts), where one is installed: in it they have their journals, or their queues too.
import type { TestProject } from 'vitest/node'
import { hasPostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's URL. */
    postgres?: string
  }
}

export default async function startForRun(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasPostgresServer()) return undefined
  // Each bot has a pool of connections.
  const server = await startPostgres({ max_connections: '500' })
  project.provide('postgres', server.url)
  return () => server.stop()
}
