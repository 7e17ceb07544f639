// The counts for the dashboard: exact under concurrency, and bounded.
import type { Journal } from '../../../src/journal/journal.ts'
import type { RetentionPolicy } from '../../../src/journal/retention.ts'
import { MOST_RULES, ruleCountName } from '../../../src/journal/tables/counts.ts'
import type { DecisionRecord } from '../../../src/journal/types.ts'
import type { Call, CallResponse, Verdict } from '../../../src/rules/types.ts'
import { DAY_MS, decision, delivery, event, matchedRule, mergeRequest } from './records.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
function answer(rule: string, result: CallResponse['result']): CallResponse {
  const call: Call = { to: 'service', endpoint: 'mergeRequests.update', params: {}, action: 'label', rules: [] }
  return { call: { ...call, rules: [`f.yml#${rule}`] }, status: 200, result, at: ago(0), tookMs: 1 }
}

/** A decision by these rules of one file. */
function decidedBy(
  of: DecisionRecord['mergeRequest'],
  at: string,
  verdicts: Record<string, Verdict>,
  given: Partial<DecisionRecord> = {},
) {
  const rules = Object.entries(verdicts).map(([name, verdict]) => ({
    ...matchedRule(name),
    ...{ verdict, key: `f.yml#${name}`, file: 'f.yml' },
  }))
  return { ...decision(of, at), rules, ...given }
}

