// A pg.Pool over the one session of PGlite, with what BullMQ needs: transactions that no one enters, and notifications to every client.
import { EventEmitter } from 'node:events'
import type { PGlite, Results } from '@electric-sql/pglite'
import { preparedStatements, type Session } from './prepared-statements.ts'
import { type EndTurn, sessionTurns } from './session-turns.ts'
import type { SqlClient, SqlPool } from './types.ts'

const BEGINS = /^\s*(begin|start\s+transaction)\b/i
const ENDS = /^\s*(commit|end|abort|rollback(?!\s+to)(?!\s+(work|transaction)\s+to))\b/i

/** A pool whose clients also tell of errors and notifications, as those of the pg package do. */
export type ListeningPool = Omit<SqlPool, 'connect'> & EventEmitter & { connect(): Promise<SqlClient & EventEmitter> }

/** Puts the pool over an open database; `end` leaves the database open, which is closed by whoever opened it. */
export function pglitePool(db: Session & Pick<PGlite, 'exec' | 'onNotification'>): ListeningPool {
  const query = preparedStatements(db)
  const turns = sessionTurns()
  const clients = new Set<EventEmitter>()
  const stopListening = db.onNotification((channel, payload) => {
    for (const client of clients) client.emit('notification', { channel, payload, processId: 0 })
  })

  async function run<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
    // Only the simple protocol takes several statements, comments before LISTEN included; only the extended one takes values.
    const result: Results<unknown> | undefined =
      values === undefined || values.length === 0 ? (await db.exec(text)).at(-1) : await query(text, values)
    const rows = (result?.rows ?? []) as Row[]
    return { rows, rowCount: result?.affectedRows || rows.length }
  }

  async function alone<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
    const end = await turns.take()
    try {
      return await run<Row>(text, values)
    } finally {
      end()
    }
  }

  function client(): SqlClient & EventEmitter {
    const events = quiet(new EventEmitter())
    /** Set from BEGIN to COMMIT or ROLLBACK. A client that only listens holds nothing, or all others would wait for it for good. */
    let turn: EndTurn | undefined
    clients.add(events)

    async function query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }> {
      if (turn === undefined && !BEGINS.test(text)) return alone<Row>(text, values)
      turn ??= await turns.take()
      let over = ENDS.test(text)
      try {
        return await run<Row>(text, values)
      } catch (thrown) {
        over ||= BEGINS.test(text)
        throw thrown
      } finally {
        if (over) endTurn()
      }
    }

    function endTurn(): void {
      turn?.()
      turn = undefined
    }

    function release(): void {
      clients.delete(events)
      if (turn !== undefined)
        void run('ROLLBACK')
          .catch(() => undefined)
          .finally(endTurn)
    }

    return Object.assign(events, { query, release })
  }

  return Object.assign(quiet(new EventEmitter()), {
    query: alone,
    connect: async () => client(),
    end: async () => {
      stopListening()
      clients.clear()
    },
  })
}

/** Each lane and worker listens: many listeners are no leak here. */
function quiet(events: EventEmitter): EventEmitter {
  return events.setMaxListeners(0)
}
