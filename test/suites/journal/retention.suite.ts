// What a journal forgets, and when: what nobody asks for, and what is older than it is kept.
import { describe, expect, test } from 'vitest'
import type { RetentionPolicy } from '../../../src/journal/records/retention.ts'
import type { Journal } from '../../../src/journal/types.ts'
import type { MergeRequestRef } from '../../../src/rules/types.ts'
import { DAY_MS, decision, deliveriesOf, delivery, event, heldRule, mergeRequest } from './records.ts'

export function journalForgettingSuite(
  open: () => Journal,
  openAnother: (keeping?: Partial<RetentionPolicy>) => Promise<Journal>,
): void {
  const allDeliveries = deliveriesOf(open)

  describe('what nobody asks for', () => {
    const ruleFile = {
      path: '.bellhop.yml',
      ref: 'main',
      blob: null,
      text: null,
      problems: [],
      good: null,
      readAt: 'now',
    }
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
      for (const id of ['a', 'b']) await brief.addPendingEvent(over, { deliveryId: id, event: event(id) })
      const [first] = await brief.pendingEvents(over)
      await brief.removePendingEvents(over, first?.seq ?? 0)
      await expect.poll(() => brief.memory(over)).toBeUndefined()
      await brief.prune(new Date())
      expect(await open().memory(open1)).toBeDefined()
      expect((await open().pendingEvents(over)).map(({ deliveryId }) => deliveryId)).toEqual(['b'])
    })

    test('the numbers of a mailbox that was emptied begin anew only after its time', async () => {
      const of = mergeRequest()
      const brief = await openAnother({ over: 1 })
      const seqAfter = async (id: string) => {
        await open().addPendingEvent(of, { deliveryId: id, event: event(id) })
        return (await open().pendingEvents(of)).at(-1)?.seq ?? 0
      }
      const first = await seqAfter('a')
      await brief.removePendingEvents(of, first)
      const second = await seqAfter('b')
      await brief.prune(new Date())
      expect((await open().pendingEvents(of)).map(({ deliveryId }) => deliveryId)).toEqual(['b'])
      expect(second).toBeGreaterThanOrEqual(first)
      await open().removePendingEvents(of, second)
      expect(await seqAfter('c')).toBeGreaterThan(second)
    })

    test('pending events keep their numbers growing, however long ago the earlier ones were removed', async () => {
      const of = mergeRequest()
      const keptMs = 500
      const brief = await openAnother({ over: keptMs })
      await brief.addPendingEvent(of, { deliveryId: 'a', event: event('a') })
      await brief.removePendingEvents(of, (await brief.pendingEvents(of)).at(-1)?.seq ?? 0)
      await brief.addPendingEvent(of, { deliveryId: 'b', event: event('b') })
      await new Promise((resolve) => setTimeout(resolve, 2 * keptMs))
      await brief.prune(new Date())
      await brief.addPendingEvent(of, { deliveryId: 'c', event: event('c') })
      const pending = await brief.pendingEvents(of)
      expect(pending.map(({ deliveryId }) => deliveryId)).toEqual(['b', 'c'])
      expect(pending[1]?.seq).toBeGreaterThan(pending[0]?.seq ?? 0)
    })
  })

  describe('prune', () => {
    test('drops deliveries and decisions after as long as was said', async () => {
      const of = mergeRequest()
      const now = new Date('2019-03-01T00:00:00.000Z')
      const at = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
      const saved = [8, 6].map((days) => ({
        delivery: delivery({ receivedAt: at(days) }),
        decision: decision(of, at(days)),
      }))
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

    test('drops the oldest of more than are kept, whatever their age, and finds them by no rule any more', async () => {
      const of = mergeRequest()
      const name = `rule-${of.project}`
      // Of a time before all that other tests save: what is kept here is counted over all.
      const at = (minute: number) => new Date(Date.UTC(2000, 0, 1, 0, minute)).toISOString()
      const saved = [1, 2, 3, 4].map((minute) =>
        delivery({ receivedAt: at(minute), mergeRequests: [of], state: 'read' }),
      )
      for (const each of saved) await open().saveDelivery(each)
      for (const each of saved)
        await open().saveDecision({ ...decision(of, each.receivedAt), rules: [heldRule(name)], deliveries: [each.id] })
      const all = (await deliveriesOf(open)({}, 200)).length
      const left = async () =>
        (await Promise.all(saved.map(({ id }) => open().delivery(id)))).map((each) => each !== undefined)
      const keep = async (most: number) => (await openAnother({ most, history: 100 * 366 * DAY_MS })).prune(new Date())
      // One that was saved again under another time counts twice: so the number is felt for.
      let most = all + 20
      for (; (await left())[0]; most -= 1) await keep(most - 1)
      expect(await left()).toEqual([false, true, true, true])
      await keep(most - 1)
      expect(await left()).toEqual([false, false, true, true])
      const found = await open().deliveries({ rule: name, limit: 10 })
      expect(found.items.map(({ id }) => id)).toEqual([saved[3]?.id, saved[2]?.id])
    })

    test('drops deliveries and decisions after thirty days, and nothing else', async () => {
      const of = mergeRequest()
      const now = new Date('2020-03-01T00:00:00.000Z')
      const at = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
      const [old, young] = [31, 29].map((days) =>
        delivery({ receivedAt: at(days), mergeRequests: [of], state: 'read' }),
      )
      const [past, recent] = [31, 29].map((days) => decision(of, at(days)))
      if (!old || !young || !past || !recent) throw new Error('four are made')
      for (const saved of [old, young]) await open().saveDelivery(saved)
      for (const saved of [past, recent]) await open().saveDecision(saved)
      await open().saveMemory(of, { rules: {}, pushes: [] })
      const moved = delivery({ receivedAt: at(40), mergeRequests: [of], state: 'read' })
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
