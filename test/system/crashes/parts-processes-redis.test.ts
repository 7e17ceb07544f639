// Real receivers and workers over one queue: some are killed, all restarted in turn, and nothing is lost or done twice.
import { randomUUID } from 'node:crypto'
import { openQueues } from '../../../src/queue/open-queue.ts'
import type { Queues } from '../../../src/queue/types.ts'
import { openBotJournal } from '../../bot-journal.ts'
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { always, type BotWorld, onEvent, startBotWorld } from '../bot-world.ts'
import type { Running } from '../process.ts'
import { startPart } from './start-part.ts'

const secret = 'hook-secret-of-this-test'
const says = { rule: always, does: '{ label: { add: seen }, comment: "seen" }' }
const counts = { rule: onEvent, does: '{ spend: 1m }' }

onRedis((url) => {
  let world: BotWorld
  let queue: Queues
  let stores: Awaited<ReturnType<typeof openBotJournal>>
  const parts: Running[] = []
  beforeAll(async () => {
    world = await startBotWorld({ 'says-1': says, 'says-2': says, 'counts-1': counts, 'counts-2': counts }, url())
    queue = await openQueues({ url: url() })
    stores = await openBotJournal(queue, url())
  })
  afterEach(async () => {
    for (const { child, ended } of parts.splice(0)) {
      child.kill('SIGKILL')
      await ended
    }
  })
  afterAll(async () => {
    await queue?.close()
    await stores?.close()
    await world?.close()
  })

  const start = (only: 'receiver' | 'worker', special: Record<string, string> = {}) =>
    startPart(world, { only, secret, queueUrl: url(), special }, (part) => parts.push(part))

  /** One event of a merge request; sent again, as one delivery, until one of the receivers takes it. Gives the id. */
  async function deliver(urls: readonly string[], iid: number): Promise<string> {
    const body = JSON.stringify({
      ...{ object_kind: 'merge_request', project: { id: world.project }, user: { id: 999, username: 'somebody' } },
      object_attributes: { iid, target_project_id: world.project, action: 'update', title: randomUUID() },
    })
    const headers = { 'content-type': 'application/json', 'x-gitlab-token': secret, 'idempotency-key': randomUUID() }
    for (const url of [...urls, ...urls]) {
      const answer = await fetch(`${url}/hooks`, { method: 'POST', headers, body }).catch(() => undefined)
      if (answer?.status === 202) return ((await answer.json()) as { id: string }).id
    }
    throw new Error('no receiver took it')
  }

  let sent = 0
  /**
   * Five events of each merge request, by one receiver and the other in turn: three at once, `meanwhile` begins when
   * some were taken, and two more when something was evaluated: so something is evaluated twice on any machine.
   */
  async function storm(urls: readonly string[], meanwhile: () => Promise<void>): Promise<string[]> {
    const ids: string[] = []
    let begun: Promise<void> | undefined
    const send = async (rounds: number) => {
      const all = Array.from({ length: rounds }, () => [...world.iids.values()])
        .flat()
        .map(async (iid, at) => {
          ids.push(await deliver(at % 2 === 0 ? urls : urls.toReversed(), iid))
          begun ??= meanwhile()
        })
      await Promise.all(all)
      sent += rounds
    }
    const before = await evaluated()
    await send(3)
    await eventually(async () => expect(await evaluated()).toBeGreaterThan(before))
    await send(2)
    await begun
    return ids
  }

  async function evaluated(): Promise<number> {
    return (await Promise.all([...world.iids.values()].map(evaluationsOf))).flat().length
  }

  /** From when to when each completed evaluation ran, in ms since 1970, oldest first; by the journal's decisions. */
  async function evaluationsOf(iid: number): Promise<{ from: number; to: number }[]> {
    const { items } = await stores.journal.decisions.list({
      mergeRequest: { project: world.project, iid },
      limit: 200,
    })
    const times = new Map<string, { from: number; to: number }>()
    for (const { evaluation = '', at, tookMs } of items) {
      const to = Date.parse(at)
      const known = times.get(evaluation) ?? { from: to - tookMs, to }
      times.set(evaluation, { from: Math.min(known.from, to - tookMs), to: Math.max(known.to, to) })
    }
    return [...times.values()].sort((a, b) => a.from - b.from)
  }

  async function expectOneAtATime(): Promise<void> {
    let seen = 0
    for (const [name, iid] of world.iids) {
      const evaluations = await evaluationsOf(iid)
      seen += evaluations.length
      const overlapping = evaluations.filter(({ from }, at) => from < (evaluations[at - 1]?.to ?? 0))
      expect(overlapping, name).toEqual([])
    }
    expect(seen).toBeGreaterThan(world.iids.size)
  }

  const callsAbout = (iid: number) =>
    world.sandbox.calls().filter(({ caller, params }) => caller === world.botId && params.merge_request_iid === iid)

  async function expectAllDoneOnce(ids: readonly string[]): Promise<void> {
    for (const lane of ['deliveries', 'merge-requests']) await queue.queue(lane).settled({ timeoutMs: 150_000 })
    expect(new Set(ids).size).toBe(ids.length)
    const records = await Promise.all(ids.map((id) => stores.journal.deliveries.find(id)))
    expect(records.map((record) => record?.state)).toEqual(ids.map(() => 'read'))
    for (const [name, iid] of world.iids) {
      const which = { id: world.project, merge_request_iid: iid }
      const { labels, time_stats } = (await world.bot.mergeRequests.get(which)).body
      const notes = (await world.bot.mergeRequests.notes.list(which)).body.filter(
        ({ system, author }) => system !== true && author?.id === world.botId,
      )
      if (name.startsWith('says')) expect([labels, notes.length], name).toEqual([['seen'], 1])
      // Of a spend whose answer was lost with the process nobody knows: it is flagged, and never sent again.
      else {
        const answers = (
          await stores.journal.decisions.list({ mergeRequest: { project: world.project, iid }, limit: 200 })
        ).items
        const ambiguous = answers
          .flatMap((each) => each.responses)
          .filter(({ result }) => result === 'ambiguous').length
        const minutes = (time_stats?.total_time_spent ?? 0) / 60
        expect(minutes, name).toBeLessThanOrEqual(sent)
        expect(minutes, name).toBeGreaterThanOrEqual(sent - ambiguous)
      }
    }
    for (const lane of ['deliveries', 'merge-requests']) expect((await queue.queue(lane).counts()).failed).toBe(0)
  }

  test('of two receivers and three workers, one and two are killed on the way: what was acknowledged is done, and done once', async () => {
    const [receivers, workers] = await Promise.all([
      Promise.all([start('receiver'), start('receiver')]),
      Promise.all([start('worker'), start('worker'), start('worker')]),
    ])
    const dying = [receivers[0], workers[0], workers[1]]
    const ids = await storm(
      receivers.map(({ url }) => url),
      async () => {
        for (const { child } of dying) child.kill('SIGKILL')
        await Promise.all(dying.map(({ ended }) => ended))
      },
    )
    await expectAllDoneOnce(ids)
    await expectOneAtATime()
  })

  test('while one worker evaluates a merge request no other does; when that one is killed, another goes on', async () => {
    const [iid = 0, other = 0] = ['says-1', 'says-2'].map((name) => world.iids.get(name))
    const earlier = callsAbout(iid).length
    let relayed = 0
    world.proxy.hold('after', ({ path }) => {
      if (path.includes(`/merge_requests/${iid}`)) relayed += 1
      return path.endsWith(`/merge_requests/${iid}`)
    })
    // One evaluation at a time: what else there is to evaluate is for the others.
    const held = await start('worker', { BELLHOP_SERVICE_URL: world.proxy.url, BELLHOP_CONCURRENCY: '1' })
    const receiver = await start('receiver')
    const ids = [await deliver([receiver.url], iid)]
    await eventually(() => expect(world.proxy.held()).toHaveLength(1))
    await Promise.all([start('worker'), start('worker')])
    for (let n = 0; n < 5; n++) ids.push(await deliver([receiver.url], iid))
    const evaluated = (await evaluationsOf(other)).length
    ids.push(await deliver([receiver.url], other))
    await queue.queue('deliveries').settled({ timeoutMs: 150_000 })
    await eventually(async () => expect((await evaluationsOf(other)).length).toBeGreaterThan(evaluated))
    // Only the calls of the one that is held go through the relay.
    expect(callsAbout(iid).length).toBeLessThanOrEqual(earlier + relayed)

    held.child.kill('SIGKILL')
    await held.ended
    await queue.queue('merge-requests').settled({ timeoutMs: 150_000 })
    expect(callsAbout(iid).length).toBeGreaterThan(earlier + relayed)
    const records = await Promise.all(ids.map((id) => stores.journal.deliveries.find(id)))
    expect(records.map((record) => record?.state)).toEqual(ids.map(() => 'read'))
  })

  test('workers that are restarted one after the other, under load, lose nothing and do nothing twice', async () => {
    const [receiver, ...old] = await Promise.all([start('receiver'), start('worker'), start('worker')])
    const ids = await storm([receiver.url], async () => {
      for (const each of old) {
        const newer = start('worker')
        each.child.kill('SIGTERM')
        expect(await each.ended).toEqual({ code: 0, signal: null })
        await newer
      }
    })
    await expectAllDoneOnce(ids)
    await expectOneAtATime()
  })
})
