// What the journal counts for the desk: what happened within five minutes, in a project within a day, and how often its rules held. Written with the record itself.
import { DAY_MS } from './keeping.ts'
import { key } from './keys.ts'
import { ruleOutcomes } from './rule-outcomes.ts'
import type { JournalStore, Tallied } from './store.ts'
import type { DecisionRecord, DeliveryRecord, FlowTally, Journal, ProjectTally, RuleTally } from './types.ts'

export const FLOW_BUCKET_MS = 5 * 60_000
/** Overviews look back a day. */
const FLOW_KEPT_MS = 25 * 60 * 60_000
/** Upper ends of the stretches that waits are counted in, in milliseconds; the last has no end. */
export const WAIT_BOUNDS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000] as const

type Part = Pick<Journal, 'flow' | 'projectTally' | 'ruleTallies'>

/** The journal's methods for tallies, which look back as far as the history is kept. */
export function tallyRecords(store: JournalStore, historyMs: number): Part {
  /** All days that are kept, newest first. */
  async function days(kind: string, service: string, project: number, now: Date): Promise<Record<string, number>[]> {
    const last = dayOf(now.getTime())
    const count = Math.ceil(historyMs / DAY_MS)
    return store.tallies(Array.from({ length: count }, (_, ago) => key(kind, service, project, last - ago)))
  }

  return {
    async flow(service, from, until) {
      const buckets: number[] = []
      for (let at = bucketOf(from.getTime()); at < until.getTime(); at += FLOW_BUCKET_MS) buckets.push(at)
      const found = await store.tallies(buckets.map((at) => flowName(service, at)))
      return buckets.map((at, n): FlowTally => {
        const { [n]: tally = {} } = found
        const { deliveries = 0, unread = 0, decisions = 0, done = 0, failed = 0 } = tally
        const waited = [...WAIT_BOUNDS_MS, 'more'].map((bound) => tally[`waited ${bound}`] ?? 0)
        return { at: new Date(at).toISOString(), deliveries, unread, decisions, done, failed, waited }
      })
    },

    async projectTally(service, project, now) {
      const all: ProjectTally = { deliveries: 0, unread: 0, decisions: 0, done: 0, failed: 0 }
      for (const { last, ...day } of await days('project tally', service, project, now)) {
        if (all.lastDelivery === undefined && last !== undefined) all.lastDelivery = new Date(last).toISOString()
        for (const field of ['deliveries', 'unread', 'decisions', 'done', 'failed'] as const) all[field] += day[field] ?? 0
      }
      return all
    },

    async ruleTallies(service, project, now) {
      const all = new Map<string, RuleTally>()
      for (const day of await days('rule tally', service, project, now))
        for (const [field, number] of Object.entries(day)) {
          const [what, name] = JSON.parse(field) as [keyof RuleTally, string]
          const rule = all.get(name) ?? { acted: 0, held: 0, unknown: 0 }
          if (what === 'lastHeld') rule.lastHeld ??= new Date(number).toISOString()
          else rule[what] += number
          all.set(name, rule)
        }
      return all
    },
  }
}

/** How a rule is named in `ruleTallies`, by its `<file>#<rule name>`. */
export const ruleTallyName = (rule: string): string => (JSON.parse(key('', rule)) as [string, string])[1]

/** What a decision adds. */
export function countsOfDecision(record: DecisionRecord, historyMs: number): Tallied[] {
  const { mergeRequest: of, answers, waitedMs } = record
  const at = Date.parse(record.at)
  const done = answers.filter(({ result }) => result === 'done' || result === 'already').length
  const failed = answers.filter(({ result }) => result === 'refused' || result === 'ambiguous').length
  const numbers = { decisions: 1, ...(done === 0 ? {} : { done }), ...(failed === 0 ? {} : { failed }) }
  const bound = waitedMs === undefined ? undefined : (WAIT_BOUNDS_MS.find((each) => waitedMs <= each) ?? 'more')
  const flow = { ...numbers, ...(bound === undefined ? {} : { [`waited ${bound}`]: 1 }) }
  const keepMs = historyMs + DAY_MS
  const rules: Record<string, number> = {}
  const held: Record<string, number> = {}
  for (const { rule, outcome } of ruleOutcomes(record)) {
    if (outcome === 'false') continue
    const field = key(outcome, rule)
    rules[field] = (rules[field] ?? 0) + 1
    if (outcome !== 'unknown') held[key('lastHeld', rule)] = at
  }
  const ruleTally = key('rule tally', of.service, of.project, dayOf(at))
  return [
    ...tallied(flowName(of.service, at), 'add', flow, FLOW_KEPT_MS),
    ...tallied(key('project tally', of.service, of.project, dayOf(at)), 'add', numbers, keepMs),
    ...tallied(ruleTally, 'add', rules, keepMs),
    ...tallied(ruleTally, 'raise', held, keepMs),
  ]
}

/** What a delivery adds once it was read; again where a replay reads it again. */
export function countsOfDelivery(record: Omit<DeliveryRecord, 'replays'>, historyMs: number): Tallied[] {
  const { service, state, event, mergeRequests, receivedAt } = record
  if (state === 'received') return []
  const at = Date.parse(receivedAt)
  const numbers = { deliveries: 1, ...(state === 'unreadable' || state === 'refused' ? { unread: 1 } : {}) }
  const projects = new Set([event?.project, ...mergeRequests.map(({ project }) => project)].filter((each) => each !== undefined))
  const keepMs = historyMs + DAY_MS
  return [
    ...tallied(flowName(service, at), 'add', numbers, FLOW_KEPT_MS),
    // What was refused is about a project that its sender has no say about.
    ...[...projects].flatMap((project) => {
      const tally = key('project tally', service, project, dayOf(at))
      return state === 'refused'
        ? tallied(tally, 'add', { unread: 1 }, keepMs)
        : [...tallied(tally, 'add', numbers, keepMs), ...tallied(tally, 'raise', { last: at }, keepMs)]
    }),
  ]
}

function tallied(tally: string, how: Tallied['how'], numbers: Record<string, number>, keepMs: number): Tallied[] {
  return Object.entries(numbers).map(([field, number]) => ({ tally, field, how, number, keepMs }))
}

const dayOf = (at: number) => Math.floor(at / DAY_MS)
const bucketOf = (at: number) => Math.floor(at / FLOW_BUCKET_MS) * FLOW_BUCKET_MS
const flowName = (service: string, at: number) => key('flow', service, bucketOf(at))
