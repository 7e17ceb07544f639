// The pending events of a merge request: each once, in order, none lost.
import { randomUUID } from 'node:crypto'
import type { Journal } from '../../../src/journal/journal.ts'
import type { MergeRequestRef } from '../../../src/rules/types.ts'
import { delivery, event, mergeRequest } from './records.ts'

export function journalPendingEventsSuite(open: () => Journal): void {
  const settle = async (of: MergeRequestRef, upTo = Number.MAX_SAFE_INTEGER) => {
    const pending = await open().events.pending(of)
    await open().mergeRequests.save(of, { processed: pending.filter(({ seq }) => seq <= upTo) })
  }

  describe('pending events', () => {
    test('are read oldest first and stay until they are removed', async () => {
      const of = mergeRequest()
      for (const id of ['a', 'b', 'c']) await open().events.add(of, { deliveryId: id, event: event(id) })
      const events = await open().events.pending(of)
      expect(events.map(({ deliveryId }) => deliveryId)).toEqual(['a', 'b', 'c'])
      expect(await open().events.pending(of)).toEqual(events)
      await settle(of, events[1]?.seq)
      expect((await open().events.pending(of)).map(({ deliveryId }) => deliveryId)).toEqual(['c'])
    })

    test('of one delivery are added once to each merge request, also after their removal', async () => {
      const of = mergeRequest()
      const sibling = { ...of, iid: of.iid + 1 }
      await open().events.add(of, { deliveryId: 'a', event: event() })
      await open().events.add(of, { deliveryId: 'a', event: event() })
      const [first, ...others] = await open().events.pending(of)
      expect(others).toEqual([])
      await settle(of, first?.seq)
      await open().events.add(of, { deliveryId: 'a', event: event() })
      expect(await open().events.pending(of)).toEqual([])
      await open().events.add(sibling, { deliveryId: 'a', event: event() })
      expect(await open().events.pending(sibling)).toHaveLength(1)
    })

    test('with the same content are one event of the first delivery, for each merge request', async () => {
      const of = mergeRequest()
      const post = async (deliveryId: string, content?: string, to = of) => {
        const given = { deliveryId, event: event(), ...(content === undefined ? {} : { content }) }
        return (await open().events.add(to, given))?.delivery
      }
      const posted = async (to = of) => (await open().events.pending(to)).map(({ deliveryId }) => deliveryId)
      const ids = Array.from({ length: 12 }, (_, n) => `at once ${n}`)
      const firsts = await Promise.all(ids.map((id) => post(id, 'content')))
      const [first = ''] = firsts
      expect(new Set(firsts).size).toBe(1)
      expect(await post('d', 'content')).toBe(first)
      expect(await posted()).toEqual([first])
      expect(await post('d', 'other')).toBe(first)
      expect(await post('g', 'other')).toBe('g')
      expect(await post('e')).toBe('e')
      expect(await posted()).toEqual([first, 'g', 'e'])
      // The same number in another project, and another number.
      const siblings = [mergeRequest(), { ...of, iid: 8 }]
      for (const sibling of siblings) expect(await posted(sibling)).toEqual([])
      for (const [n, sibling] of siblings.entries()) expect(await post(`f${n}`, 'content', sibling)).toBe(`f${n}`)
      for (const [n, sibling] of siblings.entries()) expect(await posted(sibling)).toEqual([`f${n}`])
      for (const sibling of siblings) await settle(sibling)
      expect(await posted()).toEqual([first, 'g', 'e'])
      await settle(of)
      for (const id of [...ids, 'd']) expect(await post(id, 'content')).toBe(first)
      expect(await posted()).toEqual([])
    })

    test('with the same content after ten minutes are another event, and a copy still counts as one', async () => {
      const of = mergeRequest()
      const post = async (deliveryId: string, minute: number) => {
        const at = new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString()
        return (await open().events.add(of, { deliveryId, event: { ...event(), at }, content: 'content' }))?.delivery
      }
      expect(await post('first', 0)).toBe('first')
      expect(await post('second', 9)).toBe('first')
      expect(await post('third', 11)).toBe('third')
      expect(await post('second', 9)).toBe('first')
      expect((await open().events.pending(of)).map(({ deliveryId }) => deliveryId)).toEqual(['first', 'third'])
    })

    test('say whether the event that counts is pending', async () => {
      const of = mergeRequest()
      const post = (deliveryId: string) => open().events.add(of, { deliveryId, event: event(), content: 'content' })
      expect(await post('first')).toEqual({ delivery: 'first', isPending: true })
      expect(await post('second')).toEqual({ delivery: 'first', isPending: true })
      await settle(of)
      expect(await post('third')).toEqual({ delivery: 'first', isPending: false })
    })

    test('of a delivery come with it to all its merge requests, and each says what counts there, in their order', async () => {
      const [one, two, three] = [mergeRequest(), mergeRequest(), mergeRequest()]
      const content = randomUUID()
      const post = (id: string, of: MergeRequestRef[]) =>
        open().deliveries.save(delivery({ id, state: 'read', mergeRequests: [one, two, three] }), {
          pending: { of, event: { deliveryId: id, event: event(), content, trace: 'traced' } },
        })
      const [first, second] = [randomUUID(), randomUUID()]
      expect(await post(first, [two])).toEqual([{ delivery: first, isPending: true }])
      await settle(two)
      // A replay may need more of its merge requests.
      expect(await post(first, [three])).toEqual([{ delivery: first, isPending: true }])
      expect(await post(second, [three, two, one])).toEqual([
        { delivery: first, isPending: true },
        { delivery: first, isPending: false },
        { delivery: second, isPending: true },
      ])
      expect(await post(first, [one, two])).toEqual([
        { delivery: second, isPending: true },
        { delivery: first, isPending: false },
      ])
      const pending = (deliveryId: string) => [
        { seq: expect.any(Number), deliveryId, event: event(), content, trace: 'traced' },
      ]
      expect(await Promise.all([one, two, three].map((of) => open().events.pending(of)))).toEqual([
        ...[pending(second), [], pending(first)],
      ])
    })

    test('name the merge requests that wait, each once, in pages', async () => {
      const one = mergeRequest()
      const refs = [one, { ...one, iid: 8 }, { ...one, iid: 9 }]
      for (const of of refs)
        for (const deliveryId of ['a', 'b']) await open().events.add(of, { deliveryId, event: event() })
      await settle({ ...one, iid: 8 })
      const first = await open().events.waiting({ ...one, iid: 0 }, 1)
      expect(first).toEqual([one])
      expect(await open().events.waiting(first[0], 1)).toEqual([{ ...one, iid: 9 }])
    })

    test('that are added and removed at the same time are neither lost nor doubled', async () => {
      const of = mergeRequest()
      const got: string[] = []
      const drain = async () => {
        const events = await open().events.pending(of)
        await open().mergeRequests.save(of, { processed: events })
        got.push(...events.map(({ deliveryId }) => deliveryId))
      }
      const posts = Array.from({ length: 120 }, (_, n) =>
        open().events.add(of, { deliveryId: `d${n % 60}`, event: event() }),
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

    test('of projects and numbers that look alike stay apart', async () => {
      const { project } = mergeRequest()
      const [one, two] = [
        { project, iid: 12 },
        { project: Number(`${project}1`), iid: 2 },
      ] as const
      await open().mergeRequests.save(one, { memory: { rules: {}, pushes: [], of: { approve: 'a' } } })
      expect(await open().mergeRequests.memory(two)).toBeUndefined()
    })
  })
}
