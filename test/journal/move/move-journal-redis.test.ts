// The journal moves from Redis to PostgreSQL while it is used, on servers of the tests' own.
import { describe, expect, test } from 'vitest'
import { JournalUnavailable } from '../../../src/journal/errors.ts'
import { redisSource } from '../../../src/journal/move/redis-source.ts'
import { openJournal } from '../../../src/journal/open-journal.ts'
import type { DecisionRecord, Journal } from '../../../src/journal/types.ts'
import { hasPostgresServer } from '../../servers/postgres-server.ts'
import { hasRedisServer } from '../../servers/redis-server.ts'
import { DAY_MS, decision, delivery, event, matchedRule, ruleFile } from '../../suites/journal/records.ts'
import { useInstallations } from './installations.ts'

describe.skipIf(!hasRedisServer() || !hasPostgresServer())('moving the journal', () => {
  const { installation, open, moved: movedOf, move, giveUp, run } = useInstallations()

  test('brings everything, and nothing else changes', async () => {
    const of = await installation()
    const { ids, all } = await fill(of.old)
    const before = await readAll(of.old, ids, all)
    expect(await move(of)).toBe(true)
    const moved = await movedOf(of)
    expect(await readAll(moved, ids, all)).toEqual(before)
    // Numbers go on, what came once stays once, and what is limited in time stays so.
    const [first] = all
    if (first === undefined) throw new Error('nothing was filled')
    const again = { deliveryId: 'posted-0', event: event() }
    await moved.addPendingEvent(first, again)
    await moved.addPendingEvent(first, { ...again, deliveryId: 'new' })
    expect((await moved.pendingEvents(first)).map(({ seq, deliveryId }) => [seq, deliveryId])).toEqual([
      [2, 'posted-1'],
      [3, 'new'],
    ])
    const expiring = run(of, 'SELECT count(*) FROM bellhop.record WHERE expires_ms IS NOT NULL')
    expect(Number(expiring)).toBeGreaterThan(10)
    expect(await move(of)).toBe(false)
    let removed = 0
    for await (const count of redisSource(of.redis, of.prefix).remove()) removed += count
    expect(removed).toBeGreaterThan(50)
    expect((await of.redis.keys(`${of.prefix}:journal:*`)).sort()).toEqual(
      ['installation', 'layout', 'moved'].map((name) => `${of.prefix}:journal:${name}`),
    )
    expect(await readAll(moved, ids, all)).toMatchObject({ deliveries: before.deliveries })
  })

  test('what changes while history is copied is moved as it was last, and what was removed is not there', async () => {
    const of = await installation()
    const { all } = await fill(of.old)
    const [first, second] = all as [(typeof all)[0], (typeof all)[0]]
    const late = delivery({ receivedAt: new Date().toISOString(), state: 'received' })
    await of.old.saveDelivery(late)
    const again = delivery({ receivedAt: new Date(Date.now() - 3 * DAY_MS).toISOString() })
    await of.old.saveDelivery(again)
    await of.old.saveDelivery({ ...again, receivedAt: late.receivedAt })
    const decided = decision(first, new Date().toISOString())
    const changes: Promise<unknown>[] = []
    let isDone = false
    await move(of, (stage, done) => {
      if (stage !== 'history' || done === 0 || isDone) return
      isDone = true
      changes.push(
        of.old.saveMemory(first, { rules: {}, pushes: [], changed: true } as never),
        of.old.saveDelivery({ ...late, state: 'read', mergeRequests: [first] }),
        of.old.saveDecision(decided),
        of.old.removeMergeQueueEntry(second),
        of.old.removePendingEvents(first, 2),
      )
    })
    await Promise.all(changes)
    const moved = await movedOf(of)
    expect(await moved.memory(first)).toMatchObject({ changed: true })
    expect((await moved.delivery(late.id))?.state).toBe('read')
    expect((await moved.deliveries({ mergeRequest: first, limit: 1 })).items.map(({ id }) => id)).toEqual([late.id])
    expect((await moved.decisions({ limit: 1 })).items).toEqual([decided])
    expect(await moved.mergeQueueEntry(second)).toBeUndefined()
    const inDatabase = (sql: string) => run(of, sql)
    const today = Math.floor(Date.parse(late.receivedAt) / DAY_MS)
    expect(inDatabase(`SELECT day FROM bellhop.delivery WHERE key LIKE '%${again.id}%'`)).toBe(String(today))
    expect(inDatabase(`SELECT DISTINCT raises FROM bellhop.tally_by_day WHERE field LIKE '%last%'`)).toBe('t')
    expect(inDatabase(`SELECT DISTINCT raises FROM bellhop.tally_by_day WHERE field NOT LIKE '%last%'`)).toBe('f')
    expect(await moved.pendingEvents(first)).toEqual([])
  })

  test('what is waited for is announced before it begins, and counted', async () => {
    const of = await installation()
    await fill(of.old)
    const said: [string, number, number | undefined][] = []
    let firstOfRest: Promise<unknown> | undefined
    await move(of, (stage, done, all) => {
      said.push([stage, done, all])
      if (stage === 'rest') firstOfRest ??= of.old.projectMark(1, 'm').catch((error: unknown) => error)
    })
    expect(await firstOfRest).toBeInstanceOf(JournalUnavailable)
    expect(said.find(([stage]) => stage === 'rest')).toEqual(['rest', 0, undefined])
    expect(said.findLast(([stage]) => stage === 'history')).toEqual(['history', 80, 80])
    expect(said.at(-1)?.[1]).toBeGreaterThan(50)
  })

  test('an interrupted move goes on where it was, and neither store is used by half', async () => {
    const of = await installation()
    const { ids, all } = await fill(of.old)
    const before = await readAll(of.old, ids, all)
    const failing = (at: string, after: number) => (stage: string, done: number) => {
      if (stage === at && done >= after) throw new Error(`ended in ${at}`)
    }
    await expect(move(of, failing('history', 1))).rejects.toThrow('ended in history')
    await of.old.markProject(1, 'mark', 'written meanwhile')
    await expect(open(of)).rejects.toThrow(/is in Redis. Move it .* first/)
    await expect(move(of, failing('rest', 1))).rejects.toThrow('ended in rest')
    // From here on nobody writes to Redis, and nobody may start on the database.
    await expect(of.old.markProject(1, 'mark', 'too late')).rejects.toThrow(JournalUnavailable)
    await expect(of.old.memory(all[0] as never)).rejects.toThrow(/restart this process with BELLHOP_JOURNAL_URL/)
    await expect(open(of)).rejects.toThrow(/is being moved to postgres.*run it again/)
    expect(await move(of)).toBe(true)
    const moved = await movedOf(of)
    expect(await readAll(moved, ids, all)).toEqual(before)
    expect(await moved.projectMark(1, 'mark')).toBe('written meanwhile')
    await expect(openJournal(of.queue.store)).rejects.toThrow(/is in postgres:.*set BELLHOP_JOURNAL_URL/)
    await expect(open({ ...of, url: `${of.url}?schema=other` })).rejects.toThrow(
      /names .*schema=other, which holds no journal: that of this one is in postgres/,
    )
  })

  test('a move that is given up leaves Redis as it was', async () => {
    const of = await installation()
    const { ids, all } = await fill(of.old)
    const before = await readAll(of.old, ids, all)
    await expect(
      move(of, (stage) => {
        if (stage === 'rest') throw new Error('ended')
      }),
    ).rejects.toThrow('ended')
    expect(await giveUp(of)).toBe(true)
    expect(await readAll(of.old, ids, all)).toEqual(before)
    await of.old.markProject(1, 'mark', 'goes on')
    const [first] = all as [(typeof all)[0]]
    await of.old.removeMergeQueueEntry(first)
    expect(await move(of)).toBe(true)
    const moved = await movedOf(of)
    expect(await moved.projectMark(1, 'mark')).toBe('goes on')
    // The first attempt had copied it.
    expect(await moved.mergeQueueEntry(first)).toBeUndefined()
  })

  test('a merge request is never in both: a write at the moment of the change is in the database or refused', async () => {
    const of = await installation()
    const { all } = await fill(of.old)
    const [first] = all as [(typeof all)[0]]
    const stored: string[] = []
    let isOver = false
    const writer = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const written = await of.old
          .addPendingEvent(first, { deliveryId: `w-${n}`, event: event() })
          .catch(() => undefined)
        if (written !== undefined) stored.push(written)
      }
    })()
    await move(of)
    isOver = true
    await writer
    const moved = await movedOf(of)
    const there = (await moved.pendingEvents(first)).map(({ deliveryId }) => deliveryId)
    expect(there.filter((id) => id.startsWith('w-'))).toEqual(stored)
    expect(stored.length).toBeGreaterThan(0)
  })
})

