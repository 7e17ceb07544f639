// Several hosting services in one journal: the same numbers on two of them never meet, whatever is remembered.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { serviceJournal } from '../../../src/journal/service-journal.ts'
import type { Journal, RuleFileRecord } from '../../../src/journal/types.ts'
import { decision, delivery, event, heldRule, mergeRequest } from './records.ts'

export function journalServicesSuite(open: () => Journal): void {
  describe('of two services with the same numbers', () => {
    const at = '2026-11-21T10:00:00.000Z'
    const now = new Date('2026-11-21T10:01:00.000Z')
    /** A merge request of one service, and the one of the same numbers on another. */
    const two = () => {
      const one = mergeRequest()
      return [one, { ...one, service: mergeRequest().service }] as const
    }

    test('each has its own memory and its own mail, also of the same event', async () => {
      const [one, other] = two()
      await open().saveMemory(one, { rules: {}, pushes: [], approvedSha: 'a' })
      const content = randomUUID()
      const first = await open().addPendingEvent(one, { deliveryId: 'd-1', event: event(), content })
      expect([first, await open().memory(other), await open().pendingEvents(other)]).toEqual(['d-1', undefined, []])
      // What counts once is the event of one merge request alone.
      expect(await open().addPendingEvent(other, { deliveryId: 'd-2', event: event(), content })).toBe('d-2')
      expect(await open().addPendingEvent({ ...one, iid: 8 }, { deliveryId: 'd-3', event: event(), content })).toBe(
        'd-3',
      )
      expect(await open().addPendingEvent(one, { deliveryId: 'd-4', event: event(), content })).toBe('d-1')
      await open().removePendingEvents(other, Number.MAX_SAFE_INTEGER)
      expect((await open().pendingEvents(one)).map(({ deliveryId }) => deliveryId)).toEqual(['d-1'])
    })

    test('each has its own pushes, of each project and branch', async () => {
      const [one, other] = two()
      const branch = { service: one.service, project: one.project, branch: 'topic' }
      const push = { from: null, to: 'a', by: { id: 2 } }
      await open().addPush(branch, push, 'd-1')
      for (const another of [
        { ...branch, service: other.service },
        { ...branch, project: 900_000_000 },
        { ...branch, branch: 'Topic' },
      ]) {
        expect(await open().pushes(another)).toEqual([])
        // The same delivery may tell of both.
        await open().addPush(another, { ...push, to: 'b' }, 'd-1')
        expect(await open().pushes(another)).toEqual([{ ...push, to: 'b' }])
      }
      expect(await open().pushes(branch)).toEqual([push])
    })

    test('each has its own marks, which limits, pauses and sweeps are kept in', async () => {
      const [{ service, project }, other] = two()
      await open().markProject(service, project, 'swept', 'a')
      await open().changeMark(service, project, 'used', () => 'a')
      const marks = (of: string) => Promise.all(['swept', 'used'].map((mark) => open().projectMark(of, project, mark)))
      expect(await marks(other.service)).toEqual([undefined, undefined])
      const seen: unknown[] = []
      await open().changeMark(other.service, project, 'used', (before) => {
        seen.push(before)
        return 'b'
      })
      expect([seen, await marks(other.service), await marks(service)]).toEqual([
        [undefined],
        [undefined, 'b'],
        ['a', 'a'],
      ])
    })

    test('each has its own rule files', async () => {
      const [{ service, project }, other] = two()
      const file: RuleFileRecord = {
        ...{ service, project, path: '.bellhop.yml', ref: 'main', blob: 'b', text: 't', problems: [] },
        ...{ good: { blob: 'b', text: 't' }, readAt: at },
      }
      await open().saveRuleFile(file)
      const others = { ...file, service: other.service }
      expect(await open().ruleFile(others)).toBeUndefined()
      await open().saveRuleFile({ ...others, good: null })
      expect(await open().ruleFile(file)).toEqual(file)
    })

    test('each knows its own projects, and forgets them alone', async () => {
      const [one, other] = two()
      const save = (of: typeof one) =>
        open().saveDelivery(
          delivery({
            service: of.service,
            state: 'read',
            mergeRequests: [of],
            event: { ...event(), project: of.project },
          }),
        )
      await save(one)
      expect([await open().knownProjects(one.service), await open().knownProjects(other.service)]).toEqual([
        [one.project],
        [],
      ])
      await save(other)
      await open().forgetProject(one.service, one.project)
      expect([await open().knownProjects(one.service), await open().knownProjects(other.service)]).toEqual([
        [],
        [other.project],
      ])
    })

    test('each is told of its own deliveries and decisions alone, also by their ids', async () => {
      const [one, other] = two()
      const saved = delivery({ service: one.service, state: 'read', mergeRequests: [one] })
      await open().saveDelivery(saved, { text: '{}', keepMs: 60_000 })
      const decided = decision(one, at)
      await open().saveDecision({ ...decided, deliveries: [saved.id] })
      const told = async ({ service }: typeof one) => {
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
      expect(await told(one)).toEqual([saved.id, '{}', decided.id, [saved.id], [decided.id]])
      expect(await told(other)).toEqual([undefined, undefined, undefined, [], []])
    })

    test('each has its own deliveries and its own counts', async () => {
      const [one, other] = two()
      const kind = `kind.${randomUUID()}`
      const about = { ...event(), kind, project: one.project }
      const saved = delivery({
        service: one.service,
        receivedAt: at,
        state: 'read',
        mergeRequests: [one],
        event: about,
      })
      await open().saveDelivery(saved)
      await open().saveDecision({ ...decision(one, at), rules: [heldRule('a')], deliveries: [saved.id], waitedMs: 1 })
      for (const filter of [
        {},
        { project: one.project },
        { kind },
        { mergeRequest: one },
        { rule: 'a' },
        { state: 'read' as const },
      ]) {
        const find = async (service: string) =>
          (await open().deliveries({ ...filter, service, since: at, until: now.toISOString(), limit: 50 })).items.map(
            ({ id }) => id,
          )
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
