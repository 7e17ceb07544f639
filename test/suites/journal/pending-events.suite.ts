// The mailbox of a merge request: each event once, in order, none lost.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RetentionPolicy } from '../../../src/journal/records/retention.ts'
import type { Journal } from '../../../src/journal/types.ts'
import { event, mergeRequest } from './records.ts'

export function journalMailboxSuite(
  open: () => Journal,
  openAnother: (keeping?: Partial<RetentionPolicy>) => Promise<Journal>,
): void {
  describe('mailbox', () => {
    test('entries are read oldest first and stay until they are removed', async () => {
      const of = mergeRequest()
      for (const id of ['a', 'b', 'c']) await open().addPendingEvent(of, { deliveryId: id, event: event(id) })
      const mail = await open().pendingEvents(of)
      expect(mail.map(({ deliveryId }) => deliveryId)).toEqual(['a', 'b', 'c'])
      expect(await open().pendingEvents(of)).toEqual(mail)
      await open().removePendingEvents(of, mail[1]?.seq ?? 0)
      expect((await open().pendingEvents(of)).map(({ deliveryId }) => deliveryId)).toEqual(['c'])
    })

    test('the same delivery is posted once, also after it was removed, and to each merge request', async () => {
      const of = mergeRequest()
      const sibling = { ...of, iid: of.iid + 1 }
      await open().addPendingEvent(of, { deliveryId: 'a', event: event() })
      await open().addPendingEvent(of, { deliveryId: 'a', event: event() })
      const [first, ...others] = await open().pendingEvents(of)
      expect(others).toEqual([])
      await open().removePendingEvents(of, first?.seq ?? 0)
      await open().addPendingEvent(of, { deliveryId: 'a', event: event() })
      expect(await open().pendingEvents(of)).toEqual([])
      await open().addPendingEvent(sibling, { deliveryId: 'a', event: event() })
      expect(await open().pendingEvents(sibling)).toHaveLength(1)
    })

    test('the numbers go on growing when the mailbox was empty in between', async () => {
      const of = mergeRequest()
      await open().addPendingEvent(of, { deliveryId: 'a', event: event() })
      const [first] = await open().pendingEvents(of)
      await open().removePendingEvents(of, first?.seq ?? 0)
      await open().addPendingEvent(of, { deliveryId: 'b', event: event() })
      const [second] = await open().pendingEvents(of)
      expect(second?.seq).toBeGreaterThan(first?.seq ?? 0)
    })

    test('of deliveries with the same event the first counts and is kept, for each merge request of its own', async () => {
      const of = mergeRequest()
      const post = (deliveryId: string, content?: string, to = of) =>
        open().addPendingEvent(to, { deliveryId, event: event(), ...(content === undefined ? {} : { content }) })
      const posted = async (to = of) => (await open().pendingEvents(to)).map(({ deliveryId }) => deliveryId)
      const firsts = await Promise.all(['a', 'b', 'c'].map((id) => post(id, 'content')))
      const [first = ''] = firsts
      expect(new Set(firsts).size).toBe(1)
      expect(await post('d', 'content')).toBe(first)
      expect(await posted()).toEqual([first])
      expect(await post('d', 'other')).toBe('d')
      expect(await post('e')).toBe('e')
      expect(await posted()).toEqual([first, 'd', 'e'])
      const sibling = mergeRequest()
      expect(await post('f', 'content', sibling)).toBe('f')
      expect(await posted(sibling)).toEqual(['f'])
      await open().removePendingEvents(of, Number.MAX_SAFE_INTEGER)
      for (const id of ['a', 'b', 'c', 'd']) expect(await post(id, 'content')).toBe(first)
      expect(await posted()).toEqual([])
    })

    test('a delivery that brought what another had brought counts as its copy still when an equal event is another one', async () => {
      const brief = await openAnother({ sameEvent: 150 })
      const of = mergeRequest()
      const post = (deliveryId: string) => brief.addPendingEvent(of, { deliveryId, event: event(), content: 'content' })
      expect(await post('first')).toBe('first')
      expect(await post('second')).toBe('first')
      // The claim is over when a third is the first again.
      let third = 0
      await expect.poll(async () => (await post(`third-${++third}`)) === `third-${third}`).toBe(true)
      expect(await post('second')).toBe('first')
      expect((await brief.pendingEvents(of)).map(({ deliveryId }) => deliveryId)).toEqual(['first', `third-${third}`])
    })

    test('posts at once lose nothing, double nothing, and what comes while it is drained stays', async () => {
      const of = mergeRequest()
      const got: string[] = []
      const drain = async () => {
        const mail = await open().pendingEvents(of)
        const last = mail.at(-1)
        if (last === undefined) return
        await open().removePendingEvents(of, last.seq)
        got.push(...mail.map(({ deliveryId }) => deliveryId))
      }
      const posts = Array.from({ length: 120 }, (_, n) =>
        open().addPendingEvent(of, { deliveryId: `d${n % 60}`, event: event() }),
      )
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
      const ref = fc.record({
        service: text,
        project: fc.integer({ min: 0, max: 12 }),
        iid: fc.integer({ min: 0, max: 12 }),
      })
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
}