/** Something of each kind, for three merge requests and forty deliveries over four days. */
async function fill(journal: Journal) {
  const all = [1, 2, 3].map((project) => ({ service: 's', project, iid: project }))
  const ids: { deliveries: string[]; decisions: string[] } = { deliveries: [], decisions: [] }
  const now = Date.now()
  for (let n = 0; n < 40; n += 1) {
    const of = all[n % 3] as (typeof all)[0]
    const at = new Date(now - (n % 4) * DAY_MS - n * 1_000).toISOString()
    const received = delivery({
      service: 's',
      receivedAt: at,
      mergeRequests: [of],
      state: 'read',
      event: { ...event(), ...of },
    })
    await journal.saveDelivery(
      received,
      { text: `body ${n} `.repeat(200), keepMs: 60_000 * (n + 1) },
      { title: `t${n}`, url: 'https://x/y' },
    )
    const decided: DecisionRecord = {
      ...decision(of, at),
      rules: [matchedRule(`r${n % 2}`)],
      deliveries: [received.id],
    }
    await journal.saveDecision(decided)
    ids.deliveries.push(received.id)
    ids.decisions.push(decided.id)
  }
  for (const of of all) {
    const { service, project } = of
    await journal.saveMemory(of, { rules: {}, pushes: [] }, project === 3)
    for (const n of [0, 1])
      await journal.addPendingEvent(of, { deliveryId: `posted-${n}`, event: event(), content: `c${n}` })
    await journal.removePendingEvents(of, 1)
    await journal.addPush({ service, project, branch: 'b' }, { from: null, to: 'x', by: {} }, 'd')
    await journal.saveRuleFile({ ...ruleFile(of), projectPath: `hotel/${project}`, projectUrl: 'https://x' })
    await journal.markProject(service, project, 'm', `mark ${project}`)
    await journal.saveMergeQueueEntry(of, {
      iid: of.iid,
      queue: 'main',
      target: 'main',
      head: 'h',
      since: 1,
      priority: 0,
      frozen: false,
    })
    await journal.changeMergeQueue({ service, project, target: 'main' }, () => ({ made: project }) as never)
    await journal.noteTimes(of, { event: { kind: 'merge_request.merge', actor: {}, at: new Date(now).toISOString() } })
    await journal.addReplay({ of: 'delivery', id: ids.deliveries[project] ?? '' }, { at: 'now', by: 'ann' })
    await journal.saveAudit({
      id: `audit ${project}`,
      at: new Date(now).toISOString(),
      by: 'ann',
      operation: 'x',
      to: {},
    })
  }
  await journal.saveSweep({
    id: 'sweep',
    of: 'x',
    dryRun: false,
    state: 'done',
    askedAt: 'now',
    projects: [],
    calls: 0,
  })
  await journal.endSession('session')
  return { ids, all }
}

