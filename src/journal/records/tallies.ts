// Counts for the dashboard: the flow per five minutes, and projects and rules per day. Written together with the record.

import { DAY_MS, dayOf } from '../days.ts'
import { ruleOutcomes } from '../rule-outcomes.ts'
import type { JournalStore, TallyChange } from '../stores/store.ts'
import type { DecisionRecord, DeliveryRecord, FlowCounts, Journal, ProjectCounts, RuleCounts } from '../types.ts'
import { key, msOf } from './keys.ts'

export const FLOW_BUCKET_MS = 5 * 60_000
const FLOW_KEPT_MS = 25 * 60 * 60_000
/** Upper bounds of the delay classes, in milliseconds; the last class has none. */
export const WAIT_BOUNDS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000] as const

type CountMethods = Pick<Journal, 'flowCounts' | 'projectCounts' | 'ruleCounts'>

/** Looks back as far as history is stored. */
export function countRecords(store: JournalStore, historyMs: number): CountMethods {
  /** Newest first. */
  async function days(kind: string, project: number, now: Date): Promise<Record<string, number>[]> {
    const last = dayOf(now.getTime())
    const count = Math.ceil(historyMs / DAY_MS)
    return store.tallies(Array.from({ length: count }, (_, ago) => key(kind, project, last - ago)))
  }

  return {
    async flowCounts(from, until) {
      const buckets: number[] = []
      for (let at = bucketOf(from.getTime()); at < until.getTime(); at += FLOW_BUCKET_MS) buckets.push(at)
      const found = await store.tallies(buckets.map(flowName))
      return buckets.map((at, n): FlowCounts => {
        const { [n]: tally = {} } = found
        const { deliveries = 0, unread = 0, decisions = 0, done = 0, failed = 0 } = tally
        const waited = [...WAIT_BOUNDS_MS, 'more'].map((bound) => tally[`waited ${bound}`] ?? 0)
        return { at: new Date(at).toISOString(), deliveries, unread, decisions, done, failed, waited }
      })
    },

    async projectCounts(project, now) {
      const all: ProjectCounts = { deliveries: 0, unread: 0, decisions: 0, done: 0, failed: 0 }
      for (const { last, ...day } of await days('project tally', project, now)) {
        if (all.lastDelivery === undefined && last !== undefined) all.lastDelivery = new Date(last).toISOString()
        for (const field of ['deliveries', 'unread', 'decisions', 'done', 'failed'] as const)
          all[field] += day[field] ?? 0
      }
      return all
    },

    async ruleCounts(project, now) {
      const all = new Map<string, RuleCounts>()
      for (const day of await days('rule tally', project, now))
        for (const [field, number] of Object.entries(day)) {
          const [what, name] = JSON.parse(field) as [keyof RuleCounts, string]
          const rule = all.get(name) ?? { acted: 0, matched: 0, unknown: 0 }
          if (what === 'lastMatched') rule.lastMatched ??= new Date(number).toISOString()
          else rule[what] += number
          all.set(name, rule)
        }
      return all
    },
  }
}

/** The key of a rule in `ruleCounts`, from `<file>#<rule name>`. */
export const ruleCountName = (rule: string): string => (JSON.parse(key('', rule)) as [string, string])[1]

export function countsOfDecision(record: DecisionRecord, historyMs: number): TallyChange[] {
  const { mergeRequest: of, responses, waitedMs } = record
  const at = msOf(record.at)
  const done = responses.filter(({ result }) => result === 'done' || result === 'already').length
  const failed = responses.filter(({ result }) => result === 'refused' || result === 'ambiguous').length
  const numbers = { decisions: 1, ...(done === 0 ? {} : { done }), ...(failed === 0 ? {} : { failed }) }
  const bound = waitedMs === undefined ? undefined : (WAIT_BOUNDS_MS.find((each) => waitedMs <= each) ?? 'more')
  const flow = { ...numbers, ...(bound === undefined ? {} : { [`waited ${bound}`]: 1 }) }
  const keepMs = historyMs + DAY_MS
  const rules: Record<string, number> = {}
  const lastMatched: Record<string, number> = {}
  for (const { rule, outcome } of ruleOutcomes(record)) {
    if (outcome === 'false') continue
    const field = key(outcome, rule)
    rules[field] = (rules[field] ?? 0) + 1
    if (outcome !== 'unknown') lastMatched[key('lastMatched', rule)] = at
  }
  const ruleTally = key('rule tally', of.project, dayOf(at))
  return [
    ...changesOf(flowName(at), at, 'add', flow, FLOW_KEPT_MS),
    ...changesOf(key('project tally', of.project, dayOf(at)), at, 'add', numbers, keepMs),
    ...changesOf(ruleTally, at, 'add', rules, keepMs),
    ...changesOf(ruleTally, at, 'raise', lastMatched, keepMs),
  ]
}

/** Counted when it is read, and again when a replay reads it. */
export function countsOfDelivery(record: Omit<DeliveryRecord, 'replays'>, historyMs: number): TallyChange[] {
  const { state, event, mergeRequests, receivedAt } = record
  if (state === 'received') return []
  const at = msOf(receivedAt)
  const numbers = { deliveries: 1, ...(state === 'unreadable' || state === 'refused' ? { unread: 1 } : {}) }
  const projects = new Set(
    [event?.project, ...mergeRequests.map(({ project }) => project)].filter((each) => each !== undefined),
  )
  const keepMs = historyMs + DAY_MS
  return [
    ...changesOf(flowName(at), at, 'add', numbers, FLOW_KEPT_MS),
    // A refused delivery must not count for the project that it names.
    ...[...projects].flatMap((project) => {
      const tally = key('project tally', project, dayOf(at))
      return state === 'refused'
        ? changesOf(tally, at, 'add', { unread: 1 }, keepMs)
        : [...changesOf(tally, at, 'add', numbers, keepMs), ...changesOf(tally, at, 'raise', { last: at }, keepMs)]
    }),
  ]
}

function changesOf(
  tally: string,
  at: number,
  how: TallyChange['how'],
  numbers: Record<string, number>,
  keepMs: number,
): TallyChange[] {
  return Object.entries(numbers).map(([field, number]) => ({ tally, at, field, how, number, keepMs }))
}

const bucketOf = (at: number) => Math.floor(at / FLOW_BUCKET_MS) * FLOW_BUCKET_MS
const flowName = (at: number) => key('flow', bucketOf(at))
