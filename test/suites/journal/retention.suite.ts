// What a journal deletes, and when: what nobody reads, and what is past its retention.
import type { Journal } from '../../../src/journal/journal.ts'
import type { RetentionPolicy } from '../../../src/journal/retention.ts'
import {
  DAY_MS,
  decision,
  deliveriesOf,
  delivery,
  event,
  matchedRule,
  mergeRequest,
  ruleFile,
  savePush,
} from './records.ts'

export function journalRetentionSuite(
  open: () => Journal,
  openAnother: (retention?: Partial<RetentionPolicy>) => Promise<Journal>,
  byDays: boolean,
): void {
  const allDeliveries = deliveriesOf(open)

  const later = (days: number) => new Date(Date.now() + days * DAY_MS)

  describe('what nobody reads', () => {
    test('is deleted after its retention: memory of merged merge requests, rule files, pushes, marks', async () => {
      const of = mergeRequest()
      const { project } = of
      const origin = { project, branch: 'b' }
      await open().mergeRequests.save(of, { memory: { rules: {}, pushes: [] }, over: true, ended: true, origin })
      await open().ruleFiles.save(project, [ruleFile(of)])
      await savePush(open(), origin)
      await open().marks.write(project, 'mark', 'stored')
      const found = async () => ({
        memory: (await open().mergeRequests.memory(of)) !== undefined,
        keeps: (await open().mergeRequests.known(of))[0]?.keeps === true,
        byBranch: (await open().mergeRequests.known(origin)).length,
        ruleFile: (await open().ruleFiles.find(ruleFile(of))) !== undefined,
        pushes: (await open().pushes.list(origin)).length,
        mark: (await open().marks.read(project, 'mark')) !== undefined,
      })
      await open().prune(later(29))
      expect(await found()).toEqual({ memory: true, keeps: true, byBranch: 0, ruleFile: true, pushes: 1, mark: true })
      await open().prune(later(31))
      expect(await found()).toEqual({ memory: false, keeps: false, byBranch: 0, ruleFile: true, pushes: 1, mark: true })
      await open().prune(later(91))
      const nothing = { memory: false, keeps: false, byBranch: 0, ruleFile: false, pushes: 0 }
      expect(await found()).toEqual({ ...nothing, mark: true })
      await open().prune(later(401))
      expect((await found()).mark).toBe(false)
    })

    test('memory of a reopened merge request, and pending events, stay', async () => {
      const [reopened, over] = [mergeRequest(), mergeRequest()]
      const memory = { rules: {}, pushes: [] }
      for (const of of [reopened, over]) await open().mergeRequests.save(of, { memory, over: true })
      await open().mergeRequests.save(reopened, { memory })
      for (const id of ['a', 'b']) await open().events.add(over, { deliveryId: id, event: event(id) })
      const [first] = await open().events.pending(over)
      await open().mergeRequests.save(over, { processed: first === undefined ? [] : [first] })
      await open().prune(later(400))
      expect(await open().mergeRequests.memory(over)).toBeUndefined()
      expect(await open().mergeRequests.memory(reopened)).toEqual(memory)
      expect((await open().events.pending(over)).map(({ deliveryId }) => deliveryId)).toEqual(['b'])
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
        await open().deliveries.save(each)
        const led = { rules: [matchedRule(name)], deliveries: [each.id] }
        await open().decisions.save({ ...decision(of, each.receivedAt), ...led })
      }
      for (const most of [4, 2, 1]) {
        await (await openAnother({ most, history: 100 * 366 * DAY_MS })).prune(new Date())
        const newest = saved.toReversed().slice(0, most)
        const kept = await Promise.all(saved.map(({ id }) => open().deliveries.find(id)))
        expect(kept.flatMap((each) => each?.id ?? [])).toEqual(newest.toReversed().map(({ id }) => id))
        const ids = newest.map(({ id }) => id)
        for (const filter of [{}, { rule: name }])
          expect((await open().deliveries.list({ ...filter, limit: 10 })).items.map(({ id }) => id)).toEqual(ids)
        const decided = (await open().decisions.list({ limit: 10 })).items.map(({ deliveries: [id] }) => id)
        expect(decided).toEqual(ids)
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
        await open().deliveries.save(each.delivery)
        await open().decisions.save(each.decision)
      }
      await open().mergeRequests.save(of, { memory: { rules: {}, pushes: [] } })
      const expectOnly = async (left: typeof saved) => {
        const newestFirst = left.toReversed()
        expect((await allDeliveries({ project: of.project }, 10)).map(({ id }) => id)).toEqual(
          newestFirst.map((each) => each.delivery.id),
        )
        const decisions = (await open().decisions.list({ mergeRequest: of, limit: 10 })).items
        expect(decisions).toEqual(newestFirst.map((each) => each.decision))
        for (const each of saved) {
          const isLeft = left.includes(each)
          expect((await open().deliveries.find(each.delivery.id)) !== undefined).toBe(isLeft)
          expect((await open().decisions.find(each.decision.id)) !== undefined).toBe(isLeft)
        }
      }
      await open().prune(now)
      await expectOnly(saved.slice(1))
      await (await openAnother({ history: 7 * DAY_MS })).prune(now)
      await expectOnly(saved.slice(2))
      expect(await open().mergeRequests.memory(of)).toBeDefined()
    })
  })
}
