// A block of tests on a PostgreSQL of its own; left out where this machine has no server or no programs for backups.
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'
import { hasPostgresPrograms } from './stores.ts'

/** `server` is known once the tests run. */
export function onPostgres(tests: (server: () => TestPostgres) => void): void {
  describe.skipIf(!hasPostgresServer() || !hasPostgresPrograms())('PostgreSQL', () => {
    let server: TestPostgres
    beforeAll(async () => {
      server = await startPostgres({ max_connections: '300' })
    })
    afterAll(() => server?.stop())
    tests(() => server)
  })
}
