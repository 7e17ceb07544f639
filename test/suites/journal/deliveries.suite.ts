// What a journal keeps of deliveries and their bodies.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Journal } from '../../../src/journal/types.ts'
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

    test('what came to light of one stays, however late somebody still says that it came', async () => {
      const of = mergeRequest()
      const received = delivery()
      const read = {
        ...received,
        state: 'read' as const,
        mergeRequests: [of],
        event: { ...event(), project: of.project },
      }
      await open().saveDelivery(received, { text: 'as it came', keepMs: DAY_MS })
      await open().saveDelivery(read)
      await (await openAnother()).saveDelivery(received, { text: 'late', keepMs: DAY_MS })
      expect(await open().delivery(received.id)).toEqual(read)
      expect(await open().body(received.id)).toBe('as it came')
      expect(await allDeliveries({ project: of.project, state: 'read' }, 10)).toEqual([read])
      expect((await allDeliveries({ state: 'received' }, 50)).map(({ id }) => id)).not.toContain(received.id)
    })

    test('of two who say at once that one came and that it was read, the latter is kept', async () => {
      const received = Array.from({ length: 20 }, () => delivery())
      const another = await openAnother()
      await Promise.all(
        received.flatMap((each) => [
          open().saveDelivery(each),
          another.saveDelivery({ ...each, state: 'read' }),
          open().saveDelivery(each),
        ]),
      )
      for (const { id } of received) expect((await open().delivery(id))?.state).toBe('read')
      const listed = (await open().deliveries({ state: 'read', limit: 200 })).items.map(({ id }) => id)
      expect(listed).toEqual(expect.arrayContaining(received.map(({ id }) => id)))
    })

    test('another one whose sender uses an old name again takes its place, with its own body', async () => {
      const old = delivery({ state: 'unreadable', reason: 'why' })
      await open().saveDelivery(old, { text: 'the old one', keepMs: DAY_MS })
      const { reason: _why, ...rest } = old
      const next = { ...rest, state: 'received' as const, receivedAt: '2026-11-23T10:00:00.000Z' }
      await open().saveDelivery(next, { text: 'the new one', keepMs: DAY_MS })
      expect(await open().delivery(old.id)).toEqual(next)
      expect(await open().body(old.id)).toBe('the new one')
      expect((await open().deliveries({ state: 'unreadable', limit: 200 })).items.map(({ id }) => id)).not.toContain(
        old.id,
      )
    })

    test('one that is saved again with a later time is listed once, at that time', async () => {
      const of = mergeRequest()
      const saved = delivery({ mergeRequests: [of], state: 'read' })
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
      const saved = delivery({ state: 'unreadable' })
      await open().saveDelivery(saved, { text: '{"a":1}', keepMs: DAY_MS })
      await open().saveDelivery(saved)
      expect(await open().body(saved.id)).toBe('{"a":1}')
      await open().saveDelivery(saved, { text: 'short', keepMs: 1 })
      await expect.poll(() => open().body(saved.id)).toBeUndefined()
      expect(await open().delivery(saved.id)).toEqual(saved)
    })

    test.each(HOSTILE.map((text, at) => [at, text] as const))(
      'hostile text %i comes back as it was, as id and as content',
      async (_, text) => {
        const of = mergeRequest()
        const id = `${randomUUID()}${text}`
        const saved = delivery({ id, reason: text, mergeRequests: [of], event: { ...event(), ref: text } })
        await open().saveDelivery(saved, { text, keepMs: DAY_MS })
        await open().addPendingEvent(of, { deliveryId: id, event: saved.event ?? event() })
        await open().markProject(of.service, of.project, text, text)
        expect(await open().delivery(id)).toEqual(saved)
        expect(await open().body(id)).toBe(text)
        expect(await open().pendingEvents(of)).toEqual([
          { seq: expect.any(Number), deliveryId: id, event: saved.event },
        ])
        expect(await open().projectMark(of.service, of.project, text)).toBe(text)
        expect(await allDeliveries({ project: of.project }, 10)).toEqual([saved])
      },
    )
  })
}
