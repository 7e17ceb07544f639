// What some benches need of the machine.
import { hasRedisServer } from '../test/servers/redis-server.ts'
import { CannotRun } from './row.ts'

/** Throws CannotRun. */
export function requireRedis(): void {
  if (!hasRedisServer()) throw new CannotRun('redis-server is not on the PATH (Debian: apt-get install redis-server).')
}