async function readAll(
  journal: Journal,
  ids: { deliveries: string[]; decisions: string[] },
  all: { service: string; project: number; iid: number }[],
) {
  const of = <T>(read: (each: (typeof all)[0]) => Promise<T>) => Promise.all(all.map(read))
  const now = new Date()
  return {
    deliveries: await Promise.all(ids.deliveries.map((id) => journal.delivery(id))),
    bodies: await Promise.all(ids.deliveries.map((id) => journal.body(id))),
    decisions: await Promise.all(ids.decisions.map((id) => journal.decision(id))),
    listed: (await journal.deliveries({ limit: 100 })).items.map(({ id }) => id),
    ofOne: await of(async (each) => (await journal.deliveries({ mergeRequest: each, limit: 100 })).items.length),
    byRule: (await journal.decisions({ rule: 'r1', limit: 100 })).items.map(({ id }) => id),
    memory: await of((each) => journal.memory(each)),
    pending: await of((each) => journal.pendingEvents(each)),
    pushes: await of(({ service, project }) => journal.pushes({ service, project, branch: 'b' })),
    ruleFiles: await of((each) => journal.ruleFile(ruleFile(each))),
    marks: await of(({ service, project }) => journal.projectMark(service, project, 'm')),
    entries: await of(({ service, project }) => journal.mergeQueueEntries({ service, project, target: 'main' })),
    queues: (await journal.mergeQueues()).map(({ project }) => project).sort(),
    queue: await of(({ service, project }) => journal.mergeQueue({ service, project, target: 'main' })),
    times: (
      await journal.mergeRequestTimes(
        { service: 's', since: new Date(now.getTime() - 30 * DAY_MS), until: new Date(now.getTime() + DAY_MS) },
        10,
      )
    ).length,
    names: await journal.names(all),
    known: await journal.knownProjects(),
    audits: (await journal.audits({ limit: 10 })).items.map(({ id }) => id).sort(),
    sweep: await journal.sweep('sweep'),
    ended: await journal.sessionEnded('session'),
    counts: await of(({ service, project }) => journal.projectCounts(service, project, now)),
    rules: await of(({ service, project }) => journal.ruleCounts(service, project, now)),
    flow: await journal.flowCounts(new Date(now.getTime() - 10 * 60_000), new Date(now.getTime() - 5 * 60_000)),
  }
}
