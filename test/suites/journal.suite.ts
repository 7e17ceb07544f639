// What every journal remembers, whatever store it is kept in.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Keeping } from '../../src/journal/keeping.ts'
import type { DecisionRecord, DeliveryRecord, Journal, SweepRecord } from '../../src/journal/types.ts'
import type { Event, MergeRequestRef } from '../../src/rules/types.ts'

const HOSTILE = ['a\0b', '\ud800 alone', '\udfff', '"\\\'{}[],;--\n\t\u2028', '\\u0000', 'NULL', '', 'é😀'.repeat(50_000)]
const DAY_MS = 86_400_000

let lastProject = 0

/** A merge request of a project that no other test knows. */
function mergeRequest(): MergeRequestRef {
  lastProject += 1
  return { service: `service-${randomUUID()}`, project: lastProject, iid: 7 }
}

function event(kind = 'push'): Event {
  return { kind, actor: { username: 'ann' }, at: '2026-11-21T10:00:00.000Z' }
}

function delivery(given: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id: randomUUID(),
    service: 'one',
    receivedAt: '2026-11-21T10:00:00.000Z',
    header: 'Push Hook',
    bytes: 3,
    state: 'received',
    mergeRequests: [],
    replays: [],
    ...given,
  }
}

function decision(of: MergeRequestRef, at: string, id: string = randomUUID()): DecisionRecord {
  return { id, mergeRequest: of, at, deliveries: [], tookMs: 5, rules: [], calls: [], answers: [], head: null, files: [] }
}

