// Several runs of a move, and one that is given up while it goes on, on servers of the tests' own.
import { describe, expect, test } from 'vitest'
import { readJournalUrl } from '../../../src/journal/journal-url.ts'
import { moveJournal } from '../../../src/journal/move/move-journal.ts'
import { changeMove, readMove } from '../../../src/journal/stores/redis-layout.ts'
import { hasPostgresServer } from '../../servers/postgres-server.ts'
import { hasRedisServer } from '../../servers/redis-server.ts'
import { DAY_MS, delivery, event } from '../../suites/journal/records.ts'
import { type Installation, useInstallations } from './installations.ts'

const mergeRequest = { service: 's', project: 1, iid: 1 }
const memory = (written: string) => ({ rules: {}, pushes: [], written }) as never

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('moving the journal', () => {
  const { installation: empty, open, moved, move, giveUp, database, run: runIn } = useInstallations()
  /** One whose journal in Redis remembers something. */
  async function installation(): Promise<Installation> {
    const of = await empty()
    await of.old.saveMemory(mergeRequest, memory('before'))
    return of
  }

  /** Calls `does` before that command of the move, and lets it go on when that is done. */
  async function before(
    of: Installation,
    stage: 'copying history' | 'the fence' | 'copying the rest' | 'the end',
    does: () => Promise<unknown>,
  ): Promise<Installation> {
    const command = ['the fence', 'the end'].includes(stage) ? 'eval' : 'scan'
    let isReached = false
    const run = async (...args: unknown[]) => {
      const isFenced = (await readMove(of.redis, of.prefix)) !== undefined
      if (!isReached && isFenced === ['copying the rest', 'the end'].includes(stage)) {
        isReached = true
        await does()
      }
      return Reflect.apply(of.redis[command], of.redis, args)
    }
    const redis = new Proxy(of.redis, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name === command) return run
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    return { ...of, redis }
  }

  test('that is given up while the rest is copied ends, and Redis has what was written since', async () => {
    const of = await installation()
    for (let n = 0; n < 200; n += 1) await of.old.markProject(n, 'mark', 'x')
    const held = await before(of, 'copying the rest', async () => {
      expect(await giveUp(of)).toBe(true)
      await of.old.saveMemory(mergeRequest, memory('after it was given up'))
    })
    const said: number[] = []
    const run = move(held, (stage, done) => {
      if (stage === 'rest') said.push(done)
    })
    await expect(run).rejects.toThrow(/^The move was given up, or another run of it has begun/)
    // It ends with the batch in which it notices.
    expect(said).toHaveLength(2)
    expect(await readMove(of.redis, of.prefix)).toBeUndefined()
    expect(await of.old.memory(mergeRequest)).toEqual(memory('after it was given up'))
    expect(await move(of)).toBe(true)
    expect(await (await moved(of)).memory(mergeRequest)).toEqual(memory('after it was given up'))
  })

  test('that is given up at its end has not ended, and one that is given up before it goes on does not', async () => {
    const of = await installation()
    await expect(move(await before(of, 'the end', () => giveUp(of)))).rejects.toThrow(/was given up/)
    await of.old.saveMemory(mergeRequest, memory('after it was given up'))
    const interrupted = move(of, (stage) => {
      if (stage === 'rest') throw new Error('interrupted')
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    await expect(move(await before(of, 'the end', () => giveUp(of)))).rejects.toThrow(/was given up/)
    expect(await of.old.memory(mergeRequest)).toEqual(memory('after it was given up'))
  })

  test('in a second run at once is refused, and the first one goes on', async () => {
    const of = await installation()
    const held = await before(of, 'copying history', async () => {
      await expect(move(of)).rejects.toThrow(/^Another bellhop journal move is running/)
    })
    expect(await move(held)).toBe(true)
    expect(await (await moved(of)).memory(mergeRequest)).toEqual(memory('before'))
  })

  test('waits longer than the server lets a transaction wait', async () => {
    const of = await installation()
    const name = new URL(of.url).pathname.slice(1)
    runIn(of, `ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = 1000`)
    const held = await before(of, 'copying history', () => new Promise((resolve) => setTimeout(resolve, 1_500)))
    expect(await move(held)).toBe(true)
  })

  test('in a run that began before another one ended deletes nothing', async () => {
    const of = await installation()
    const { store } = await open(of, 'move')
    expect(await move(of)).toBe(true)
    const journal = await moved(of)
    await journal.saveMemory(mergeRequest, memory('after the move'))
    const late = { ...of, database: store, to: readJournalUrl(of.url).shown, onProgress: () => undefined }
    expect(await moveJournal(late)).toBe(false)
    expect(await journal.memory(mergeRequest)).toEqual(memory('after the move'))
  })

  test('to two databases at once, the run that is later with the rest is the only one that ends', async () => {
    const of = await installation()
    const other = { ...of, url: database('runs_other') }
    const held = await before(of, 'copying the rest', async () => {
      expect(await move(other)).toBe(true)
      await (await moved(other)).saveMemory(mergeRequest, memory('after the move'))
    })
    await expect(move(held)).rejects.toThrow(/another run of it has begun/)
    expect(await (await moved(other)).memory(mergeRequest)).toEqual(memory('after the move'))
    await expect(open(of)).rejects.toThrow(/holds half of a journal: that of this one is in .*runs_other/)
    await expect(open(of, 'take_over')).rejects.toThrow(/holds half of a journal/)
  })

  test('that was ended after Redis, and before the database, knew of its end is made up for by the next start', async () => {
    const of = await installation()
    expect(await move(of)).toBe(true)
    const { to = '' } = (await readMove(of.redis, of.prefix)) ?? {}
    await changeMove(of.redis, of.prefix, { from: { state: 'moved', to }, to: { state: 'moved', to, run: 'r' } })
    runIn(of, `UPDATE bellhop.installation SET id = id || ' move r'`)
    expect(await (await moved(of)).memory(mergeRequest)).toEqual(memory('before'))
    expect(await readMove(of.redis, of.prefix)).toEqual({ state: 'moved', to })
  })

  test('brings a delivery of long ago as it is read meanwhile, and finds it where it then belongs', async () => {
    const of = await installation()
    const receivedAt = new Date(Date.now() - 3 * DAY_MS).toISOString()
    const late = delivery({ receivedAt, state: 'received', mergeRequests: [] })
    const waits = delivery({ receivedAt, state: 'received', mergeRequests: [] })
    for (const each of [late, waits]) await of.old.saveDelivery(each)
    await move(
      await before(of, 'the fence', () =>
        of.old.saveDelivery({ ...late, state: 'read', mergeRequests: [mergeRequest] }),
      ),
    )
    const journal = await moved(of)
    expect(await journal.delivery(late.id)).toEqual({
      ...late,
      state: 'read',
      mergeRequests: [mergeRequest],
      replays: [],
    })
    expect((await journal.deliveries({ mergeRequest, limit: 9 })).items.map(({ id }) => id)).toEqual([late.id])
    expect((await journal.deliveries({ state: 'received', limit: 9 })).items.map(({ id }) => id)).toEqual([waits.id])
  })

  test('leaves out what expires while it is read', async () => {
    const of = await installation()
    await of.old.addPendingEvent(mergeRequest, { deliveryId: 'd', content: 'c', event: event() })
    await of.old.removePendingEvents(mergeRequest, 1)
    // Removed between the answers of GET and PTTL, which are sent one after the other.
    const expiring = new Proxy(of.redis, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name !== 'pttl') return typeof value === 'function' ? value.bind(target) : value
        return async (name: string) => {
          if ((await target.pttl(name)) >= 0) await target.del(name)
          return target.pttl(name)
        }
      },
    })
    await move({ ...of, redis: expiring })
    const inDatabase = (table: string) => runIn(of, `SELECT count(*) FROM bellhop.${table} WHERE expires_ms IS NULL`)
    expect(await of.redis.keys('*:journal:count:*')).toEqual([])
    expect(inDatabase('list_end')).toBe('0')
    expect(inDatabase('record')).toBe('1')
  })
})
