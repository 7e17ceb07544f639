// The store of queue and journal: can it be used, does it keep what it is given, and is there room.
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { openQueue } from '../../queue/open-queue.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Opens Redis and PostgreSQL as the bot does; a folder is looked at only, for the bot may have it open. */
export async function examineQueue({ url, minFreeDisk }: { url: string; minFreeDisk: number }): Promise<Finding[]> {
  if (url.startsWith('embedded:')) return [await folder(resolve(url.slice('embedded:'.length)), minFreeDisk)]
  try {
    const queue = await openQueue({ url })
    try {
      await queue.ping()
      if (queue.store.kind !== 'redis') return [ok('queue', 'PostgreSQL answers.')]
      return redis(await queue.store.redis.info())
    } finally {
      await queue.close()
    }
  } catch (error) {
    return [fail('queue', error instanceof Error ? error.message : String(error), 'See docs/operating.md, The queue.')]
  }
}

function redis(info: string): Finding[] {
  const told = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? ''
  const version = told('redis_version')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const old = major < 6 || (major === 6 && minor < 2)
  return [
    old
      ? warn('queue', `Redis ${version} answers, and drops nothing (noeviction).`, 'Use Redis 6.2 or later: older ones are not tested.')
      : ok('queue', `Redis ${version} answers, and drops nothing (noeviction).`),
    told('aof_enabled') === '1'
      ? ok('persistence', 'Redis writes what it is given to its append-only file.')
      : warn(
          'persistence',
          'Redis keeps no append-only file: a restart loses deliveries that were acknowledged.',
          'Set "appendonly yes" (redis-cli CONFIG SET appendonly yes, and in redis.conf).',
        ),
    told('maxmemory') === '0'
      ? warn(
          'memory',
          'Redis has no maxmemory.',
          'Set one in a container, or beside other programs: Bellhop then stops taking deliveries in time.',
        )
      : ok('memory', `Redis may use ${told('maxmemory_human') || 'so much as it is allowed'}.`),
  ]
}

async function folder(directory: string, minFreeDisk: number): Promise<Finding> {
  const there = await nearest(directory)
  try {
    await access(there, constants.W_OK | constants.X_OK)
  } catch {
    // What the system says adds nothing to what is to be done.
    return fail(
      'queue',
      `The folder ${directory} cannot be written, as ${there} cannot.`,
      'Give this user the right to write there, or name another folder: BELLHOP_QUEUE_URL=embedded:DIR.',
    )
  }
  const { bavail, bsize } = await statfs(there)
  const megabytes = Math.floor((bavail * bsize) / 2 ** 20)
  if (megabytes < minFreeDisk)
    return fail(
      'queue',
      `The disk of ${directory} has ${megabytes} MB left; deliveries are turned down below ${minFreeDisk} MB.`,
      'Make room on it, or set BELLHOP_MIN_FREE_DISK.',
    )
  return ok('queue', `The folder ${directory} can be written; ${megabytes} MB are free on its disk.`)
}

/** The folder itself, or the one above it that is there. */
async function nearest(directory: string): Promise<string> {
  try {
    await access(directory, constants.F_OK)
    return directory
  } catch {
    const above = dirname(directory)
    return above === directory ? directory : nearest(above)
  }
}
