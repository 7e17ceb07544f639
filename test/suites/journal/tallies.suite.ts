// The counts for the dashboard: exact under concurrency, and bounded.
import { describe, expect, test } from 'vitest'
import type { RetentionPolicy } from '../../../src/journal/records/retention.ts'
import { ruleCountName } from '../../../src/journal/records/tallies.ts'
import { MOST_IN_TALLY } from '../../../src/journal/stores/store.ts'
import type { DecisionRecord, Journal } from '../../../src/journal/types.ts'
import type { Call, CallResponse, Verdict } from '../../../src/rules/types.ts'
import { DAY_MS, decision, delivery, event, matchedRule, mergeRequest } from './records.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
function answer(rule: string, result: CallResponse['result']): CallResponse {
  const call: Call = { endpoint: 'mergeRequests.update', params: {}, action: 'label', rules: [`f.yml#${rule}`] }
  return { call, status: 200, result, at: ago(0), tookMs: 1 }
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

export function journalTalliesSuite(
  open: () => Journal,
  openAnother: (retention?: Partial<RetentionPolicy>) => Promise<Journal>,
): void {
  const rulesOf = async ({ project }: { project: number }) => Object.fromEntries(await open().ruleCounts(project, now))

  describe('tallies', () => {
    test('of five minutes are those of deliveries, decisions, calls and delays', async () => {
      const of = mergeRequest()
      // A time that no other test counts in.
      const until = now.getTime() - 5 * 3_600_000
      const ago = (ms: number) => new Date(until - ms).toISOString()
      const save = (at: string, given: Partial<DecisionRecord>) =>
        open().saveDecision({ ...decision(of, at), ...given })
      await save(ago(60_000), { waitedMs: 500, responses: [answer('a', 'done'), answer('a', 'refused')] })
      await save(ago(1), {
        waitedMs: 501,
        responses: [answer('a', 'already'), answer('a', 'ambiguous'), answer('a', 'moved')],
      })
      await save(ago(9 * 60_000), { waitedMs: 7_200_000 })
      for (const state of ['received', 'read', 'unreadable'] as const)
        await open().saveDelivery(delivery({ state, receivedAt: ago(120_000) }))
      const flow = await open().flowCounts(new Date(ago(10 * 60_000)), new Date(until))
      const nothing = Array(10).fill(0)
      expect(flow).toEqual([
        {
          ...{ at: '2026-11-21T06:50:00.000Z', deliveries: 0, unread: 0, decisions: 1, done: 0, failed: 0 },
          waited: nothing.with(-1, 1),
        },
        {
          ...{ at: '2026-11-21T06:55:00.000Z', deliveries: 2, unread: 1, decisions: 2, done: 2, failed: 2 },
          waited: nothing.with(0, 1).with(1, 1),
        },
      ])
    })

    test('of a project cover all stored days', async () => {
      const of = mergeRequest()
      const { project } = of
      const about = { ...event(), project }
      await open().saveDelivery(delivery({ state: 'read', mergeRequests: [of], event: about, receivedAt: ago(0) }))
      await open().saveDelivery(delivery({ state: 'no_merge_request', event: about, receivedAt: ago(2 * DAY_MS) }))
      await open().saveDelivery(delivery({ state: 'refused', event: about, receivedAt: ago(-1_000) }))
      await open().saveDecision({ ...decision(of, ago(29 * DAY_MS)), responses: [answer('a', 'done')] })
      await open().saveDecision({ ...decision(of, ago(40 * DAY_MS)), responses: [answer('a', 'done')] })
      expect(await open().projectCounts(project, now)).toEqual({
        ...{ deliveries: 2, unread: 1, decisions: 1, done: 1, failed: 0, lastDelivery: ago(0) },
      })
      const other = mergeRequest()
      expect(await open().projectCounts(other.project, now)).toEqual({
        deliveries: 0,
        unread: 0,
        decisions: 0,
        done: 0,
        failed: 0,
      })
    })

    test('of a rule are how often it acted, matched and was unknown, and when it matched last', async () => {
      const of = mergeRequest()
      const verdicts = { acts: 'true', holds: 'true', asks: 'unknown', never: 'false' } as const
      await open().saveDecision(decidedBy(of, ago(DAY_MS), verdicts, { responses: [answer('acts', 'done')] }))
      await open().saveDecision(decidedBy(of, ago(5_000), { ...verdicts, holds: 'false' }))
      await open().saveDecision(decidedBy(of, ago(9_000), { acts: 'true' }))
      expect(await rulesOf(of)).toEqual({
        'f.yml#acts': { acted: 1, matched: 2, unknown: 0, lastMatched: ago(5_000) },
        'f.yml#holds': { acted: 0, matched: 1, unknown: 0, lastMatched: ago(DAY_MS) },
        'f.yml#asks': { acted: 0, matched: 0, unknown: 2 },
      })
      const long = `f.yml#${'x'.repeat(400)}`
      await open().saveDecision(decidedBy(of, ago(0), { ['x'.repeat(400)]: 'true' }))
      expect((await rulesOf(of))[ruleCountName(long)]).toMatchObject({ matched: 1 })
    })

    test('lose nothing when many processes count at once', async () => {
      const of = mergeRequest()
      const other = await openAnother()
      const decisions = Array.from({ length: 40 }, () => decidedBy(of, ago(0), { a: 'true', b: 'unknown', c: 'true' }))
      await Promise.all(decisions.map((each, n) => (n % 2 === 0 ? open() : other).saveDecision(each)))
      const matched = { acted: 0, matched: 40, unknown: 0, lastMatched: ago(0) }
      expect(await rulesOf(of)).toEqual({
        'f.yml#a': matched,
        'f.yml#b': { acted: 0, matched: 0, unknown: 40 },
        'f.yml#c': matched,
      })
    })

    test('of a project with ever new rules are bounded, and known rules are counted on', async () => {
      const of = mergeRequest()
      const save = (from: number, count: number) => {
        const names = Array.from({ length: count }, (_, n) => `rule ${from + n}`)
        return open().saveDecision(decidedBy(of, ago(0), Object.fromEntries(names.map((name) => [name, 'true']))))
      }
      // Two fields for each rule.
      await save(0, MOST_IN_TALLY / 2)
      await save(MOST_IN_TALLY / 2, 3)
      await save(0, 1)
      const rules = await rulesOf(of)
      expect(Object.keys(rules)).toHaveLength(MOST_IN_TALLY / 2)
      expect(rules['f.yml#rule 0']).toMatchObject({ matched: 2 })
    })

    test('are deleted a day after the history', async () => {
      const of = mergeRequest()
      const short = await openAnother({ history: -DAY_MS })
      await short.saveDecision(decidedBy(of, ago(0), { a: 'true' }))
      expect(await rulesOf(of)).toEqual({})
    })
  })
}
