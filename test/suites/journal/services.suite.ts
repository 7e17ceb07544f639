// Several hosting services in one journal: the same numbers on two services never meet.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { serviceJournal } from '../../../src/journal/service-journal.ts'
import type { DeliveryFilter, Journal } from '../../../src/journal/types.ts'
import { decision, delivery, event, matchedRule, mergeRequest, ruleFile } from './records.ts'

export function journalServicesSuite(open: () => Journal): void {
  describe('each of two services with the same numbers', () => {
    const at = '2026-11-21T10:00:00.000Z'
    const now = new Date('2026-11-21T10:01:00.000Z')
    const two = () => {
      const one = mergeRequest()
      return [one, { ...one, service: mergeRequest().service }] as const
    }

    test('finds its own ids by how they begin, however many newer ones of the other begin so', async () => {
      const [one, other] = two()
      const prefix = randomUUID()
      const save = (service: string, name: string, receivedAt: string) =>
        open().saveDelivery(delivery({ id: `${prefix}-${name}`, service, receivedAt }), { text: '{}', keepMs: 60_000 })
      await save(one.service, 'own', at)
      for (const name of ['a', 'b', 'c']) await save(other.service, name, now.toISOString())
      const find = (service: string) => serviceJournal(open(), service).idsFrom('delivery', prefix, 2)
      expect(await find(one.service)).toEqual([`${prefix}-own`])
      expect(await find(other.service)).toHaveLength(2)
    })

    test('finds its own evaluations by how their ids begin', async () => {
      const [one, other] = two()
      const prefix = randomUUID()
      for (const [of, evaluation] of [
        [one, `${prefix}-own`],
        [one, `${prefix}-own`],
        [other, `${prefix}-a`],
      ] as const)
        await open().saveDecision({ ...decision(of, at), evaluation })
      expect(await serviceJournal(open(), one.service).idsFrom('evaluation', prefix, 2)).toEqual([`${prefix}-own`])
    })

    test('has its own memory and pending events, also of the same event', async () => {
      const [one, other] = two()
      await open().saveMemory(one, { rules: {}, pushes: [], approvedSha: 'a' })
      const content = randomUUID()
      const add = (to: typeof one, deliveryId: string) =>
        open().addPendingEvent(to, { deliveryId, event: event(), content })
      expect([await add(one, 'd-1'), await open().memory(other), await open().pendingEvents(other)]).toEqual([
        'd-1',
        undefined,
        [],
      ])
      expect(await add(other, 'd-2')).toBe('d-2')
      expect(await add({ ...one, iid: 8 }, 'd-3')).toBe('d-3')
      expect(await add(one, 'd-4')).toBe('d-1')
      await open().removePendingEvents(other, Number.MAX_SAFE_INTEGER)
      expect((await open().pendingEvents(one)).map(({ deliveryId }) => deliveryId)).toEqual(['d-1'])
    })

    test('has its own pushes, for each project and branch', async () => {
      const [one, other] = two()
      const branch = { service: one.service, project: one.project, branch: 'topic' }
      const push = { from: null, to: 'a', by: { id: 2 } }
      await open().addPush(branch, push, 'd-1')
      for (const change of [{ service: other.service }, { project: 900_000_000 }, { branch: 'Topic' }]) {
        const another = { ...branch, ...change }
        expect(await open().pushes(another)).toEqual([])
        await open().addPush(another, { ...push, to: 'b' }, 'd-1')
        expect(await open().pushes(another)).toEqual([{ ...push, to: 'b' }])
      }
      expect(await open().pushes(branch)).toEqual([push])
    })

    test('has its own marks and rule files', async () => {
      const [{ service, project }, other] = two()
      await open().markProject(service, project, 'swept', 'a')
      await open().changeMark(service, project, 'used', () => 'a')
      const marks = (of: string) => Promise.all(['swept', 'used'].map((mark) => open().projectMark(of, project, mark)))
      expect(await marks(other.service)).toEqual([undefined, undefined])
      await open().changeMark(other.service, project, 'used', (before) => before ?? 'b')
      expect([await marks(other.service), await marks(service)]).toEqual([
        [undefined, 'b'],
        ['a', 'a'],
      ])
      const file = ruleFile({ service, project })
      await open().saveRuleFile(file)
      const others = { ...file, service: other.service }
      expect(await open().ruleFile(others)).toBeUndefined()
      await open().saveRuleFile({ ...others, ref: 'other' })
      expect(await open().ruleFile(file)).toEqual(file)
    })

    test('knows and forgets its own projects', async () => {
      const [one, other] = two()
      const save = (of: typeof one) =>
        open().saveDelivery(delivery({ service: of.service, state: 'read', mergeRequests: [of] }))
      const known = () => Promise.all([one, other].map(({ service }) => open().knownProjects(service)))
      await save(one)
      expect(await known()).toEqual([[one.project], []])
      await save(other)
      await open().forgetProject(one.service, one.project)
      expect(await known()).toEqual([[], [other.project]])
    })

    test('has its own deliveries, decisions and counts, also by their ids', async () => {
      const [one, other] = two()
      const kind = `kind.${randomUUID()}`
      const saved = delivery({
        ...{ service: one.service, receivedAt: at, state: 'read', mergeRequests: [one] },
        event: { ...event(), kind, project: one.project },
      })
      await open().saveDelivery(saved, { text: '{}', keepMs: 60_000 })
      const decided = { ...decision(one, at), rules: [matchedRule('a')], deliveries: [saved.id], waitedMs: 1 }
      await open().saveDecision(decided)

      const byId = async ({ service }: typeof one) => {
        const journal = serviceJournal(open(), service)
        const lists = [
          await journal.deliveries({ limit: 50 }),
          await journal.decisions({ delivery: saved.id, limit: 50 }),
        ]
        return [
          (await journal.delivery(saved.id))?.id,
          await journal.body(saved.id),
          (await journal.decision(decided.id))?.id,
          ...lists.map(({ items }) => items.map(({ id }) => id)),
        ]
      }
      expect(await byId(one)).toEqual([saved.id, '{}', decided.id, [saved.id], [decided.id]])
      expect(await byId(other)).toEqual([undefined, undefined, undefined, [], []])

      const within = { since: at, until: now.toISOString(), limit: 50 }
      const filters: DeliveryFilter[] = [
        ...[{}, { project: one.project }, { kind }, { mergeRequest: one }, { rule: 'a' }],
        { state: 'read' },
      ]
      for (const filter of filters) {
        const find = async (service: string) =>
          (await open().deliveries({ ...filter, ...within, service })).items.map(({ id }) => id)
        expect([await find(one.service), await find(other.service)]).toEqual([[saved.id], []])
      }

      const counts = async ({ service, project }: typeof one) => {
        const flow = await open().flowCounts(service, new Date(at), now)
        const { deliveries, decisions } = await open().projectCounts(service, project, now)
        const rules = await open().ruleCounts(service, project, now)
        return [flow.map((part) => [part.deliveries, part.decisions]), deliveries, decisions, rules.size]
      }
      expect(await counts(one)).toEqual([[[1, 1]], 1, 1, 1])
      expect(await counts(other)).toEqual([[[0, 0]], 0, 0, 0])
    })
  })
}
