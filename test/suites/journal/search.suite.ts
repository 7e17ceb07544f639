// Decisions, and how deliveries, decisions and replays are looked for.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DecisionRecord, Journal } from '../../../src/journal/types.ts'
import type { ActionTrace, Call, CallResponse } from '../../../src/rules/types.ts'
import { decision, delivery, event, heldRule, mergeRequest } from './records.ts'

export function journalSearchSuite(open: () => Journal): void {
  describe('decisions', () => {
    test('are listed newest first, of one merge request or of all, page by page', async () => {
      const of = mergeRequest()
      const saved = [1, 2, 3].map((minute) => decision(of, `2026-11-21T10:0${minute}:00.000Z`))
      for (const one of [saved[1], saved[0], saved[2]]) if (one !== undefined) await open().saveDecision(one)
      await open().saveDecision(decision(mergeRequest(), '2026-11-21T10:05:00.000Z'))
      const first = await open().decisions({ mergeRequest: of, limit: 2 })
      expect(first.items).toEqual([saved[2], saved[1]])
      const second = await open().decisions({ mergeRequest: of, limit: 2, after: first.next ?? '' })
      expect(second).toEqual({ items: [saved[0]] })
      expect(await open().decision(saved[0]?.id ?? '')).toEqual(saved[0])
      expect((await open().decisions({ limit: 1 })).next).toBeDefined()
    })
  })

  describe('what is looked for', () => {
    const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString()

    test('deliveries are found by merge request, kind and time, also together, and page by page', async () => {
      const [one, two] = [mergeRequest(), mergeRequest()]
      const kind = `kind.${randomUUID()}`
      const of = (second: number, mr: typeof one, its: string) =>
        delivery({
          receivedAt: at(second),
          state: 'read',
          mergeRequests: [mr],
          event: { ...event(), kind: its, project: mr.project },
        })
      const saved = [of(1, one, kind), of(2, one, 'other'), of(3, two, kind), of(4, one, kind), of(5, one, 'other')]
      for (const each of saved) await open().saveDelivery(each)
      const seconds = async (filter: object, limit = 10) =>
        (await open().deliveries({ ...filter, limit })).items.map(({ receivedAt }) => new Date(receivedAt).getSeconds())
      expect(await seconds({ mergeRequest: one })).toEqual([5, 4, 2, 1])
      expect(await seconds({ kind })).toEqual([4, 3, 1])
      expect(await seconds({ kind, mergeRequest: one })).toEqual([4, 1])
      expect(await seconds({ kind, project: two.project })).toEqual([3])
      expect(await seconds({ kind, state: 'refused' })).toEqual([])
      expect(await seconds({ kind, since: at(3) })).toEqual([4, 3])
      expect(await seconds({ mergeRequest: one, since: at(2), until: at(5) })).toEqual([4, 2])
      const first = await open().deliveries({ mergeRequest: one, kind, until: at(5), limit: 1 })
      expect(first.items.map(({ id }) => id)).toEqual([saved[3]?.id])
      const second = await open().deliveries({
        mergeRequest: one,
        kind,
        until: at(5),
        limit: 1,
        after: first.next ?? '',
      })
      expect(second).toEqual({ items: [saved[0]] })
    })

    test('decisions are found by project, delivery, rule that held and evaluation', async () => {
      const [one, two] = [mergeRequest(), { ...mergeRequest() }]
      const [name, evaluation, id] = [randomUUID(), randomUUID(), randomUUID()]
      const rule = (verdict: 'true' | 'false') => heldRule(name, verdict)
      const saved = [
        { ...decision(one, at(1)), rules: [rule('true')], deliveries: [id] },
        { ...decision(one, at(2)), rules: [rule('false')], replayOf: [{ of: 'delivery' as const, id, number: 1 }] },
        { ...decision(two, at(3)), rules: [rule('true')], evaluation },
      ]
      for (const each of saved) await open().saveDecision(each)
      const seconds = async (filter: object) =>
        (await open().decisions({ ...filter, limit: 10 })).items.map((each) => new Date(each.at).getSeconds())
      expect(await seconds({ project: { service: one.service, project: one.project } })).toEqual([2, 1])
      expect(await seconds({ delivery: id })).toEqual([2, 1])
      expect(await seconds({ rule: name })).toEqual([3, 1])
      expect(await seconds({ rule: name, mergeRequest: one })).toEqual([1])
      expect(await seconds({ rule: name, project: { service: two.service, project: two.project } })).toEqual([3])
      expect(await seconds({ evaluation })).toEqual([3])
      expect(await seconds({ rule: name, since: at(2) })).toEqual([3])
    })

    test('decisions of one service are never among those of another, whatever they are found by', async () => {
      const [one, two] = [mergeRequest(), mergeRequest()]
      const [name, evaluation, id] = [randomUUID(), randomUUID(), randomUUID()]
      const base = { rules: [heldRule(name)], deliveries: [id], evaluation, paused: 'the label' }
      const saved = [
        { ...decision(one, at(1)), ...base },
        // The same numbers, on another service.
        { ...decision({ ...one, service: two.service }, at(2)), ...base },
      ]
      for (const each of saved) await open().saveDecision(each)
      const found = async (filter: object) =>
        (await open().decisions({ since: at(1), until: at(3), ...filter, limit: 50 })).items.map(
          (each) => each.mergeRequest,
        )
      for (const filter of [
        {},
        { rule: name },
        { evaluation },
        { delivery: id },
        { outcome: 'blocked' },
        { outcome: 'blocked', rule: name },
      ]) {
        expect(await found({ ...filter, service: one.service })).toEqual([one])
        expect(await found({ ...filter, service: two.service })).toEqual([{ ...one, service: two.service }])
      }
      expect(await found({ mergeRequest: one })).toEqual([one])
      expect(await found({ project: { service: one.service, project: one.project } })).toEqual([one])
      expect(await found({ outcome: 'blocked', project: { service: one.service, project: one.project } })).toEqual([
        one,
      ])
    })

    test('decisions are found by what came of them, also in one project and with a rule', async () => {
      const [one, two] = [mergeRequest(), mergeRequest()]
      const call: Call = { endpoint: 'mergeRequests.update', params: {}, action: 'label', rules: [] }
      const came = (result: CallResponse['result']) => ({
        answers: [{ call, status: 200, result, at: at(1), tookMs: 1 }],
      })
      const name = randomUUID()
      const asks = (result: ActionTrace['result']) => ({
        rules: [{ ...heldRule(name), actions: [{ action: 'accept', result, detail: '' }] }],
      })
      const saved: DecisionRecord[] = [
        { ...decision(one, at(1)), ...asks('call'), ...came('refused') },
        { ...decision(one, at(2)), ...came('done'), ...asks('waits') },
        { ...decision(one, at(3)), ...asks('waits') },
        { ...decision(one, at(4)), ...asks('nothing to do') },
        { ...decision(two, at(5)), ...came('ambiguous') },
        { ...decision(two, at(6)), paused: 'the label' },
      ]
      for (const each of saved) await open().saveDecision(each)
      const seconds = async (filter: object) =>
        (await open().decisions({ since: at(0), until: at(9), ...filter, limit: 50 })).items
          .filter(({ id }) => saved.some((each) => each.id === id))
          .map((each) => new Date(each.at).getSeconds())
      expect(await seconds({ outcome: 'failed' })).toEqual([5, 1])
      const project = { service: one.service, project: one.project }
      expect(await seconds({ outcome: 'failed', project })).toEqual([1])
      expect(await seconds({ outcome: 'acted', project })).toEqual([2])
      expect(await seconds({ outcome: 'blocked' })).toEqual([6, 3])
      expect(await seconds({ outcome: 'nothing', mergeRequest: one })).toEqual([4])
      expect(await seconds({ outcome: 'failed', rule: name })).toEqual([1])
      expect(await seconds({ outcome: 'blocked', rule: name })).toEqual([3])
    })

    test('deliveries are found by the rules that held in what they led to', async () => {
      const of = mergeRequest()
      const name = randomUUID()
      const saved = [1, 2, 3].map((second) => delivery({ receivedAt: at(second), state: 'read', mergeRequests: [of] }))
      for (const each of saved) await open().saveDelivery(each)
      const [first, second, third] = saved.map(({ id }) => id)
      await open().saveDecision({
        ...decision(of, at(9)),
        rules: [heldRule(name)],
        deliveries: [third ?? '', first ?? ''],
      })
      await open().saveDecision({
        ...decision(of, at(9)),
        rules: [heldRule(name, 'false')],
        deliveries: [second ?? ''],
      })
      const found = async (filter: object) =>
        (await open().deliveries({ rule: name, ...filter, limit: 10 })).items.map(({ id }) => id)
      expect(await found({})).toEqual([third, first])
      expect(await found({ until: at(2) })).toEqual([first])
      expect(await found({ project: of.project + 1 })).toEqual([])
      expect(await found({ state: 'refused' })).toEqual([])
    })

    test('deliveries are found by the decisions that failed, also with a rule that held in one', async () => {
      const of = mergeRequest()
      const [one, other] = [randomUUID(), randomUUID()]
      const call: Call = { endpoint: 'mergeRequests.update', params: {}, action: 'label', rules: [] }
      const came = (result: CallResponse['result']) => ({
        answers: [{ call, status: 403, result, at: at(1), tookMs: 1 }],
      })
      const saved = [1, 2, 3].map((second) => delivery({ receivedAt: at(second), state: 'read', mergeRequests: [of] }))
      for (const each of saved) await open().saveDelivery(each)
      const [first = '', second = '', third = ''] = saved.map(({ id }) => id)
      await open().saveDecision({
        ...decision(of, at(9)),
        ...came('refused'),
        rules: [heldRule(one)],
        deliveries: [first],
      })
      await open().saveDecision({
        ...decision(of, at(9)),
        ...came('done'),
        rules: [heldRule(one)],
        deliveries: [second],
      })
      await open().saveDecision({ ...decision(of, at(9)), ...came('ambiguous'), deliveries: [third] })
      const found = async (filter: object) =>
        (await open().deliveries({ outcome: 'failed', mergeRequest: of, ...filter, limit: 10 })).items.map(
          ({ id }) => id,
        )
      expect(await found({})).toEqual([third, first])
      expect(await found({ rule: one })).toEqual([first])
      expect(await found({ rule: other })).toEqual([])
      expect(await found({ project: of.project + 1 })).toEqual([])
    })

    test('a page over very many that are not wanted ends early, and goes on where it ended', async () => {
      const of = mergeRequest()
      const kind = `kind.${randomUUID()}`
      const make = (n: number, its: string) =>
        delivery({
          receivedAt: new Date(Date.UTC(2026, 9, 1) + n).toISOString(),
          state: 'read',
          mergeRequests: [of],
          event: { ...event(), kind: its },
        })
      const wanted = make(0, kind)
      await open().saveDelivery(wanted)
      // Not all at once: a store that is asked so much answers late.
      for (let n = 1; n <= 1_300; n += 50)
        await Promise.all(Array.from({ length: 50 }, (_, m) => open().saveDelivery(make(n + m, 'other'))))
      const first = await open().deliveries({ mergeRequest: of, kind, limit: 5 })
      expect(first).toEqual({ items: [], next: expect.any(String) })
      expect(await open().deliveries({ mergeRequest: of, kind, limit: 5, after: first.next ?? '' })).toEqual({
        items: [wanted],
      })
    })

    test('replays are numbered from 1, of deliveries and decisions apart', async () => {
      const id = randomUUID()
      const replay = (by: string) => ({ at: at(1), by, why: 'a fix' })
      expect(await open().addReplay({ of: 'delivery', id }, replay('ann'))).toBe(1)
      expect(await open().addReplay({ of: 'delivery', id }, replay('bob'))).toBe(2)
      expect(await open().addReplay({ of: 'decision', id }, replay('bob'))).toBe(1)
      expect(await open().replays({ of: 'delivery', id })).toEqual([replay('ann'), replay('bob')])
      expect(await open().replays({ of: 'decision', id })).toEqual([replay('bob')])
    })
  })
}
