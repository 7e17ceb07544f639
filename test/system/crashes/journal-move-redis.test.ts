// `bellhop journal move` under a running installation: deliveries are accepted all the time, and nothing is lost or done twice.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openJournalDatabase } from '../../../src/journal/journal-database.ts'
import { openJournal } from '../../../src/journal/open-journal.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { hasPostgresServer, startPostgres, type TestPostgres } from '../../servers/postgres-server.ts'
import { hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { always, type BotWorld, onEvent, startBotWorld } from '../bot-world.ts'
import { type Running, startCommand } from '../process.ts'
import { inTheEnd } from './queue-processes.ts'
import { startPart } from './start-part.ts'

const service = 'moved'
const secret = 'hook-secret-of-this-test'
const says = { rule: always, does: '{ label: { add: seen }, comment: "seen" }' }
const counts = { rule: onEvent, does: '{ spend: 1m }' }

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('the journal of a running installation', () => {
  let redis: TestRedis
  let postgres: TestPostgres
  let world: BotWorld
  const running: Running[] = []

  beforeAll(async () => {
    ;[redis, postgres] = await Promise.all([startRedis(), startPostgres()])
    world = await startBotWorld({ says, counts }, redis.url)
  })
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await world?.close()
    await Promise.all([redis?.stop(), postgres?.stop()])
  })

  const start = (only: 'receiver' | 'worker', special: Record<string, string> = {}) =>
    startPart(world, { only, service, secret, queueUrl: redis.url, special }, (part) => running.push(part))

  /** An event of each merge request; gives the answers' status codes. */
  const deliver = (url: string) =>
    Promise.all(
      [...world.iids.values()].map(async (iid) => {
        const body = JSON.stringify({
          object_kind: 'merge_request',
          user: { id: world.botId + 1, username: 'alice' },
          project: { id: world.project },
          object_attributes: { iid, action: 'update', updated_at: new Date().toISOString(), description: randomUUID() },
        })
        const headers = {
          'content-type': 'application/json',
          'x-gitlab-token': secret,
          'idempotency-key': randomUUID(),
        }
        return (await fetch(`${url}/hooks`, { method: 'POST', headers, body })).status
      }),
    )

  async function settled(): Promise<void> {
    const queue = await openQueues({ url: redis.url })
    for (const lane of ['deliveries', 'merge-requests']) await queue.queue(lane).settled({ timeoutMs: 90_000 })
    await queue.close()
  }
  const of = (name: string) => ({ id: world.project, merge_request_iid: world.iids.get(name) ?? 0 })
  async function done() {
    const { labels } = (await world.bot.mergeRequests.get(of('says'))).body
    const notes = (await world.bot.mergeRequests.notes.list(of('says'))).body.filter(
      ({ system, author }) => system !== true && author?.id === world.botId,
    )
    const { time_stats } = (await world.bot.mergeRequests.get(of('counts'))).body
    return { labels, notes: notes.length, minutes: (time_stats?.total_time_spent ?? 0) / 60 }
  }

  test('moves while deliveries come; what waited is done by the processes that know the database, once', async () => {
    const receiver = await start('receiver')
    const worker = await start('worker')
    expect(await deliver(receiver.url)).toEqual([202, 202])
    await settled()
    expect(await done()).toEqual({ labels: ['seen'], notes: 1, minutes: 1 })
    // A person takes the label away: the memory says that it was added.
    await world.bot.mergeRequests.update({ ...of('says'), remove_labels: 'seen' })

    const environment = { BELLHOP_QUEUE_URL: redis.url }
    const move = startCommand(['journal', 'move', '--to', postgres.url], environment)
    expect(await deliver(receiver.url)).toEqual([202, 202])
    expect(await move.ended).toEqual({ code: 0, signal: null })
    expect(move.stdout()).toMatch(/The journal is now in postgres:\/\/127.*\n.*Restart every process/s)
    expect(move.stdout() + move.stderr()).not.toContain('test-password')

    // The old processes accept deliveries, and work no more.
    expect(await deliver(receiver.url)).toEqual([202, 202])
    await inTheEnd(() => expect(worker.stderr()).toContain('restart this process with BELLHOP_JOURNAL_URL'))
    await expect(start('worker')).rejects.toThrow(
      /journal of this installation is in postgres.*set BELLHOP_JOURNAL_URL/s,
    )

    const newWorker = await start('worker', { BELLHOP_JOURNAL_URL: postgres.url })
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toEqual({ code: 0, signal: null })
    const newReceiver = await start('receiver', { BELLHOP_JOURNAL_URL: postgres.url })
    receiver.child.kill('SIGTERM')
    await receiver.ended
    expect(await deliver(newReceiver.url)).toEqual([202, 202])
    await settled()
    expect(await done()).toEqual({ labels: [], notes: 1, minutes: 4 })
    expect(newWorker.stderr()).not.toContain('"level":50')

    const queue = await openQueues({ url: redis.url })
    expect((await queue.queue('merge-requests').counts()).failed).toBe(0)
    const database = await openJournalDatabase({ url: postgres.url, queue: queue.store })
    const journal = await openJournal(database.store)
    expect((await journal.deliveries({ limit: 20 })).items.map(({ state }) => state)).toEqual(Array(8).fill('read'))
    await database.close()
    await queue.close()

    const rest = startCommand(['journal', 'move', '--delete-source'], environment)
    expect(await rest.ended).toEqual({ code: 0, signal: null })
    expect(rest.stdout()).toMatch(/^\d+ keys deleted.\n$/)
  })
})
