// Lists of deliveries, decisions and replays: their order, pages and filters.
import { randomUUID } from 'node:crypto'
import type { Journal } from '../../../src/journal/journal.ts'
import type { DecisionFilter, DecisionRecord, DeliveryFilter } from '../../../src/journal/types.ts'
import type { ActionTrace, Call, CallResponse } from '../../../src/rules/types.ts'
import { decision, delivery, event, matchedRule, mergeRequest } from './records.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString()

function answered(result: CallResponse['result']): Pick<DecisionRecord, 'responses'> {
  const call: Call = { to: 'service', endpoint: 'mergeRequests.update', params: {}, action: 'label', rules: [] }
  return { responses: [{ call, status: 200, result, at: at(1), tookMs: 1 }] }
}

export function journalSearchSuite(open: () => Journal): void {
  /** The seconds of the deliveries that fit, newest first. */
  const deliveriesAt = async (filter: DeliveryFilter) =>
    (await open().deliveries.list({ ...filter, limit: 10 })).items.map((each) => new Date(each.receivedAt).getSeconds())
  const decisionsAt = async (filter: DecisionFilter) =>
    (await open().decisions.list({ ...filter, limit: 50 })).items.map((each) => new Date(each.at).getSeconds())

  describe('decisions', () => {
    test('are listed newest first, of one merge request or of all, page by page', async () => {
      const of = mergeRequest()
      const saved = [1, 2, 3].map((minute) => decision(of, `2026-11-21T10:0${minute}:00.000Z`))
      for (const one of [saved[1], saved[0], saved[2]]) if (one !== undefined) await open().decisions.save(one)
      await open().decisions.save(decision(mergeRequest(), '2026-11-21T10:05:00.000Z'))
      const first = await open().decisions.list({ mergeRequest: of, limit: 2 })
      expect(first.items).toEqual([saved[2], saved[1]])
      const second = await open().decisions.list({ mergeRequest: of, limit: 2, after: first.next ?? '' })
      expect(second).toEqual({ items: [saved[0]] })
      expect(await open().decisions.find(saved[0]?.id ?? '')).toEqual(saved[0])
      expect((await open().decisions.list({ limit: 1 })).next).toBeDefined()
    })

    test('are found by project, delivery, matched rule, evaluation and time', async () => {
      const [one, two] = [mergeRequest(), mergeRequest()]
      const [rule, evaluation, id] = [randomUUID(), randomUUID(), randomUUID()]
      const saved = [
        { ...decision(one, at(1)), rules: [matchedRule(rule)], deliveries: [id] },
        {
          ...decision(one, at(2)),
          rules: [matchedRule(rule, 'false')],
          replayOf: [{ of: 'delivery' as const, id, number: 1 }],
        },
        { ...decision(two, at(3)), rules: [matchedRule(rule)], evaluation },
      ]
      for (const each of saved) await open().decisions.save(each)
      const expected: [DecisionFilter, number[]][] = [
        [{ project: one.project }, [2, 1]],
        [{ delivery: id }, [2, 1]],
        [{ rule }, [3, 1]],
        [{ rule, mergeRequest: one }, [1]],
        [{ rule, project: two.project }, [3]],
        [{ evaluation }, [3]],
        [{ rule, since: at(2) }, [3]],
      ]
      for (const [filter, seconds] of expected)
        expect(await decisionsAt(filter), JSON.stringify(filter)).toEqual(seconds)
    })

    test('are found by outcome, also in one project and with a rule', async () => {
      const [one, two] = [mergeRequest(), mergeRequest()]
      const rule = randomUUID()
      const actionIs = (result: ActionTrace['result']) => ({
        rules: [{ ...matchedRule(rule), actions: [{ action: 'accept', result, detail: '' }] }],
      })
      const saved: DecisionRecord[] = [
        { ...decision(one, at(1)), ...actionIs('call'), ...answered('refused') },
        { ...decision(one, at(2)), ...answered('done'), ...actionIs('waits') },
        { ...decision(one, at(3)), ...actionIs('waits') },
        { ...decision(one, at(4)), ...actionIs('nothing_to_do') },
        { ...decision(two, at(5)), ...answered('ambiguous') },
        { ...decision(two, at(6)), paused: 'the label' },
      ]
      for (const each of saved) await open().decisions.save(each)
      const expected: [DecisionFilter, number[]][] = [
        [{ outcome: 'failed' }, [5, 1]],
        [{ outcome: 'failed', project: one.project }, [1]],
        [{ outcome: 'acted', project: one.project }, [2]],
        [{ outcome: 'blocked' }, [6, 3]],
        [{ outcome: 'nothing', mergeRequest: one }, [4]],
        [{ outcome: 'failed', rule }, [1]],
        [{ outcome: 'blocked', rule }, [3]],
      ]
      for (const [filter, seconds] of expected)
        expect(await decisionsAt({ since: at(0), until: at(9), ...filter }), JSON.stringify(filter)).toEqual(seconds)
    })
  })

  describe('deliveries', () => {
    test('are found by merge request, kind and time, also together, and page by page', async () => {
      const [one, two] = [mergeRequest(), mergeRequest()]
      const kind = `kind.${randomUUID()}`
      const of = (second: number, mr: typeof one, its: string) =>
        delivery({
          ...{ receivedAt: at(second), state: 'read', mergeRequests: [mr] },
          event: { ...event(), kind: its, project: mr.project },
        })
      const saved = [of(1, one, kind), of(2, one, 'other'), of(3, two, kind), of(4, one, kind), of(5, one, 'other')]
      for (const each of saved) await open().deliveries.save(each)
      const expected: [DeliveryFilter, number[]][] = [
        [{ mergeRequest: one }, [5, 4, 2, 1]],
        [{ kind }, [4, 3, 1]],
        [{ kind, mergeRequest: one }, [4, 1]],
        [{ kind, project: two.project }, [3]],
        [{ kind, state: 'refused' }, []],
        [{ kind, since: at(3) }, [4, 3]],
        [{ mergeRequest: one, since: at(2), until: at(5) }, [4, 2]],
      ]
      for (const [filter, seconds] of expected)
        expect(await deliveriesAt(filter), JSON.stringify(filter)).toEqual(seconds)
      const query = { mergeRequest: one, kind, until: at(5), limit: 1 }
      const first = await open().deliveries.list(query)
      expect(first.items).toEqual([saved[3]])
      expect(await open().deliveries.list({ ...query, after: first.next ?? '' })).toEqual({ items: [saved[0]] })
    })

    test('are found by the rules that matched in their decisions, and by decisions that failed', async () => {
      const of = mergeRequest()
      const [rule, other] = [randomUUID(), randomUUID()]
      const saved = [1, 2, 3].map((second) => delivery({ receivedAt: at(second), state: 'read', mergeRequests: [of] }))
      for (const each of saved) await open().deliveries.save(each)
      const [first = '', second = '', third = ''] = saved.map(({ id }) => id)
      const decided = (given: Partial<DecisionRecord>) => open().decisions.save({ ...decision(of, at(9)), ...given })
      await decided({ ...answered('refused'), rules: [matchedRule(rule)], deliveries: [first] })
      await decided({ ...answered('done'), rules: [matchedRule(rule)], deliveries: [third, first] })
      await decided({ rules: [matchedRule(rule, 'false')], deliveries: [second] })
      await decided({ ...answered('ambiguous'), deliveries: [second] })
      const [failed, elsewhere] = [{ outcome: 'failed', mergeRequest: of } as const, { project: of.project + 1 }]
      const expected: [DeliveryFilter, number[]][] = [
        [{ rule }, [3, 1]],
        [{ rule, until: at(2) }, [1]],
        [{ rule, ...elsewhere }, []],
        [{ rule, state: 'refused' }, []],
        [failed, [2, 1]],
        [{ ...failed, rule }, [1]],
        [{ ...failed, rule: other }, []],
        [{ ...failed, ...elsewhere }, []],
      ]
      for (const [filter, seconds] of expected)
        expect(await deliveriesAt(filter), JSON.stringify(filter)).toEqual(seconds)
    })
  })

  test('replays are numbered from 1, of deliveries and decisions apart', async () => {
    const of = mergeRequest()
    const [its, decided] = [delivery(), decision(of, at(1))]
    await open().deliveries.save(its)
    await open().decisions.save(decided)
    const replay = (by: string) => ({ at: at(1), by, why: 'a “fix”\u0000' })
    expect(await open().deliveries.addReplay(its.id, replay('ann'))).toBe(1)
    expect(await open().deliveries.addReplay(its.id, replay('bob'))).toBe(2)
    expect(await open().decisions.addReplay(decided.id, replay('bob'))).toBe(1)
    expect((await open().deliveries.find(its.id))?.replays).toEqual([replay('ann'), replay('bob')])
    expect(await open().decisions.replays(decided.id)).toEqual([replay('bob')])
  })

  test('ids are found by how they begin', async () => {
    const of = mergeRequest()
    const [prefix, evaluation] = [randomUUID().slice(0, 8), randomUUID()]
    await open().deliveries.save(delivery({ id: `${prefix}-a` }))
    await open().deliveries.save(delivery({ id: `${prefix}-b` }))
    await open().decisions.save({ ...decision(of, at(1), `${prefix}-c`), evaluation })
    expect((await open().deliveries.idsFrom(prefix, 5)).toSorted()).toEqual([`${prefix}-a`, `${prefix}-b`])
    expect(await open().deliveries.idsFrom(prefix, 1)).toHaveLength(1)
    expect(await open().decisions.idsFrom('decision', prefix, 5)).toEqual([`${prefix}-c`])
    expect(await open().decisions.idsFrom('evaluation', evaluation.slice(0, 9), 5)).toEqual([evaluation])
  })
}
