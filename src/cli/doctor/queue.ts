// Checks the queue's backend: reachable, durable, with free capacity.
import { resolve } from 'node:path'
import { asError } from '../../queue/errors.ts'
import { openQueues } from '../../queue/open-queue.ts'
import { onlineIn } from '../../queue/redis/replica.ts'
import { readRedisUrl } from '../../queue/redis/target.ts'
import { type Finding, findingsOf } from './finding.ts'
import { examineFolder } from './machine.ts'

const [queueFindings, persistence] = [findingsOf('queue'), findingsOf('persistence')]
const [memory, replica] = [findingsOf('memory'), findingsOf('replica')]

/** Opens Redis and PostgreSQL; only inspects a folder, which the bot may have open. */
export async function examineQueue(url: string): Promise<Finding[]> {
  if (url.startsWith('embedded:')) return [await examineFolder('queue', resolve(url.slice('embedded:'.length)))]
  try {
    const queue = await openQueues({ url })
    try {
      await queue.ping()
      if (queue.store.kind !== 'redis') return [queueFindings.ok('PostgreSQL answers.')]
      const info = await queue.store.redis.info()
      return [...redis(info), ...(readRedisUrl(url).kind === 'sentinel' ? replicas(info) : [])]
    } finally {
      await queue.close()
    }
  } catch (error) {
    return [queueFindings.fail(asError(error).message, 'See docs/reliability.md, Faults.')]
  }
}

function redis(info: string): Finding[] {
  const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? ''
  const version = field('redis_version')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const answers = `Redis ${version} answers, with noeviction.`
  const isNew = major > 6 || (major === 6 && minor >= 2)
  return [
    queueFindings.okIf(isNew, answers, answers, 'Use Redis 6.2 or later: older ones are not tested.'),
    persistence.okIf(
      field('aof_enabled') === '1',
      'Redis has an append-only file.',
      'Redis has no append-only file: a restart loses acknowledged deliveries.',
      'Set "appendonly yes" (redis-cli CONFIG SET appendonly yes, and in redis.conf).',
    ),
    memory.okIf(
      field('maxmemory') !== '0',
      `Redis may use ${field('maxmemory_human') || 'an unknown amount'}.`,
      'Redis has no maxmemory.',
      'Set one in a container or where other programs run, so that Bellhop refuses deliveries in time.',
    ),
  ]
}

/** What a failover needs so that it loses nothing. */
function replicas(info: string): Finding[] {
  return [
    replica.okIf(
      onlineIn(info) > 0,
      'A replica confirms deliveries.',
      'No replica is online: a failover may lose deliveries.',
      'Start one, or wait until it has loaded.',
    ),
    replica.okIf(
      // Named only if it is above 0; hosted Redis services forbid CONFIG.
      /^min_slaves_good_slaves:/m.test(info),
      'A master without a replica takes no writes.',
      'Redis has min-replicas-to-write 0: what a master that is cut off takes is lost.',
      'Set "min-replicas-to-write 1" (redis-cli CONFIG SET min-replicas-to-write 1, and in redis.conf).',
    ),
  ]
}
