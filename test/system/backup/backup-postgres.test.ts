// A backup of PostgreSQL as queue and journal (backup.suite.ts).
import { backupSuite } from './backup.suite.ts'
import { onPostgres } from './on-postgres.ts'
import { postgresStore } from './stores.ts'

onPostgres((server) => {
  backupSuite(() => postgresStore(server()), { memory: 'of the backup', waiting: 'done again' })
})
