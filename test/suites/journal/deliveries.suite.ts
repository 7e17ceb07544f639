// Deliveries and their bodies.
import { randomUUID } from 'node:crypto'
import type { Journal } from '../../../src/journal/journal.ts'
import { DAY_MS, deliveriesOf, delivery, event, mergeRequest } from './records.ts'

const HOSTILE = [
  'a\0b',
  '\ud800 alone',
  '\udfff',
  '"\\\'{}[],;--\n\t\u2028',
  '\\u0000',
  'NULL',
  '',
  'é😀'.repeat(50_000),
]

export function journalDeliveriesSuite(open: () => Journal, openAnother: () => Promise<Journal>): void {
  const allDeliveries = deliveriesOf(open)

  describe('deliveries', () => {
    test('that are saved and replayed at the same time lose nothing', async () => {
      const of = mergeRequest()
      const received = delivery()
      const read = { ...received, state: 'read' as const, event: event(), mergeRequests: [of] }
      const others = await Promise.all([openAnother(), openAnother()])
      const replays = Array.from({ length: 12 }, (_, n) => ({ at: String(n).padStart(2, '0'), by: 'ann' }))
      await open().deliveries.save(received)
      await Promise.all([
        open().deliveries.save(read),
        ...replays.map((replay, n) => (others[n % 2] ?? open()).deliveries.addReplay(received.id, replay)),
        open().deliveries.save(read),
      ])
      const found = await open().deliveries.find(received.id)
      expect(found).toEqual({ ...read, replays: expect.any(Array) })
      expect(found?.replays.toSorted((a, b) => (a.at < b.at ? -1 : 1))).toEqual(replays)
      expect((await allDeliveries({ project: of.project }, 10))[0]?.replays).toEqual(found?.replays)
    })

    test('are listed newest first, page by page, each once, also those of the same millisecond', async () => {
      const { project, ...rest } = mergeRequest()
      const ids = new Set<string>()
      for (let n = 0; n < 23; n += 1) {
        const saved = delivery({
          state: 'read',
          mergeRequests: [{ project, ...rest }],
          receivedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, Math.floor(n / 10))).toISOString(),
        })
        ids.add(saved.id)
        await open().deliveries.save(saved)
      }
      const all = await allDeliveries({ project }, 4)
      expect(new Set(all.map(({ id }) => id))).toEqual(ids)
      expect(all).toHaveLength(23)
      const times = all.map(({ receivedAt }) => receivedAt)
      expect(times).toEqual([...times].sort().reverse())
    })

    test('in a new state leave the list of the old state', async () => {
      const of = mergeRequest()
      const saved = delivery()
      await open().deliveries.save(saved)
      const read = { ...saved, state: 'read' as const, mergeRequests: [of], event: { ...event(), project: of.project } }
      await open().deliveries.save(read)
      expect(await allDeliveries({ project: of.project, state: 'read' }, 10)).toEqual([read])
      expect(await allDeliveries({ project: of.project, state: 'received' }, 10)).toEqual([])
      expect(await allDeliveries({ project: of.project }, 10)).toEqual([read])
      expect((await allDeliveries({ state: 'received' }, 50)).map(({ id }) => id)).not.toContain(saved.id)
    })

    test('that are only received replace no later state, nor its body or its place in lists', async () => {
      const of = mergeRequest()
      const received = delivery()
      const read = {
        ...received,
        state: 'read' as const,
        mergeRequests: [of],
        event: { ...event(), project: of.project },
      }
      await open().deliveries.save(received, { body: { text: 'as it came', keepMs: DAY_MS } })
      await open().deliveries.save(read)
      await (await openAnother()).deliveries.save(received, { body: { text: 'late', keepMs: DAY_MS } })
      expect(await open().deliveries.find(received.id)).toEqual(read)
      expect(await open().deliveries.body(received.id)).toBe('as it came')
      expect(await allDeliveries({ project: of.project, state: 'read' }, 10)).toEqual([read])
      expect((await allDeliveries({ state: 'received' }, 50)).map(({ id }) => id)).not.toContain(received.id)
    })

    test('saved as received and as read at the same time are read', async () => {
      const received = Array.from({ length: 20 }, () => delivery())
      const another = await openAnother()
      await Promise.all(
        received.flatMap((each) => [
          open().deliveries.save(each),
          another.deliveries.save({ ...each, state: 'read' }),
          open().deliveries.save(each),
        ]),
      )
      for (const { id } of received) expect((await open().deliveries.find(id))?.state).toBe('read')
      const listed = (await open().deliveries.list({ state: 'read', limit: 200 })).items.map(({ id }) => id)
      expect(listed).toEqual(expect.arrayContaining(received.map(({ id }) => id)))
    })

    test('of another time with an id that a sender used before are found in place of the old, with their own body', async () => {
      const old = delivery({ state: 'unreadable', reason: 'why' })
      await open().deliveries.save(old, { body: { text: 'the old one', keepMs: DAY_MS } })
      const { reason: _why, ...rest } = old
      const next = { ...rest, state: 'received' as const, receivedAt: '2026-11-23T10:00:00.000Z' }
      await open().deliveries.save(next, { body: { text: 'the new one', keepMs: DAY_MS } })
      expect(await open().deliveries.find(old.id)).toEqual(next)
      expect(await open().deliveries.body(old.id)).toBe('the new one')
    })

    test('show the first page for an invalid cursor', async () => {
      const of = mergeRequest()
      await open().deliveries.save(delivery({ state: 'read', mergeRequests: [of] }))
      for (const after of ['nonsense', '\0', Buffer.from('0000000000000001 \0').toString('base64url')]) {
        expect((await open().deliveries.list({ project: of.project, limit: 5, after })).items).toHaveLength(1)
      }
    })

    test('are stored apart from their bodies, which are deleted after their retention', async () => {
      const saved = delivery({ state: 'unreadable' })
      await open().deliveries.save(saved, { body: { text: '{"a":1}', keepMs: DAY_MS } })
      await open().deliveries.save(saved)
      expect(await open().deliveries.body(saved.id)).toBe('{"a":1}')
      await open().deliveries.save(saved, { body: { text: 'short', keepMs: 1 } })
      await expect.poll(() => open().deliveries.body(saved.id)).toBeUndefined()
      expect(await open().deliveries.find(saved.id)).toEqual(saved)
    })

    test('and pending events with hostile text are read as they were saved', async () => {
      for (const text of HOSTILE) {
        const of = mergeRequest()
        const id = `${randomUUID()}${text}`
        const happened = { ...event(), ref: text }
        const saved = delivery({ id, reason: text, state: 'read', mergeRequests: [of], event: happened })
        expect(await open().deliveries.find(id)).toBeUndefined()
        await open().deliveries.save(saved, {
          ...{ body: { text, keepMs: DAY_MS }, pending: { of: [of], event: { deliveryId: id, event: happened } } },
          push: { project: of.project, branch: text, from: null, to: text, by: { username: text } },
        })
        await open().marks.write(of.project, text, text)
        const pending = [{ seq: expect.any(Number), deliveryId: id, event: happened }]
        const found = [
          await open().deliveries.find(id),
          await open().deliveries.body(id),
          (await open().load(of)).pendingEvents,
        ]
        expect(found, text.slice(0, 20)).toEqual([saved, text, pending])
        expect(await open().marks.read(of.project, text)).toBe(text)
        const by = { username: text }
        expect(await open().pushes.list({ project: of.project, branch: text })).toEqual([{ from: null, to: text, by }])
        expect(await allDeliveries({ project: of.project }, 10)).toEqual([saved])
      }
    })
  })
}
