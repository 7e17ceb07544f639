// A pg.Pool over the single session of PGlite, with isolated transactions and notifications.
import { EventEmitter } from 'node:events'
import type { PGlite, Results } from '@electric-sql/pglite'
import { Mutex, type MutexInterface } from 'async-mutex'
import type { SqlClient, SqlPool } from '../types.ts'

const BEGINS = /^\s*(begin|start\s+transaction)\b/i
const ENDS = /^\s*(commit|end|abort|rollback(?!\s+to)(?!\s+(work|transaction)\s+to))\b/i

/** A pool whose clients emit errors and notifications, as those of the pg package do. */
export type ListeningPool = Omit<SqlPool, 'connect'> & EventEmitter & { connect(): Promise<SqlClient & EventEmitter> }

/** `end` leaves the database open: close it yourself. */
export function pglitePool(db: Pick<PGlite, 'exec' | 'query' | 'onNotification'>): ListeningPool {
  const mutex = new Mutex()
  const clients = new Set<EventEmitter>()
  const stopListening = db.onNotification((channel, payload) => {
    for (const client of clients) client.emit('notification', { channel, payload, processId: 0 })
  })

  async function acquireSession(): Promise<MutexInterface.Releaser> {
    const release = await mutex.acquire()
    // A statement of PGlite ends within one turn of the event loop: many in a row would hold up requests, timers and
    // signals.
    await new Promise(setImmediate)
    return release
  }

  async function run<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
    // Only `exec` takes several statements and comments before LISTEN; only `query` takes values.
    const result: Results<unknown> | undefined =
      values === undefined || values.length === 0 ? (await db.exec(text)).at(-1) : await db.query(text, values)
    const rows = (result?.rows ?? []) as Row[]
    return { rows, rowCount: result?.affectedRows || rows.length }
  }

  async function runAlone<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
    const release = await acquireSession()
    try {
      return await run<Row>(text, values)
    } finally {
      release()
    }
  }

  function client(): SqlClient & EventEmitter {
    const events = quiet(new EventEmitter())
    /** Set from BEGIN to COMMIT or ROLLBACK: a client that only listens must not block the others. */
    let releaseSession: MutexInterface.Releaser | undefined
    clients.add(events)

    async function query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
      if (releaseSession === undefined && !BEGINS.test(text)) return runAlone<Row>(text, values)
      releaseSession ??= await acquireSession()
      let isOver = ENDS.test(text)
      try {
        return await run<Row>(text, values)
      } catch (thrown) {
        isOver ||= BEGINS.test(text)
        throw thrown
      } finally {
        if (isOver) endTransaction()
      }
    }

    function endTransaction(): void {
      releaseSession?.()
      releaseSession = undefined
    }

    function release(): void {
      clients.delete(events)
      if (releaseSession !== undefined)
        void run('ROLLBACK')
          .catch(() => undefined)
          .finally(endTransaction)
    }

    return Object.assign(events, { query, release })
  }

  return Object.assign(quiet(new EventEmitter()), {
    query: runAlone,
    connect: async () => client(),
    end: async () => {
      stopListening()
      clients.clear()
    },
  })
}

/** Every queue and worker listens: many listeners are no leak here. */
function quiet(events: EventEmitter): EventEmitter {
  return events.setMaxListeners(0)
}
