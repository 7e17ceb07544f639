// Installations whose journal is to be moved: queues on an empty Redis, and empty databases, on servers of the file's own.
import { afterAll, beforeAll } from 'vitest'
import type { Opening } from '../../../src/journal/check-journal.ts'
import { type JournalDatabase, openJournalDatabase } from '../../../src/journal/journal-database.ts'
import { readJournalUrl } from '../../../src/journal/journal-url.ts'
import { type MoveOptions, moveJournal } from '../../../src/journal/move/move-journal.ts'
import { openJournal } from '../../../src/journal/open-journal.ts'
import { changeMove, readMove } from '../../../src/journal/stores/redis-layout.ts'
import type { Journal } from '../../../src/journal/types.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { Queues, RedisStore } from '../../../src/queue/types.ts'
import { startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'
import { startRedis, type TestRedis } from '../../servers/redis-server.ts'

export interface Installation extends Pick<RedisStore, 'redis' | 'prefix'> {
  queue: Queues
  /** Of the database, which is empty at first. */
  url: string
  /** The journal in Redis. */
  old: Journal
}

export interface Installations {
  /** Empties Redis for it: a test has one at a time. */
  installation(): Promise<Installation>
  open(of: Pick<Installation, 'url' | 'queue'>, opening?: Opening): Promise<JournalDatabase>
  /** The journal in the database. */
  moved(of: Installation): Promise<Journal>
  move(of: Installation, onProgress?: MoveOptions['onProgress']): Promise<boolean>
  /** Returns false where the move has ended meanwhile. */
  giveUp(of: Installation): Promise<boolean>
  /** Makes a database; returns its URL. */
  database(name: string): string
  /** Runs one statement in its database. */
  run(of: Installation, sql: string): string
}

/** Starts the servers for the tests of the file. */
export function useInstallations(): Installations {
  let postgres: TestPostgres
  let redis: TestRedis
  const closings: (() => Promise<void>)[] = []
  let made = 0

  beforeAll(async () => {
    ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  })
  afterAll(async () => {
    for (const close of closings.reverse()) await close()
    await Promise.all([postgres.stop(), redis.stop()])
  })

  async function open({ url, queue }: Pick<Installation, 'url' | 'queue'>, opening: Opening = 'open') {
    const database = await openJournalDatabase({ url, queue: queue.store, opening })
    closings.push(() => database.close())
    return database
  }

  return {
    open,
    async installation() {
      const queue = await openQueues({ url: redis.url })
      closings.push(() => queue.close())
      const { store } = queue
      if (store.kind !== 'redis') throw new Error('the queue is in Redis')
      await store.redis.flushall()
      made += 1
      const url = postgres.database(`installation${made}`)
      return { queue, redis: store.redis, prefix: store.prefix, url, old: await openJournal(store) }
    },
    moved: async (of) => openJournal((await open(of)).store),
    move: async (of, onProgress = () => undefined) =>
      moveJournal({ ...of, database: (await open(of, 'move')).store, to: readJournalUrl(of.url).shown, onProgress }),
    giveUp: async ({ redis: of, prefix }) =>
      changeMove(of, prefix, { from: await readMove(of, prefix), to: undefined }),
    database: (name) => postgres.database(name),
    run: ({ url }, sql) => postgres.run(sql, new URL(url).pathname.slice(1)),
  }
}
