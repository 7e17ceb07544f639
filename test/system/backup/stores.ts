// The stores of an installation, backed up and restored on another machine by the commands of docs/journal.md.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fencedCommands, readPage } from '../../docs/pages.ts'
import { eventually } from '../../eventually.ts'
import { prepareQueue } from '../../prepared-database.ts'
import type { TestPostgres } from '../../servers/postgres-server.ts'
import { startRedis, type TestRedis } from '../../servers/redis-server.ts'

/** Settings that name queue and journal. */
export type StoreSettings = Record<string, string>

export interface BackedUpStore {
  settings: StoreSettings
  backUp(): Promise<void>
  /** The machine is gone. */
  lose(): Promise<void>
  /** On another machine; gives the settings there. */
  restore(): Promise<StoreSettings>
  end(): Promise<void>
}

const page = readPage('journal.md')
const commands = fencedCommands(page)

export const hasPostgresPrograms = (): boolean => {
  const found = ['pg_dump', 'pg_restore'].every((name) => spawnSync(name, ['--version']).status === 0)
  if (!found) process.stderr.write('Skipped: pg_dump and pg_restore are not on the PATH.\n')
  return found
}

/** Runs a command that the page has word for word, with this test's addresses and folders in place of the page's. */
async function documented(command: string, cwd: string, here: Record<string, string>): Promise<string> {
  expect(commands).toContain(command)
  const own = Object.entries(here).reduce((text, [there, ours]) => text.replaceAll(there, ours), command)
  return (await promisify(execFile)('sh', ['-c', own], { cwd })).stdout
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'bellhop-backup-'))

/** `snapshot`: of the file system, in one moment, while the bot runs. */
export async function embeddedStore(way: 'copy' | 'snapshot'): Promise<BackedUpStore> {
  const folder = newFolder()
  const machine = (name: string) => {
    const at = join(folder, name)
    mkdirSync(at, { recursive: true })
    return at
  }
  const [first, second] = [machine('first'), machine('second')]
  return {
    settings: { BELLHOP_QUEUE_URL: await prepareQueue(join(first, 'queue')) },
    async backUp() {
      // Nothing else runs in this process meanwhile, so no file changes.
      if (way === 'snapshot') return void execFileSync('cp', ['-R', join(first, 'queue'), join(second, 'queue')])
      await documented('tar -czf bellhop-queue.tar.gz -C /var/lib/bellhop queue', folder, {
        '/var/lib/bellhop': first,
      })
    },
    lose: async () => rmSync(first, { recursive: true }),
    async restore() {
      if (way === 'copy')
        await documented('tar -xzf bellhop-queue.tar.gz -C /var/lib/bellhop', folder, { '/var/lib/bellhop': second })
      return { BELLHOP_QUEUE_URL: `embedded:${join(second, 'queue')}` }
    },
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

const REDIS = 'redis://127.0.0.1:6379'

/** A Redis that has the data of the backup in `folder`, as the page restores it. */
async function restoredRedis(folder: string): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'bellhop-redis-'))
  await documented('cp bellhop.rdb /var/lib/redis/dump.rdb', folder, { '/var/lib/redis': directory })
  const loading = await startRedis([['appendonly', 'no']], { directory })
  const here = { [REDIS]: loading.url }
  await documented('redis-cli -u redis://127.0.0.1:6379 CONFIG SET appendonly yes', folder, here)
  await eventually(async () => {
    const said = await documented('redis-cli -u redis://127.0.0.1:6379 INFO persistence', folder, here)
    for (const line of ['aof_rewrite_in_progress:0', 'aof_rewrite_scheduled:0', 'aof_last_bgrewrite_status:ok'])
      expect(said.split('\r\n')).toContain(line)
  })
  await loading.kill()
  const redis = await startRedis([], { directory })
  expect(
    Number(await documented('redis-cli -u redis://127.0.0.1:6379 DBSIZE', folder, { [REDIS]: redis.url })),
  ).toBeGreaterThan(0)
  return redis
}

const backUpRedis = (folder: string, redis: TestRedis) =>
  documented('redis-cli -u redis://127.0.0.1:6379 --rdb bellhop.rdb', folder, { [REDIS]: redis.url })

const DATABASE = 'postgres://bellhop@127.0.0.1/bellhop'
let databases = 0

function newDatabase(server: TestPostgres) {
  databases += 1
  const name = `backup${databases}`
  return { name, url: server.database(name) }
}

const backUpDatabase = (folder: string, url: string) =>
  documented('pg_dump --format=custom --file=bellhop.pgdump postgres://bellhop@127.0.0.1/bellhop', folder, {
    [DATABASE]: url,
  })

async function restoredDatabase(folder: string, server: TestPostgres): Promise<string> {
  const { url } = newDatabase(server)
  const command =
    'pg_restore --no-owner --single-transaction --dbname=postgres://bellhop@127.0.0.1/bellhop bellhop.pgdump'
  await documented(command, folder, { [DATABASE]: url })
  return url
}

/** PostgreSQL as queue and journal. */
export async function postgresStore(server: TestPostgres): Promise<BackedUpStore> {
  const folder = newFolder()
  const first = newDatabase(server)
  return {
    settings: { BELLHOP_QUEUE_URL: first.url },
    backUp: async () => void (await backUpDatabase(folder, first.url)),
    lose: async () => void server.run(`DROP DATABASE ${first.name} WITH (FORCE)`),
    restore: async () => ({ BELLHOP_QUEUE_URL: await restoredDatabase(folder, server) }),
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What becomes of each of two stores: it is restored from the backup, it was not lost, or it is lost for good. */
export interface Losses {
  queue: 'restored' | 'kept' | 'empty'
  journal: 'restored' | 'kept'
}

/** The queue in Redis and the journal in PostgreSQL. */
export async function redisAndPostgres(server: TestPostgres, { queue, journal }: Losses): Promise<BackedUpStore> {
  const folder = newFolder()
  const servers = [await startRedis()]
  const [first] = servers as [TestRedis]
  const database = newDatabase(server)
  return {
    settings: { BELLHOP_QUEUE_URL: first.url, BELLHOP_JOURNAL_URL: database.url },
    async backUp() {
      await backUpRedis(folder, first)
      await backUpDatabase(folder, database.url)
    },
    async lose() {
      if (queue !== 'kept') await first.stop()
      if (journal !== 'kept') server.run(`DROP DATABASE ${database.name} WITH (FORCE)`)
    },
    async restore() {
      const url = journal === 'kept' ? database.url : await restoredDatabase(folder, server)
      if (queue === 'kept') return { BELLHOP_QUEUE_URL: first.url, BELLHOP_JOURNAL_URL: url }
      const second = queue === 'empty' ? await startRedis() : await restoredRedis(folder)
      servers.push(second)
      return { BELLHOP_QUEUE_URL: second.url, BELLHOP_JOURNAL_URL: url }
    },
    async end() {
      await Promise.all(servers.map((each) => each.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
