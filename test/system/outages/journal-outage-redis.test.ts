// An outage of the journal's PostgreSQL: deliveries are accepted, evaluations wait, /readyz says why, nothing is lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../eventually.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { fillDisk, mountSmallDisk, unmountDisk } from '../../servers/small-disk.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `version: 1
rules:
  - name: seen
    if: { title: { matches: "^code" } }
    then: { label: { add: seen }, comment: "Seen." }
`

describe.skipIf(!hasRedisServer() || !hasPostgresServer()).sequential('the journal in PostgreSQL', () => {
  let redis: TestRedis
  let postgres: TestPostgres
  let world: TestWorld
  let opened = 0

  async function start(): Promise<void> {
    redis = await startRedis()
    world = await startTestWorld({ rules, queueUrl: redis.url, settings: { BELLHOP_JOURNAL_URL: postgres.url } })
    await world.settle()
  }
  async function end(): Promise<void> {
    await world?.end()
    await redis?.stop()
  }

  const ready = async () => {
    const answer = await fetch(`${world.bellhop.url}/readyz`)
    return { ...((await answer.json()) as { journal?: string; waits?: string }), status: answer.status }
  }
  /** In the end: a failed write counts for some seconds. */
  const expectReadyz = (journal: string, waits?: RegExp) =>
    eventually(async () =>
      expect(await ready()).toEqual(
        expect.objectContaining({
          ...{ status: 200, journal },
          ...(waits === undefined ? {} : { waits: expect.stringMatching(waits) }),
        }),
      ),
    )
  const openOne = () => {
    opened += 1
    return world.openMergeRequest({ branch: `code-${opened}` })
  }
  /** What was opened meanwhile is labelled and commented on, once. */
  async function expectDoneOnce(iids: readonly number[]): Promise<void> {
    await world.settle()
    for (const iid of iids) {
      expect(await world.labels(iid)).toEqual(['seen'])
      const notes = (await world.service.mergeRequests.notes.list(world.ref(iid))).body
      expect(notes.filter(({ body, system }) => system !== true && body?.startsWith('Seen.'))).toHaveLength(1)
    }
    const { deliveries, mergeRequests } = world.bellhop.bot.queues
    expect([(await deliveries.counts()).failed, (await mergeRequests.counts()).failed]).toEqual([0, 0])
    expect(world.log.filter(({ event }) => event === 'job_failed')).toEqual([])
  }

  describe('on a disk of its own', () => {
    beforeAll(async () => {
      postgres = await startPostgres()
      await start()
    })
    afterAll(async () => {
      await end()
      await postgres.stop()
    })

    test('a server that is killed and comes back costs no delivery and no attempt', async () => {
      const before = await openOne()
      await postgres.kill()
      expect(await world.deliver('{}')).toBe(202)
      const meanwhile = [await openOne(), await openOne()]
      await expectReadyz('unreachable', /does not respond: deliveries are accepted, and wait/)
      await pause(1_500)
      await postgres.start()
      await expectDoneOnce([before, ...meanwhile].map(({ iid }) => iid))
      await expectReadyz('available')
    })

    test('a server that answers nothing for a while does not either', async () => {
      postgres.freeze()
      expect(await world.deliver('{}')).toBe(202)
      const meanwhile = await openOne()
      await expectReadyz('unreachable', /does not respond/)
      await pause(3_000)
      postgres.thaw()
      await expectDoneOnce([meanwhile.iid])
      await expectReadyz('available')
    })

    test('a server that only reads for a while, as after a failover to a replica, does not either', async () => {
      const readOnly = (is: 'on' | 'off') => {
        postgres.run(`ALTER SYSTEM SET default_transaction_read_only = ${is}`)
        postgres.run('SELECT pg_reload_conf()')
      }
      readOnly('on')
      await eventually(() =>
        expect(postgres.run(`SELECT setting FROM pg_file_settings WHERE name = 'default_transaction_read_only'`)).toBe(
          'on',
        ),
      )
      expect(await world.deliver('{}')).toBe(202)
      const meanwhile = await openOne()
      await expectReadyz('read_only', /only reads: deliveries are accepted, and wait/)
      await pause(1_500)
      expect(await world.labels(meanwhile.iid)).toEqual([])
      readOnly('off')
      await expectDoneOnce([meanwhile.iid])
      await expectReadyz('available')
    })

    test('connections that are cut in the middle of statements, again and again, lose and double nothing', async () => {
      let isOver = false
      const cutting = (async () => {
        for (; !isOver; await pause(100))
          postgres.run(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bellhop' AND pid <> pg_backend_pid()`,
          )
      })()
      const all = []
      for (let n = 0; n < 8; n += 1) all.push(await openOne())
      await pause(2_000)
      isOver = true
      await cutting
      await expectDoneOnce(all.map(({ iid }) => iid))
      await expectReadyz('available')
    })

    test('each trouble is logged once, however often /readyz is asked', () => {
      const told = world.log.filter(({ event }) => event === 'journal_unavailable').map(({ reason }) => reason)
      expect(told.slice(0, 3)).toEqual(['unreachable', 'unreachable', 'read_only'])
    })
  })

  const disk = mkdtempSync(join(tmpdir(), 'bellhop-small-'))
  const isSmall = mountSmallDisk(disk, 1)
  if (isSmall) unmountDisk(disk)
  rmSync(disk, { recursive: true })

  describe.skipIf(!isSmall)('on a small disk', () => {
    beforeAll(async () => {
      postgres = await startPostgres({ max_wal_size: '32MB' }, (directory) => mountSmallDisk(directory, 160))
      await start()
    })
    afterAll(async () => {
      await end()
      await postgres.kill()
      unmountDisk(postgres.directory)
      await postgres.stop()
    })

    test('a full disk loses nothing that was acknowledged, and work goes on when there is space', async () => {
      const ballast = join(postgres.directory, 'ballast')
      fillDisk(postgres.directory, ballast, 0)
      const meanwhile = []
      for (let n = 0; n < 4; n += 1) meanwhile.push(await openOne())
      expect(await world.deliver(JSON.stringify({ object_kind: 'moonrise', text: 'x'.repeat(500_000) }))).toBe(202)
      // A server that cannot write its log ends itself.
      await eventually(async () =>
        expect(await ready()).toMatchObject({ status: 200, journal: postgres.isRunning() ? 'full' : 'unreachable' }),
      )
      await pause(3_000)
      rmSync(ballast)
      // Its supervisor starts it again.
      if (!postgres.isRunning()) await postgres.start()
      await expectDoneOnce(meanwhile.map(({ iid }) => iid))
      await expectReadyz('available')
    })
  })
})
