// The Prometheus metrics of this process; docs/metrics.md is generated from them.
import { collectDefaultMetrics, Registry } from 'prom-client'
import { ruleOutcomes } from '../../journal/rule-outcomes.ts'
import type { DecisionRecord, DeliveryRecord, RuleFileRecord, SweptProject } from '../../journal/types.ts'
import type { MergeQueueCount } from '../../merge-queue/merge-queue-count.ts'
import type { Figures } from '../api/insights.ts'
import type { QueueDepth } from '../queue-depth.ts'
import { cappedLabels } from './capped-labels.ts'
import { createMergeQueueMetrics } from './merge-queue-metrics.ts'
import type { MergeQueueTotals } from './merge-queue-totals.ts'
import { metricFactory, put } from './metric-factory.ts'
import { createTimeFigureMetrics } from './time-figure-metrics.ts'

interface MetricsOptions {
  version: string
  /** The kind of backend. */
  queue: string
  /** The operator's rules, `<file>#<rule name>`: they always have their own labels. */
  operatorRules: readonly string[]
}

/** One request to the hosting service, as the client reports it. */
interface RequestTiming {
  endpoint: string
  durationMs: number
  status?: number
  kind?: string
}

/** The present state of the service and of the queues. What cannot be read is undefined. */
export interface Snapshot {
  depth: QueueDepth[] | undefined
  mergeQueues?: MergeQueueTotals
  times?: Figures
  /** The condition of the service. */
  state?: string
  /** How many replicas of Redis are online. */
  replicas?: number
}

export interface Metrics {
  /** All metrics in the Prometheus text format, with these gauges. */
  text(now: Snapshot): Promise<string>
  registry: Registry
  delivery(record: Pick<DeliveryRecord, 'state' | 'event'>): void
  decision(record: DecisionRecord): void
  sweep(sweep: { why: string; failed: boolean; projects: readonly SweptProject[]; left: number }): void
  ruleFile(record: Pick<RuleFileRecord, 'blob' | 'problems'>): void
  /** A web hook got this HTTP status. */
  answered(status: number): void
  request(line: RequestTiming): void
  /** The rate limit as the service reports it. */
  limits(limits: { remaining?: number; resetAt?: number }): void
  /** In milliseconds since 1970; undefined: never, or unknown. */
  tokenExpires(at: number | undefined): void
  mergeQueue(what: MergeQueueCount): void
  /** A post to a chat of the operator's. */
  chatPost(chat: string, result: string): void
}

/** The longest interval that a timer of Node has. */
const longestTimerMs = 2 ** 31 - 1
// Repositories choose the names of rules, and so could exhaust the labels.
const mostRules = { all: 300, perProject: 30 }
const mostKinds = 100
const longestLabel = 300
const serviceStates = ['fine', 'rate_limited', 'unreachable', 'token_rejected']

const evaluationSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const waitSeconds = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 21_600]
const requestSeconds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counters start at 0 with the process, in their own registry. */
export function createMetrics({ version, queue, operatorRules }: MetricsOptions): Metrics {
  const registry = new Registry()
  const factory = metricFactory(registry)
  const { counter, gauge, histogram } = factory

  const build = gauge(
    'bellhop_build_info',
    'Always 1; the labels have the versions of Bellhop and Node and the kind of queue.',
    'version',
    'node',
    'queue',
  )
  build.set({ version, node: process.version, queue }, 1)
  // The distribution of the event loop's lag takes a timer that runs 100 times a second: 1 % of a core while idle.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: longestTimerMs })
  for (const part of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`)
  const queueUp = gauge('bellhop_queue_up', '1 while the queue responds, else 0.')
  const replicasOnline = gauge(
    'bellhop_redis_replicas_online',
    'Replicas of Redis that are online; absent where the queue is not in Redis.',
  )

  const answers = counter('bellhop_hook_answers_total', 'Responses to web hooks, by HTTP status.', 'status')
  const deliveries = counter(
    'bellhop_deliveries_total',
    'Processed deliveries, by kind of event and state.',
    'kind',
    'result',
  )
  const evaluation = histogram(
    'bellhop_evaluation_seconds',
    'Duration of a decision with its calls.',
    evaluationSeconds,
  )
  const waited = histogram(
    'bellhop_delivery_to_decision_seconds',
    'Time from the receipt of the oldest pending event to the decision.',
    waitSeconds,
  )
  const rules = counter('bellhop_rule_decisions_total', 'Evaluations of rules, by outcome.', 'rule', 'outcome')
  const actions = counter('bellhop_actions_total', 'Calls of decisions, by action and result.', 'action', 'result')
  const requests = counter(
    'bellhop_service_requests_total',
    'Requests to the hosting service, by endpoint and HTTP status.',
    'endpoint',
    'status',
  )
  const took = histogram(
    'bellhop_service_request_seconds',
    'Response time of the hosting service.',
    requestSeconds,
    'endpoint',
  )
  const remaining = gauge(
    'bellhop_rate_limit_remaining',
    'Requests left in the rate limit of the hosting service, as last reported.',
  )
  const reset = gauge('bellhop_rate_limit_reset_seconds', 'When the rate limit resets, in seconds since 1970.')
  const tokenExpiry = gauge(
    'bellhop_service_token_expires_seconds',
    'When the service token expires, in seconds since 1970; absent if it never does, or the service does not tell.',
  )
  // A gauge without labels begins at 0, which would mean a used-up limit and an expired token.
  for (const each of [remaining, reset, tokenExpiry]) each.remove()
  const sweeps = counter('bellhop_sweeps_total', 'Finished sweeps, by trigger.', 'why', 'result')
  const swept = counter('bellhop_sweep_projects_total', 'Swept projects, by result.', 'result')
  const checked = counter(
    'bellhop_sweep_merge_requests_total',
    'Merge requests that sweeps checked, and that they enqueued.',
    'result',
  )
  const ruleFiles = counter('bellhop_rule_files_read_total', 'Rule files read from repositories, by result.', 'result')
  const chatPosts = counter(
    'bellhop_chat_posts_total',
    'Posts to the chats of the operator: sent; retried after a failed attempt; failed for good; or dropped, as too many were waiting.',
    'chat',
    'result',
  )
  const jobs = gauge('bellhop_jobs', 'Jobs in the queue, of all processes.', 'queue', 'state')
  const age = gauge(
    'bellhop_oldest_job_age_seconds',
    'Age of the oldest job in that state; absent if there is none.',
    'queue',
    'state',
  )
  const condition = gauge(
    'bellhop_service_condition',
    '1 for the present state of the hosting service, 0 for the others.',
    'state',
  )

  const mergeQueueMetrics = createMergeQueueMetrics(factory)
  const timeFigures = createTimeFigureMetrics(factory)

  const ruleLabels = cappedLabels({ ...mostRules, known: operatorRules })
  const kindLabels = cappedLabels({ all: mostKinds, perProject: mostKinds, known: [] })

  return {
    registry,
    async text({ depth, mergeQueues, times, state: present, replicas }) {
      put(replicasOnline, {}, replicas)
      queueUp.set(depth === undefined ? 0 : 1)
      jobs.reset()
      age.reset()
      mergeQueueMetrics.set(mergeQueues)
      timeFigures.set(times)
      for (const { queue, state, count, ageMs } of depth ?? []) {
        jobs.set({ queue, state }, count)
        if (ageMs !== undefined) age.set({ queue, state }, ageMs / 1_000)
      }
      if (present !== undefined) for (const state of serviceStates) condition.set({ state }, state === present ? 1 : 0)
      return registry.metrics()
    },
    answered: (status) => answers.inc({ status }),
    chatPost: (chat, result) => chatPosts.inc({ chat, result }),
    mergeQueue: (what) => mergeQueueMetrics.count(what),
    delivery: ({ state, event }) =>
      deliveries.inc({
        kind: event === undefined ? 'none' : kindLabels.labelFor(event.kind, 0),
        result: state,
      }),
    decision(record) {
      evaluation.observe(record.tookMs / 1_000)
      if (record.waitedMs !== undefined) waited.observe(record.waitedMs / 1_000)
      const { project } = record.mergeRequest
      for (const { rule, outcome } of ruleOutcomes(record))
        rules.inc({
          rule: ruleLabels.labelFor(rule.slice(0, longestLabel), project),
          outcome,
        })
      for (const { call, result } of record.responses) actions.inc({ action: call.action, result })
    },
    request({ endpoint, durationMs, status, kind }) {
      requests.inc({ endpoint, status: status ?? kind ?? 'unknown' })
      took.observe({ endpoint }, durationMs / 1_000)
    },
    limits(limits) {
      if (limits.remaining !== undefined) remaining.set(limits.remaining)
      if (limits.resetAt !== undefined) reset.set(Math.round(limits.resetAt / 1_000))
    },
    tokenExpires: (at) => put(tokenExpiry, {}, at === undefined ? undefined : at / 1_000),
    sweep({ why, failed, projects, left }) {
      sweeps.inc({ why, result: failed ? 'failed' : 'done' })
      const broken = projects.filter((each) => each.failed !== undefined).length
      swept.inc({ result: 'failed' }, broken)
      swept.inc({ result: 'left' }, left)
      swept.inc({ result: 'swept' }, projects.filter((each) => each.failed === undefined && !each.left).length)
      checked.inc({ result: 'checked' }, sum(projects.map(({ looked }) => looked)))
      checked.inc({ result: 'enqueued' }, sum(projects.map((each) => each.enqueued.length)))
    },
    ruleFile: ({ blob, problems }) =>
      ruleFiles.inc({ result: problems.length > 0 ? 'broken' : blob === null ? 'absent' : 'good' }),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
