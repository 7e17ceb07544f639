// What a journal deletes, and when: what nobody reads, and what is past its retention.
import { describe, expect, test } from 'vitest'
import type { RetentionPolicy } from '../../../src/journal/records/retention.ts'
import type { Journal } from '../../../src/journal/types.ts'
import type { MergeRequestRef } from '../../../src/rules/types.ts'
import { DAY_MS, decision, deliveriesOf, delivery, event, matchedRule, mergeRequest, ruleFile } from './records.ts'

export function journalRetentionSuite(
  open: () => Journal,
  openAnother: (retention?: Partial<RetentionPolicy>) => Promise<Journal>,
  byDays: boolean,
): void {
  const allDeliveries = deliveriesOf(open)

  describe('what nobody reads', () => {
    const short = { over: 3_000, ruleFiles: 3_000, pushes: 3_000, marks: 3_000 }

    /** Saved by a journal with a short retention. */
    async function leave(brief: Journal): Promise<MergeRequestRef> {
      const of = mergeRequest()
      const { project } = of
      await brief.saveMemory(of, { rules: {}, pushes: [] }, true)
      await brief.saveRuleFile(ruleFile(of))
      await brief.addPush({ project, branch: 'b' }, { from: null, to: 'x', by: {} }, 'd')
      await brief.markProject(project, 'mark', 'kept')
      return of
    }
    const found = async (of: MergeRequestRef) => ({
      memory: (await open().memory(of)) !== undefined,
      ruleFile: (await open().ruleFile(ruleFile(of))) !== undefined,
      pushes: (await open().pushes({ ...of, branch: 'b' })).length,
      mark: (await open().projectMark(of.project, 'mark')) !== undefined,
    })

    test('is deleted after its retention: memory of merged merge requests, rule files, pushes, marks; what is read stays', async () => {
      const brief = await openAnother(short)
      const [used, unused] = [await leave(brief), await leave(brief)]
      // This journal has a much longer retention.
      expect(await found(used)).toEqual({ memory: true, ruleFile: true, pushes: 1, mark: true })
      const gone = async () => [
        await brief.memory(unused),
        await brief.pushes({ ...unused, branch: 'b' }),
        await brief.projectMark(unused.project, 'mark'),
        await brief.ruleFile(ruleFile(unused)),
      ]
      // A read extends the retention once a day only: so it ends although it is read again and again.
      await expect.poll(gone, { timeout: 15_000 }).toEqual([undefined, [], undefined, undefined])
      await open().prune(new Date())
      expect(await found(used)).toEqual({ memory: false, ruleFile: true, pushes: 1, mark: true })
      expect(await found(unused)).toEqual({ memory: false, ruleFile: false, pushes: 0, mark: false })
      await open().addPush({ ...unused, branch: 'b' }, { from: 'x', to: 'y', by: {} }, 'e')
      expect(await open().pushes({ ...unused, branch: 'b' })).toEqual([{ from: 'x', to: 'y', by: {} }])
    })

    test('memory of a reopened merge request, and pending events, stay', async () => {
      const brief = await openAnother({ over: 1 })
      const [open1, over] = [mergeRequest(), mergeRequest()]
      for (const of of [open1, over]) await brief.saveMemory(of, { rules: {}, pushes: [] }, true)
      await brief.saveMemory(open1, { rules: {}, pushes: [] })
      for (const id of ['a', 'b']) await brief.addPendingEvent(over, { deliveryId: id, event: event(id) })
      const [first] = await brief.pendingEvents(over)
      await brief.removePendingEvents(over, first?.seq ?? 0)
      await expect.poll(() => brief.memory(over)).toBeUndefined()
      await brief.prune(new Date())
      expect(await open().memory(open1)).toBeDefined()
      expect((await open().pendingEvents(over)).map(({ deliveryId }) => deliveryId)).toEqual(['b'])
    })

    test('pending events keep their numbers growing, however long ago the earlier ones were removed', async () => {
      const of = mergeRequest()
      const keptMs = 500
      const brief = await openAnother({ over: keptMs })
      const add = async (id: string) => {
        await brief.addPendingEvent(of, { deliveryId: id, event: event(id) })
        return (await brief.pendingEvents(of)).at(-1)?.seq ?? 0
      }
      const first = await add('a')
      await brief.removePendingEvents(of, first)
      const second = await add('b')
      expect(second).toBeGreaterThan(first)
      await new Promise((resolve) => setTimeout(resolve, 2 * keptMs))
      await brief.prune(new Date())
      expect(await add('c')).toBeGreaterThan(second)
      expect((await brief.pendingEvents(of)).map(({ deliveryId }) => deliveryId)).toEqual(['b', 'c'])
    })
  })

  describe('prune', () => {
    test('keeps just as many of the newest as configured, whatever their age, and no rule finds the others', async () => {
      const of = mergeRequest()
      const name = `rule-${of.project}`
      // After all that other tests save: the limit counts over all.
      const at = (n: number) => new Date(Date.UTC(2100, 0, 1) + n * (byDays ? DAY_MS : 60_000)).toISOString()
      const saved = [1, 2, 3, 4, 5].map((n) => delivery({ receivedAt: at(n), mergeRequests: [of], state: 'read' }))
      for (const each of saved) {
        await open().saveDelivery(each)
        await open().saveDecision({
          ...decision(of, each.receivedAt),
          rules: [matchedRule(name)],
          deliveries: [each.id],
        })
      }
      for (const most of [4, 2, 1]) {
        await (await openAnother({ most, history: 100 * 366 * DAY_MS })).prune(new Date())
        const newest = saved.toReversed().slice(0, most)
        const kept = await Promise.all(saved.map(({ id }) => open().delivery(id)))
        expect(kept.flatMap((each) => each?.id ?? [])).toEqual(newest.toReversed().map(({ id }) => id))
        expect((await open().deliveries({ limit: 10 })).items.map(({ id }) => id)).toEqual(newest.map(({ id }) => id))
        expect((await open().deliveries({ rule: name, limit: 10 })).items.map(({ id }) => id)).toEqual(
          newest.map(({ id }) => id),
        )
        const decided = (await open().decisions({ limit: 10 })).items.map(({ deliveries: [id] }) => id)
        expect(decided).toEqual(newest.map(({ id }) => id))
      }
    })

    test('deletes deliveries and decisions after thirty days or as configured, and nothing else', async () => {
      const of = mergeRequest()
      const now = new Date('2020-03-01T00:00:00.000Z')
      const at = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
      const saved = [31, 29, 6].map((days) => ({
        delivery: delivery({ receivedAt: at(days), mergeRequests: [of], state: 'read' }),
        decision: decision(of, at(days)),
      }))
      for (const each of saved) {
        await open().saveDelivery(each.delivery)
        await open().saveDecision(each.decision)
      }
      await open().saveMemory(of, { rules: {}, pushes: [] })
      const moved = delivery({ receivedAt: at(40), mergeRequests: [of], state: 'read' })
      await open().saveDelivery(moved)
      await open().saveDelivery({ ...moved, receivedAt: at(2) })
      const expectOnly = async (left: typeof saved) => {
        const newestFirst = left.toReversed()
        const deliveries = [moved, ...newestFirst.map((each) => each.delivery)]
        expect((await allDeliveries({ project: of.project }, 10)).map(({ id }) => id)).toEqual(
          deliveries.map(({ id }) => id),
        )
        const decisions = (await open().decisions({ mergeRequest: of, limit: 10 })).items
        expect(decisions).toEqual(newestFirst.map((each) => each.decision))
        for (const each of saved) {
          const isLeft = left.includes(each)
          expect((await open().delivery(each.delivery.id)) !== undefined).toBe(isLeft)
          expect((await open().decision(each.decision.id)) !== undefined).toBe(isLeft)
        }
      }
      await open().prune(now)
      await expectOnly(saved.slice(1))
      await (await openAnother({ history: 7 * DAY_MS })).prune(now)
      await expectOnly(saved.slice(2))
      expect(await open().memory(of)).toBeDefined()
    })
  })
}
