// The pending events of a merge request: each once, in order, none lost.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { RetentionPolicy } from '../../../src/journal/records/retention.ts'
import type { Journal } from '../../../src/journal/types.ts'
import { event, mergeRequest } from './records.ts'

export function journalPendingEventsSuite(
  open: () => Journal,
  openAnother: (retention?: Partial<RetentionPolicy>) => Promise<Journal>,
): void {
  describe('pending events', () => {
    test('are read oldest first and stay until they are removed', async () => {
      const of = mergeRequest()
      for (const id of ['a', 'b', 'c']) await open().addPendingEvent(of, { deliveryId: id, event: event(id) })
      const events = await open().pendingEvents(of)
      expect(events.map(({ deliveryId }) => deliveryId)).toEqual(['a', 'b', 'c'])
      expect(await open().pendingEvents(of)).toEqual(events)
      await open().removePendingEvents(of, events[1]?.seq ?? 0)
      expect((await open().pendingEvents(of)).map(({ deliveryId }) => deliveryId)).toEqual(['c'])
    })

    test('of one delivery are added once to each merge request, also after their removal', async () => {
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

    test('with the same content are one event of the first delivery, for each merge request', async () => {
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

    test('a copy of an event still counts as one after ten minutes, when an equal event is another one', async () => {
      const brief = await openAnother({ sameEvent: 150 })
      const of = mergeRequest()
      const post = (deliveryId: string) => brief.addPendingEvent(of, { deliveryId, event: event(), content: 'content' })
      expect(await post('first')).toBe('first')
      expect(await post('second')).toBe('first')
      // The ten minutes, 150 ms here, are over when a third counts as new.
      let third = 0
      await expect.poll(async () => (await post(`third-${++third}`)) === `third-${third}`).toBe(true)
      expect(await post('second')).toBe('first')
      expect((await brief.pendingEvents(of)).map(({ deliveryId }) => deliveryId)).toEqual(['first', `third-${third}`])
    })

    test('that are added and removed at the same time are neither lost nor doubled', async () => {
      const of = mergeRequest()
      const got: string[] = []
      const drain = async () => {
        const events = await open().pendingEvents(of)
        const last = events.at(-1)
        if (last === undefined) return
        await open().removePendingEvents(of, last.seq)
        got.push(...events.map(({ deliveryId }) => deliveryId))
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

    test('of merge requests with the same number in two projects stay apart, also of the same event', async () => {
      const [one, other] = [mergeRequest(), mergeRequest()]
      const content = randomUUID()
      const add = (to: typeof one, deliveryId: string) =>
        open().addPendingEvent(to, { deliveryId, event: event(), content })
      expect(await add(one, 'd-1')).toBe('d-1')
      expect(await open().pendingEvents(other)).toEqual([])
      expect(await add(other, 'd-2')).toBe('d-2')
      expect(await add({ ...one, iid: 8 }, 'd-3')).toBe('d-3')
      expect(await add(one, 'd-4')).toBe('d-1')
      await open().removePendingEvents(other, Number.MAX_SAFE_INTEGER)
      expect((await open().pendingEvents(one)).map(({ deliveryId }) => deliveryId)).toEqual(['d-1'])
    })

    test('of projects and numbers that look alike stay apart', async () => {
      const { project } = mergeRequest()
      const [one, two] = [
        { project, iid: 12 },
        { project: Number(`${project}1`), iid: 2 },
      ] as const
      await open().saveMemory(one, { rules: {}, pushes: [], approvedSha: 'a' })
      expect(await open().memory(two)).toBeUndefined()
    })
  })
}
