// A PostgreSQL server, if installed, for the journals, or queues too, of a project's test files (vitest.config.ts).
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