export function journalCountsSuite(
  open: () => Journal,
  openAnother: (retention?: Partial<RetentionPolicy>) => Promise<Journal>,
): void {
  const rulesOf = async ({ project }: { project: number }) =>
    Object.fromEntries(await open().counts.rules(project, now))

  describe('counts', () => {
    test('of five minutes are those of deliveries, decisions, calls and delays', async () => {
      const of = mergeRequest()
      // A time that no other test counts in.
      const until = now.getTime() - 5 * 3_600_000
      const ago = (ms: number) => new Date(until - ms).toISOString()
      const save = (at: string, given: Partial<DecisionRecord>) =>
        open().decisions.save({ ...decision(of, at), ...given })
      await save(ago(60_000), { waitedMs: 500, responses: [answer('a', 'done'), answer('a', 'refused')] })
      const others = (['already', 'ambiguous', 'moved'] as const).map((result) => answer('a', result))
      await save(ago(1), { waitedMs: 501, responses: others })
      await save(ago(9 * 60_000), { waitedMs: 7_200_000 })
      for (const state of ['received', 'read', 'unreadable'] as const)
        await open().deliveries.save(delivery({ state, receivedAt: ago(120_000) }))
      const flow = await open().counts.flow(new Date(ago(10 * 60_000)), new Date(until))
      expect(flow).toEqual([
        { at: '2026-11-21T06:50:00.000Z', deliveries: 0, unread: 0, decisions: 1, done: 0, failed: 0 },
        { at: '2026-11-21T06:55:00.000Z', deliveries: 2, unread: 1, decisions: 2, done: 2, failed: 2 },
      ])
    })

    test('of calls that label are those that were done, by the hour', async () => {
      const of = mergeRequest()
      const at = (hour: number) => new Date(Date.UTC(2091, 0, 1, hour))
      const save = (hour: number, ...responses: CallResponse[]) =>
        open().decisions.save({ ...decision(of, at(hour).toISOString()), responses })
      const approval = answer('a', 'done')
      await save(1, answer('a', 'done'), answer('a', 'refused'), answer('b', 'already'))
      await save(1, answer('a', 'done'), { ...approval, call: { ...approval.call, action: 'approve' } })
      await save(3, answer('a', 'done'))
      expect((await open().counts.labelled(at(1))).toSorted((a, b) => Number(a.at) - Number(b.at))).toEqual([
        { at: at(1), done: 2 },
        { at: at(3), done: 1 },
      ])
      expect(await open().counts.labelled(at(4))).toEqual([])
    })

    test('of delays are those of the decisions since a time', async () => {
      const of = mergeRequest()
      // After all that other tests save.
      const at = (second: number) => new Date(Date.UTC(2090, 0, 1, 0, 0, second)).toISOString()
      expect(await open().counts.latency(new Date(at(0)))).toEqual({ count: 0 })
      await open().decisions.save(decision(of, at(0)))
      for (const waitedMs of [500, 100, 7_200_000, 300])
        await open().decisions.save({ ...decision(of, at(1)), waitedMs })
      expect(await open().counts.latency(new Date(at(1)))).toEqual({ count: 4, p50Ms: 300, p95Ms: 7_200_000 })
    })

    test('of a project cover all stored days', async () => {
      const of = mergeRequest()
      const { project } = of
      const about = { ...event(), project }
      await open().deliveries.save(delivery({ state: 'read', mergeRequests: [of], event: about, receivedAt: ago(0) }))
      await open().deliveries.save(delivery({ state: 'no_merge_request', event: about, receivedAt: ago(2 * DAY_MS) }))
      await open().deliveries.save(delivery({ state: 'refused', event: about, receivedAt: ago(-1_000) }))
      await open().decisions.save({ ...decision(of, ago(29 * DAY_MS)), responses: [answer('a', 'done')] })
      await open().decisions.save({ ...decision(of, ago(40 * DAY_MS)), responses: [answer('a', 'done')] })
      const other = mergeRequest()
      await open().decisions.save(decision(other, ago(0)))
      expect(await open().counts.projects([project, mergeRequest().project], now)).toEqual(
        new Map([[project, { deliveries: 2, unread: 1, decisions: 1, done: 1, failed: 0, lastDelivery: ago(0) }]]),
      )
    })

    test('of a rule are how often it acted, matched and was unknown, and when it matched last', async () => {
      const of = mergeRequest()
      const verdicts = { acts: 'true', holds: 'true', asks: 'unknown', never: 'false' } as const
      await open().decisions.save(decidedBy(of, ago(DAY_MS), verdicts, { responses: [answer('acts', 'done')] }))
      await open().decisions.save(decidedBy(of, ago(5_000), { ...verdicts, holds: 'false' }))
      await open().decisions.save(decidedBy(of, ago(9_000), { acts: 'true' }))
      expect(await rulesOf(of)).toEqual({
        'f.yml#acts': { acted: 1, matched: 2, unknown: 0, lastMatched: ago(5_000) },
        'f.yml#holds': { acted: 0, matched: 1, unknown: 0, lastMatched: ago(DAY_MS) },
        'f.yml#asks': { acted: 0, matched: 0, unknown: 2 },
      })
      const long = `f.yml#${'x'.repeat(700)}`
      await open().decisions.save(decidedBy(of, ago(0), { ['x'.repeat(700)]: 'true' }))
      expect((await rulesOf(of))[ruleCountName(long)]).toMatchObject({ matched: 1 })
    })

    test('lose nothing when many processes count at once', async () => {
      const of = mergeRequest()
      const other = await openAnother()
      const decisions = Array.from({ length: 40 }, () => decidedBy(of, ago(0), { a: 'true', b: 'unknown', c: 'true' }))
      await Promise.all(decisions.map((each, n) => (n % 2 === 0 ? open() : other).decisions.save(each)))
      const matched = { acted: 0, matched: 40, unknown: 0, lastMatched: ago(0) }
      expect(await rulesOf(of)).toEqual({
        'f.yml#a': matched,
        'f.yml#b': { acted: 0, matched: 0, unknown: 40 },
        'f.yml#c': matched,
      })
    })

    test('of a decision with very many rules are of some of them', async () => {
      const of = mergeRequest()
      const names = Array.from({ length: MOST_RULES + 3 }, (_, n) => `rule ${n}`)
      await open().decisions.save(decidedBy(of, ago(0), Object.fromEntries(names.map((name) => [name, 'true']))))
      expect(Object.keys(await rulesOf(of))).toHaveLength(MOST_RULES)
    })

    test('are deleted a day after the history', async () => {
      const of = mergeRequest()
      await open().decisions.save(decidedBy(of, ago(3 * DAY_MS), { a: 'true' }))
      const brief = await openAnother({ history: DAY_MS })
      await brief.prune(new Date(ago(DAY_MS + 1)))
      expect(await rulesOf(of)).not.toEqual({})
      await brief.prune(now)
      expect(await rulesOf(of)).toEqual({})
    })
  })
}