/** `openAnother` gives a journal over the same store, as another process has it, that keeps things for other times. */
export function journalSuite(open: () => Journal, openAnother: (keeping?: Partial<Keeping>) => Promise<Journal>): void {
  async function allDeliveries(filter: { project?: number; state?: DeliveryRecord['state'] }, limit: number): Promise<DeliveryRecord[]> {
    const all: DeliveryRecord[] = []
    for (let after: string | undefined, pages = 0; pages < 100; pages += 1) {
      const page = await open().deliveries({ ...filter, limit, ...(after === undefined ? {} : { after }) })
      all.push(...page.items)
      if (page.next === undefined) return all
      after = page.next
    }
    throw new Error('The pages never end.')
  }

  describe('deliveries', () => {
    test('one is read back as it was saved, and is unknown before', async () => {
      const saved = delivery({ event: event(), mergeRequests: [mergeRequest()], reason: 'why' })
      expect(await open().delivery(saved.id)).toBeUndefined()
      await open().saveDelivery(saved)
      expect(await open().delivery(saved.id)).toEqual(saved)
    })

    test('whoever reads it and whoever replays it at the same time lose nothing of each other', async () => {
      const of = mergeRequest()
      const received = delivery()
      const read = { ...received, state: 'read' as const, event: event(), mergeRequests: [of] }
      const others = await Promise.all([openAnother(), openAnother()])
      const replays = Array.from({ length: 12 }, (_, n) => ({ at: String(n).padStart(2, '0'), by: 'ann' }))
      await open().saveDelivery(received)
      await Promise.all([
        open().saveDelivery(read),
        ...replays.map((replay, n) => (others[n % 2] ?? open()).addReplay({ of: 'delivery', id: received.id }, replay)),
        open().saveDelivery(read),
      ])
      const found = await open().delivery(received.id)
      expect(found).toEqual({ ...read, replays: expect.any(Array) })
      expect(found?.replays.toSorted((a, b) => (a.at < b.at ? -1 : 1))).toEqual(replays)
      expect((await allDeliveries({ project: of.project }, 10))[0]?.replays).toEqual(found?.replays)
    })

    test('the list is newest first, page by page, each once, though many came in the same millisecond', async () => {
      const { project, ...rest } = mergeRequest()
      const ids = new Set<string>()
      for (let n = 0; n < 23; n += 1) {
        const saved = delivery({
          mergeRequests: [{ project, ...rest }],
          receivedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, Math.floor(n / 10))).toISOString(),
        })
        ids.add(saved.id)
        await open().saveDelivery(saved)
      }
      const all = await allDeliveries({ project }, 4)
      expect(new Set(all.map(({ id }) => id))).toEqual(ids)
      expect(all).toHaveLength(23)
      const times = all.map(({ receivedAt }) => receivedAt)
      expect(times).toEqual([...times].sort().reverse())
    })

    test('one that moves on leaves the list of its former state', async () => {
      const of = mergeRequest()
      const saved = delivery()
      await open().saveDelivery(saved)
      const read = { ...saved, state: 'read' as const, mergeRequests: [of], event: { ...event(), project: of.project } }
      await open().saveDelivery(read)
      expect(await allDeliveries({ project: of.project, state: 'read' }, 10)).toEqual([read])
      expect(await allDeliveries({ project: of.project, state: 'received' }, 10)).toEqual([])
      expect(await allDeliveries({ project: of.project }, 10)).toEqual([read])
      expect((await allDeliveries({ state: 'received' }, 50)).map(({ id }) => id)).not.toContain(saved.id)
    })

    test('one that is saved again with a later time is listed once, at that time', async () => {
      const of = mergeRequest()
      const saved = delivery({ mergeRequests: [of] })
      await open().saveDelivery(saved)
      const again = { ...saved, receivedAt: '2026-11-21T11:00:00.000Z' }
      await open().saveDelivery(again)
      expect(await allDeliveries({ project: of.project }, 10)).toEqual([again])
    })

    test('a cursor that never was one shows the first page', async () => {
      const of = mergeRequest()
      await open().saveDelivery(delivery({ mergeRequests: [of] }))
      for (const after of ['nonsense', '\0', Buffer.from('0000000000000001 \0').toString('base64url')]) {
        expect((await open().deliveries({ project: of.project, limit: 5, after })).items).toHaveLength(1)
      }
    })

    test('a body is kept apart, and only for its time', async () => {
      const { id } = delivery()
      await open().saveBody(id, '{"a":1}', DAY_MS)
      expect(await open().body(id)).toBe('{"a":1}')
      await open().saveBody(id, 'short', 1)
      await expect.poll(() => open().body(id)).toBeUndefined()
    })

    test.each(HOSTILE.map((text, at) => [at, text] as const))(
      'hostile text %i comes back as it was, as id and as content',
      async (_, text) => {
        const of = mergeRequest()
        const id = `${randomUUID()}${text}`
        const saved = delivery({ id, reason: text, mergeRequests: [of], event: { ...event(), ref: text } })
        await open().saveDelivery(saved)
        await open().saveBody(id, text, DAY_MS)
        await open().post(of, { deliveryId: id, event: saved.event ?? event() })
        await open().markProject(of.service, of.project, text, text)
        expect(await open().delivery(id)).toEqual(saved)
        expect(await open().body(id)).toBe(text)
        expect(await open().mailbox(of)).toEqual([{ seq: expect.any(Number), deliveryId: id, event: saved.event }])
        expect(await open().projectMark(of.service, of.project, text)).toBe(text)
        expect(await allDeliveries({ project: of.project }, 10)).toEqual([saved])
      },
    )
  })

  describe('mailbox', () => {
    test('entries are read oldest first and stay until they are removed', async () => {
      const of = mergeRequest()
      for (const id of ['a', 'b', 'c']) await open().post(of, { deliveryId: id, event: event(id) })
      const mail = await open().mailbox(of)
      expect(mail.map(({ deliveryId }) => deliveryId)).toEqual(['a', 'b', 'c'])
      expect(await open().mailbox(of)).toEqual(mail)
      await open().removeMail(of, mail[1]?.seq ?? 0)
      expect((await open().mailbox(of)).map(({ deliveryId }) => deliveryId)).toEqual(['c'])
    })

    test('the same delivery is posted once, also after it was removed, and to each merge request', async () => {
      const of = mergeRequest()
      const sibling = { ...of, iid: of.iid + 1 }
      await open().post(of, { deliveryId: 'a', event: event() })
      await open().post(of, { deliveryId: 'a', event: event() })
      const [first, ...others] = await open().mailbox(of)
      expect(others).toEqual([])
      await open().removeMail(of, first?.seq ?? 0)
      await open().post(of, { deliveryId: 'a', event: event() })
      expect(await open().mailbox(of)).toEqual([])
      await open().post(sibling, { deliveryId: 'a', event: event() })
      expect(await open().mailbox(sibling)).toHaveLength(1)
    })

    test('the numbers go on growing when the mailbox was empty in between', async () => {
      const of = mergeRequest()
      await open().post(of, { deliveryId: 'a', event: event() })
      const [first] = await open().mailbox(of)
      await open().removeMail(of, first?.seq ?? 0)
      await open().post(of, { deliveryId: 'b', event: event() })
      const [second] = await open().mailbox(of)
      expect(second?.seq).toBeGreaterThan(first?.seq ?? 0)
    })

    test('of deliveries with the same event the first counts, for each merge request of its own', async () => {
      const of = mergeRequest()
      const firsts = await Promise.all(['a', 'b', 'c'].map((id) => open().firstWith(of, 'content', id)))
      expect(new Set(firsts).size).toBe(1)
      expect(await open().firstWith(of, 'content', 'd')).toBe(firsts[0])
      expect(await open().firstWith(of, 'other', 'd')).toBe('d')
      expect(await open().firstWith(mergeRequest(), 'content', 'e')).toBe('e')
    })

    test('posts at once lose nothing, double nothing, and what comes while it is drained stays', async () => {
      const of = mergeRequest()
      const got: string[] = []
      const drain = async () => {
        const mail = await open().mailbox(of)
        const last = mail.at(-1)
        if (last === undefined) return
        await open().removeMail(of, last.seq)
        got.push(...mail.map(({ deliveryId }) => deliveryId))
      }
      const posts = Array.from({ length: 120 }, (_, n) => open().post(of, { deliveryId: `d${n % 60}`, event: event() }))
      let done = false
      const all = Promise.all(posts).then(() => {
        done = true
      })
      while (!done) await drain()
      await all
      await drain()
      expect(got.toSorted()).toEqual(Array.from({ length: 60 }, (_, n) => `d${n}`).toSorted())
    })

    test('services, projects and numbers that look alike do not meet', async () => {
      const text = fc.oneof(fc.string(), fc.constantFrom('1', '1,2', '"', '["', ':'))
      const ref = fc.record({ service: text, project: fc.integer({ min: 0, max: 12 }), iid: fc.integer({ min: 0, max: 12 }) })
      await fc.assert(
        fc.asyncProperty(ref, ref, async (a, b) => {
          fc.pre(JSON.stringify(a) !== JSON.stringify(b))
          const run = randomUUID()
          const [one, two] = [a, b].map((given) => ({ ...given, service: `${run}${given.service}` }))
          if (one === undefined || two === undefined) return
          await open().saveMemory(one, { rules: {}, pushes: [], approvedSha: run })
          expect(await open().memory(two)).toBeUndefined()
        }),
        { numRuns: 40 },
      )
    })
  })

  describe('pushes', () => {
    test('are read oldest first, each delivery once, the last hundred', async () => {
      const { service, project } = mergeRequest()
      const branch = { service, project, branch: 'feature/x' }
      for (let n = 0; n < 105; n += 1)
        await open().addPush(branch, { from: n === 0 ? null : `sha${n - 1}`, to: `sha${n}`, by: { id: n } }, `d${n}`)
      await open().addPush(branch, { from: 'x', to: 'y', by: {} }, 'd104')
      const pushes = await open().pushes(branch)
      expect(pushes.map(({ to }) => to)).toEqual(Array.from({ length: 100 }, (_, n) => `sha${n + 5}`))
      expect(await open().pushes({ ...branch, branch: 'feature/y' })).toEqual([])
    })
  })

  describe('memory, rule files, marks', () => {
    test('the last saved is what is remembered', async () => {
      const of = mergeRequest()
      expect(await open().memory(of)).toBeUndefined()
      for (const held of [true, false]) {
        const memory = { rules: { 'a#b': { fingerprint: 'f', held, done: ['label'] } }, pushes: [] }
        await open().saveMemory(of, memory)
        expect(await open().memory(of)).toEqual(memory)
      }
      const file = {
        service: of.service,
        project: of.project,
        path: '.bellhop.yml',
        ref: 'main',
        blob: null,
        text: null,
        problems: [],
        good: null,
        readAt: 'now',
      }
      expect(await open().ruleFile(file)).toBeUndefined()
      await open().saveRuleFile(file)
      expect(await open().ruleFile(file)).toEqual(file)
      expect(await open().projectMark(of.service, of.project, 'pipelines')).toBeUndefined()
      await open().markProject(of.service, of.project, 'pipelines', 'merge requests')
      expect(await open().projectMark(of.service, of.project, 'pipelines')).toBe('merge requests')
    })
  })

  describe('a mark', () => {
    test('that many change at once, in several processes, loses no change', async () => {
      const { service, project } = mergeRequest()
      const journals = [open(), await openAnother(), await openAnother()]
      const add = (before = '0') => String(Number(before) + 1)
      await Promise.all(Array.from({ length: 30 }, (_, n) => journals[n % 3]?.changeMark(service, project, 'count', add)))
      expect(await open().projectMark(service, project, 'count')).toBe('30')
    })

    test('is left as it is by a change that says so, and may be new, or begin with the word of another', async () => {
      const { service, project } = mergeRequest()
      await open().changeMark(service, project, 'a', () => undefined)
      expect(await open().projectMark(service, project, 'a')).toBeUndefined()
      for (const text of ['none', 'is none', '']) {
        await open().changeMark(service, project, 'a', () => text)
        expect(await open().projectMark(service, project, 'a')).toBe(text)
        await open().changeMark(service, project, 'a', () => undefined)
        expect(await open().projectMark(service, project, 'a')).toBe(text)
      }
    })
  })

  describe('what nobody asks for', () => {
    const ruleFile = { path: '.bellhop.yml', ref: 'main', blob: null, text: null, problems: [], good: null, readAt: 'now' }
    const short = { over: 3_000, ruleFiles: 3_000, pushes: 3_000, marks: 3_000 }

    /** All that a project leaves behind, saved by a journal that keeps it for a moment. */
    async function leave(brief: Journal): Promise<MergeRequestRef> {
      const of = mergeRequest()
      const { service, project } = of
      await brief.saveMemory(of, { rules: {}, pushes: [] }, true)
      await brief.saveRuleFile({ ...ruleFile, service, project })
      await brief.addPush({ service, project, branch: 'b' }, { from: null, to: 'x', by: {} }, 'd')
      await brief.markProject(service, project, 'mark', 'kept')
      return of
    }
    const found = async (of: MergeRequestRef) => ({
      memory: (await open().memory(of)) !== undefined,
      ruleFile: (await open().ruleFile({ ...of, path: ruleFile.path })) !== undefined,
      pushes: (await open().pushes({ ...of, branch: 'b' })).length,
      mark: (await open().projectMark(of.service, of.project, 'mark')) !== undefined,
    })

    test('is forgotten after its time: memory of what is over, rule files, pushes, marks; what is asked for is kept on', async () => {
      const brief = await openAnother(short)
      const [used, unused] = [await leave(brief), await leave(brief)]
      // This journal keeps what it is asked for much longer.
      expect(await found(used)).toEqual({ memory: true, ruleFile: true, pushes: 1, mark: true })
      const gone = async () => [
        await brief.memory(unused),
        await brief.pushes({ ...unused, branch: 'b' }),
        await brief.projectMark(unused.service, unused.project, 'mark'),
        await brief.ruleFile({ ...unused, path: ruleFile.path }),
      ]
      // Asking keeps it on, but only once a day: so it ends though it is asked for again and again.
      await expect.poll(gone, { timeout: 15_000 }).toEqual([undefined, [], undefined, undefined])
      await open().prune(new Date())
      expect(await found(used)).toEqual({ memory: false, ruleFile: true, pushes: 1, mark: true })
      expect(await found(unused)).toEqual({ memory: false, ruleFile: false, pushes: 0, mark: false })
      // A history that begins anew.
      await open().addPush({ ...unused, branch: 'b' }, { from: 'x', to: 'y', by: {} }, 'e')
      expect(await open().pushes({ ...unused, branch: 'b' })).toEqual([{ from: 'x', to: 'y', by: {} }])
    })

    test('memory of a merge request that is open again, and mail, stay', async () => {
      const brief = await openAnother({ over: 1 })
      const [open1, over] = [mergeRequest(), mergeRequest()]
      for (const of of [open1, over]) await brief.saveMemory(of, { rules: {}, pushes: [] }, true)
      await brief.saveMemory(open1, { rules: {}, pushes: [] })
      for (const id of ['a', 'b']) await brief.post(over, { deliveryId: id, event: event(id) })
      const [first] = await brief.mailbox(over)
      await brief.removeMail(over, first?.seq ?? 0)
      await expect.poll(() => brief.memory(over)).toBeUndefined()
      await brief.prune(new Date())
      expect(await open().memory(open1)).toBeDefined()
      expect((await open().mailbox(over)).map(({ deliveryId }) => deliveryId)).toEqual(['b'])
    })

    test('the numbers of a mailbox that was emptied begin anew only after its time', async () => {
      const of = mergeRequest()
      const brief = await openAnother({ over: 1 })
      const seqAfter = async (id: string) => {
        await open().post(of, { deliveryId: id, event: event(id) })
        return (await open().mailbox(of)).at(-1)?.seq ?? 0
      }
      const first = await seqAfter('a')
      await brief.removeMail(of, first)
      const second = await seqAfter('b')
      await brief.prune(new Date())
      expect((await open().mailbox(of)).map(({ deliveryId }) => deliveryId)).toEqual(['b'])
      expect(second).toBeGreaterThanOrEqual(first)
      await open().removeMail(of, second)
      expect(await seqAfter('c')).toBeGreaterThan(second)
    })
  })

  describe('decisions', () => {
    test('are listed newest first, of one merge request or of all, page by page', async () => {
      const of = mergeRequest()
      const saved = [1, 2, 3].map((minute) => decision(of, `2026-11-21T10:0${minute}:00.000Z`))
      for (const one of [saved[1], saved[0], saved[2]]) if (one !== undefined) await open().saveDecision(one)
      await open().saveDecision(decision(mergeRequest(), '2026-11-21T10:05:00.000Z'))
      const first = await open().decisions({ mergeRequest: of, limit: 2 })
      expect(first.items).toEqual([saved[2], saved[1]])
      const second = await open().decisions({ mergeRequest: of, limit: 2, after: first.next ?? '' })
      expect(second).toEqual({ items: [saved[0]] })
      expect(await open().decision(saved[0]?.id ?? '')).toEqual(saved[0])
      expect((await open().decisions({ limit: 1 })).next).toBeDefined()
    })
  })

  describe('what is looked for', () => {
    const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString()

    test('deliveries are found by merge request, kind and time, also together, and page by page', async () => {
      const [one, two] = [mergeRequest(), mergeRequest()]
      const kind = `kind.${randomUUID()}`
      const of = (second: number, mr: typeof one, its: string) =>
        delivery({ receivedAt: at(second), state: 'read', mergeRequests: [mr], event: { ...event(), kind: its, project: mr.project } })
      const saved = [of(1, one, kind), of(2, one, 'other'), of(3, two, kind), of(4, one, kind), of(5, one, 'other')]
      for (const each of saved) await open().saveDelivery(each)
      const seconds = async (filter: object, limit = 10) =>
        (await open().deliveries({ ...filter, limit })).items.map(({ receivedAt }) => new Date(receivedAt).getSeconds())
      expect(await seconds({ mergeRequest: one })).toEqual([5, 4, 2, 1])
      expect(await seconds({ kind })).toEqual([4, 3, 1])
      expect(await seconds({ kind, mergeRequest: one })).toEqual([4, 1])
      expect(await seconds({ kind, project: two.project })).toEqual([3])
      expect(await seconds({ kind, state: 'refused' })).toEqual([])
      expect(await seconds({ kind, since: at(3) })).toEqual([4, 3])
      expect(await seconds({ mergeRequest: one, since: at(2), until: at(5) })).toEqual([4, 2])
      const first = await open().deliveries({ mergeRequest: one, kind, until: at(5), limit: 1 })
      expect(first.items.map(({ id }) => id)).toEqual([saved[3]?.id])
      const second = await open().deliveries({ mergeRequest: one, kind, until: at(5), limit: 1, after: first.next ?? '' })
      expect(second).toEqual({ items: [saved[0]] })
    })

    test('decisions are found by project, delivery, rule that held and evaluation', async () => {
      const [one, two] = [mergeRequest(), { ...mergeRequest() }]
      const [name, evaluation, id] = [randomUUID(), randomUUID(), randomUUID()]
      const rule = (verdict: 'true' | 'false') => ({
        ...{ key: `f#${name}`, name, file: 'f', line: 1, verdict, became: false, fingerprint: '', actions: [] },
        conditions: { condition: 'all', verdict, wanted: '', actual: '' },
      })
      const saved = [
        { ...decision(one, at(1)), rules: [rule('true')], deliveries: [id] },
        { ...decision(one, at(2)), rules: [rule('false')], replayOf: [{ of: 'delivery' as const, id, number: 1 }] },
        { ...decision(two, at(3)), rules: [rule('true')], evaluation },
      ]
      for (const each of saved) await open().saveDecision(each)
      const seconds = async (filter: object) =>
        (await open().decisions({ ...filter, limit: 10 })).items.map((each) => new Date(each.at).getSeconds())
      expect(await seconds({ project: { service: one.service, project: one.project } })).toEqual([2, 1])
      expect(await seconds({ delivery: id })).toEqual([2, 1])
      expect(await seconds({ rule: name })).toEqual([3, 1])
      expect(await seconds({ rule: name, mergeRequest: one })).toEqual([1])
      expect(await seconds({ evaluation })).toEqual([3])
      expect(await seconds({ rule: name, since: at(2) })).toEqual([3])
    })

    test('a page over very many that are not wanted ends early, and goes on where it ended', async () => {
      const of = mergeRequest()
      const kind = `kind.${randomUUID()}`
      const make = (n: number, its: string) =>
        delivery({
          receivedAt: new Date(Date.UTC(2026, 9, 1) + n).toISOString(),
          state: 'read',
          mergeRequests: [of],
          event: { ...event(), kind: its },
        })
      const wanted = make(0, kind)
      await open().saveDelivery(wanted)
      // Not all at once: a store that is asked so much answers late.
      for (let n = 1; n <= 1_300; n += 50)
        await Promise.all(Array.from({ length: 50 }, (_, m) => open().saveDelivery(make(n + m, 'other'))))
      const first = await open().deliveries({ mergeRequest: of, kind, limit: 5 })
      expect(first).toEqual({ items: [], next: expect.any(String) })
      expect(await open().deliveries({ mergeRequest: of, kind, limit: 5, after: first.next ?? '' })).toEqual({ items: [wanted] })
    })

    test('replays are numbered from 1, of deliveries and decisions apart', async () => {
      const id = randomUUID()
      const replay = (by: string) => ({ at: at(1), by, why: 'a fix' })
      expect(await open().addReplay({ of: 'delivery', id }, replay('ann'))).toBe(1)
      expect(await open().addReplay({ of: 'delivery', id }, replay('bob'))).toBe(2)
      expect(await open().addReplay({ of: 'decision', id }, replay('bob'))).toBe(1)
      expect(await open().replays({ of: 'delivery', id })).toEqual([replay('ann'), replay('bob')])
      expect(await open().replays({ of: 'decision', id })).toEqual([replay('bob')])
    })
  })

  describe('audit log', () => {
    test('lists each entry as it was saved last, newest first, and drops it after 400 days', async () => {
      const now = new Date('2019-06-01T00:00:00.000Z')
      const entry = (days: number) => ({
        ...{ id: randomUUID(), by: 'ann', did: 'pause', to: { project: 7 }, why: 'a “freeze”\u0000' },
        at: new Date(now.getTime() - days * DAY_MS).toISOString(),
      })
      const [old, young, newest] = [entry(401), entry(399), entry(1)]
      for (const each of [young, newest, old]) await open().saveAudit(each)
      await open().saveAudit({ ...young, status: 202 })
      const first = await open().audits({ limit: 2 })
      expect(first.items).toEqual([newest, { ...young, status: 202 }])
      expect(await open().audits({ limit: 2, after: first.next ?? '' })).toEqual({ items: [old] })
      await open().prune(now)
      expect((await open().audits({ limit: 5 })).items).toEqual([newest, { ...young, status: 202 }])
    })
  })

  describe('projects and sweeps', () => {
    test('a project is known by the merge requests that deliveries wake, until it is forgotten or they are pruned', async () => {
      const { service, project } = mergeRequest()
      const woke = (of: number, receivedAt: string) =>
        delivery({ service, state: 'read', receivedAt, mergeRequests: [{ service, project: of, iid: 1 }] })
      const [recent, gone, old] = [project, project + 100_000, project + 200_000]
      await open().saveDelivery(delivery({ service, state: 'uninteresting', event: { ...event(), project: project + 300_000 } }))
      for (const of of [recent, gone]) await open().saveDelivery(woke(of, new Date().toISOString()))
      await open().saveDelivery(woke(old, new Date(Date.now() - 31 * DAY_MS).toISOString()))
      expect(await open().knownProjects(service)).toEqual([recent, gone, old])
      await open().forgetProject(service, gone)
      await open().prune(new Date())
      expect(await open().knownProjects(service)).toEqual([recent])
      expect(await open().knownProjects(`${service}-other`)).toEqual([])
    })

    test('a sweep is read back as it was saved last', async () => {
      const sweep: SweepRecord = {
        ...{ id: randomUUID(), of: 'hotel', dryRun: true, state: 'running', askedAt: '2026-11-21T10:00:00.000Z', calls: 3 },
        projects: [{ project: 1, path: 'hotel/a', looked: 2, woken: [{ iid: 7, why: 'waits' }], left: false }],
      }
      expect(await open().sweep(sweep.id)).toBeUndefined()
      await open().saveSweep({ ...sweep, projects: [] })
      await open().saveSweep(sweep)
      expect(await open().sweep(sweep.id)).toEqual(sweep)
    })
  })

  describe('prune', () => {
    test('drops deliveries and decisions after as long as was said', async () => {
      const of = mergeRequest()
      const now = new Date('2019-03-01T00:00:00.000Z')
      const at = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
      const saved = [8, 6].map((days) => ({ delivery: delivery({ receivedAt: at(days) }), decision: decision(of, at(days)) }))
      for (const each of saved) {
        await open().saveDelivery(each.delivery)
        await open().saveDecision(each.decision)
      }
      await (await openAnother({ history: 7 * DAY_MS })).prune(now)
      const left = await Promise.all(
        saved.map((each) => Promise.all([open().delivery(each.delivery.id), open().decision(each.decision.id)])),
      )
      expect(left.flat().map((each) => each !== undefined)).toEqual([false, false, true, true])
    })

    test('drops deliveries and decisions after thirty days, and nothing else', async () => {
      const of = mergeRequest()
      const now = new Date('2020-03-01T00:00:00.000Z')
      const at = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
      const [old, young] = [31, 29].map((days) => delivery({ receivedAt: at(days), mergeRequests: [of], state: 'read' }))
      const [past, recent] = [31, 29].map((days) => decision(of, at(days)))
      if (!old || !young || !past || !recent) throw new Error('four are made')
      for (const saved of [old, young]) await open().saveDelivery(saved)
      for (const saved of [past, recent]) await open().saveDecision(saved)
      await open().saveMemory(of, { rules: {}, pushes: [] })
      const moved = delivery({ receivedAt: at(40), mergeRequests: [of] })
      await open().saveDelivery(moved)
      await open().saveDelivery({ ...moved, receivedAt: at(2) })

      await open().prune(now)

      expect(await open().delivery(old.id)).toBeUndefined()
      expect(await open().decision(past.id)).toBeUndefined()
      expect((await allDeliveries({ project: of.project }, 10)).map(({ id }) => id)).toEqual([moved.id, young.id])
      expect((await open().decisions({ mergeRequest: of, limit: 10 })).items).toEqual([recent])
      expect(await open().memory(of)).toBeDefined()
    })
  })
}
