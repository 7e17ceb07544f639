// The Prometheus metrics of this process; docs/metrics.md is generated from them.
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { DecisionRecord, DeliveryRecord, RuleFileRecord, SweptProject } from '../../journal/types.ts'
import { ruleOutcomes } from '../../rules/explain/decision-outcome.ts'
import type { Figures } from '../api/insights.ts'
import type { QueueDepth } from '../api/jobs.ts'
import { createMergeQueueMetrics, type MergeQueueTotals } from './merge-queue-metrics.ts'
import { metricFactory, put } from './metric-factory.ts'
import { createTimeFigureMetrics } from './time-figure-metrics.ts'

interface MetricsOptions {
  version: string
  /** The kind of backend. */
  queue: string
  /** The operator's rules, `<file>#<rule name>`: they always have their own labels. */
  operatorRules: readonly string[]
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

export type Metrics = ReturnType<typeof createMetrics>

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
export function createMetrics({ version, queue, operatorRules }: MetricsOptions) {
  const registry = new Registry()
  const factory = metricFactory(registry)
  const { counter, gauge, histogram } = factory

  const build = gauge(
    'build_info',
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
  // Gauges with the name of a counter.
  for (const part of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${part}_total`)
  const queueUp = gauge('queue_up', '1 while the queue responds, else 0.')
  const replicasOnline = gauge(
    'redis_replicas_online',
    'Replicas of Redis that are online; absent where the queue is not in Redis.',
  )

  const answers = counter('hook_answers_total', 'Responses to web hooks, by HTTP status.', 'status')
  const deliveries = counter('deliveries_total', 'Processed deliveries, by kind of event and state.', 'kind', 'result')
  const evaluation = histogram('evaluation_seconds', 'Duration of a decision with its calls.', evaluationSeconds)
  const waited = histogram(
    'delivery_to_decision_seconds',
    'Time from the receipt of the oldest pending event to the decision.',
    waitSeconds,
  )
  const rules = counter('rule_decisions_total', 'Evaluations of rules, by outcome.', 'rule', 'outcome')
  const actions = counter('actions_total', 'Calls of decisions, by action and result.', 'action', 'result')
  const requests = counter(
    'service_requests_total',
    'Requests to the hosting service, by endpoint and HTTP status.',
    'endpoint',
    'status',
  )
  const took = histogram('service_request_seconds', 'Response time of the hosting service.', requestSeconds, 'endpoint')
  const remaining = gauge(
    'rate_limit_remaining',
    'Requests left in the rate limit of the hosting service, as last reported.',
  )
  const reset = gauge('rate_limit_reset_timestamp_seconds', 'When the rate limit resets, in seconds since 1970.')
  const tokenExpiry = gauge(
    'service_token_expiry_timestamp_seconds',
    'When the service token expires, in seconds since 1970; absent if it never does, or the service does not tell.',
  )
  // A gauge without labels begins at 0, which would mean a used-up limit and an expired token.
  for (const each of [remaining, reset, tokenExpiry]) each.remove()
  const sweeps = counter('sweeps_total', 'Finished sweeps, by trigger.', 'why', 'result')
  const swept = counter('sweep_projects_total', 'Swept projects, by result.', 'result')
  const checked = counter(
    'sweep_merge_requests_total',
    'Merge requests that sweeps checked, and that they enqueued.',
    'result',
  )
  const ruleFiles = counter('rule_files_read_total', 'Rule files read from repositories, by result.', 'result')
  const chatPosts = counter(
    'chat_posts_total',
    'Posts to the chats of the operator: sent; retried after a failed attempt; failed for good; or dropped, as too many were waiting.',
    'chat',
    'result',
  )
  const jobs = gauge('jobs', 'Jobs in the queue, of all processes.', 'queue', 'state')
  const age = gauge(
    'oldest_job_age_seconds',
    'Age of the oldest job in that state; absent if there is none.',
    'queue',
    'state',
  )
  const condition = gauge(
    'service_condition',
    '1 for the present state of the hosting service, 0 for the others.',
    'state',
  )

  const mergeQueueMetrics = createMergeQueueMetrics(factory)
  const setTimeFigures = createTimeFigureMetrics(factory)

  const ruleLabel = cappedLabels({ ...mostRules, known: operatorRules })
  const kindLabel = cappedLabels({ all: mostKinds, perProject: mostKinds, known: [] })

  return {
    registry,
    /** All metrics in the Prometheus text format, with these gauges. */
    async text({ depth, mergeQueues, times, state: present, replicas }: Snapshot) {
      put(replicasOnline, {}, replicas)
      queueUp.set(depth === undefined ? 0 : 1)
      jobs.reset()
      age.reset()
      mergeQueueMetrics.set(mergeQueues)
      setTimeFigures(times)
      for (const { queue, state, count, ageMs } of depth ?? []) {
        jobs.set({ queue, state }, count)
        if (ageMs !== undefined) age.set({ queue, state }, ageMs / 1_000)
      }
      if (present !== undefined) for (const state of serviceStates) condition.set({ state }, state === present ? 1 : 0)
      return registry.metrics()
    },
    /** A web hook got this HTTP status. */
    answered: (status: number) => answers.inc({ status }),
    chatPost: (chat: string, result: string) => chatPosts.inc({ chat, result }),
    mergeQueue: mergeQueueMetrics.count,
    delivery: ({ state, event }: Pick<DeliveryRecord, 'state' | 'event'>) =>
      deliveries.inc({ kind: event === undefined ? 'none' : kindLabel(event.kind, 0), result: state }),
    decision(record: DecisionRecord) {
      evaluation.observe(record.tookMs / 1_000)
      if (record.waitedMs !== undefined) waited.observe(record.waitedMs / 1_000)
      const { project } = record.mergeRequest
      for (const { rule, outcome } of ruleOutcomes(record))
        rules.inc({ rule: ruleLabel(rule.slice(0, longestLabel), project), outcome })
      for (const { call, result } of record.responses) actions.inc({ action: call.action, result })
    },
    /** A request to the hosting service, as the client reports it. */
    request(line: { endpoint: string; durationMs: number; status?: number; kind?: string }) {
      const { endpoint, durationMs, status, kind } = line
      requests.inc({ endpoint, status: status ?? kind ?? 'unknown' })
      took.observe({ endpoint }, durationMs / 1_000)
    },
    /** The rate limit as the service reports it. */
    limits(limits: { remaining?: number; resetAt?: number }) {
      if (limits.remaining !== undefined) remaining.set(limits.remaining)
      if (limits.resetAt !== undefined) reset.set(Math.round(limits.resetAt / 1_000))
    },
    tokenExpires: (at: number | undefined) => put(tokenExpiry, {}, at === undefined ? undefined : at / 1_000),
    sweep(sweep: { why: string; failed: boolean; projects: readonly SweptProject[]; left: number }) {
      const { why, failed, projects, left } = sweep
      sweeps.inc({ why, result: failed ? 'failed' : 'done' })
      const broken = projects.filter((each) => each.failed !== undefined).length
      swept.inc({ result: 'failed' }, broken)
      swept.inc({ result: 'left' }, left)
      swept.inc({ result: 'swept' }, projects.filter((each) => each.failed === undefined && !each.left).length)
      checked.inc({ result: 'checked' }, sum(projects.map(({ looked }) => looked)))
      checked.inc({ result: 'enqueued' }, sum(projects.map((each) => each.enqueued.length)))
    },
    ruleFile: ({ blob, problems }: Pick<RuleFileRecord, 'blob' | 'problems'>) =>
      ruleFiles.inc({ result: problems.length > 0 ? 'broken' : blob === null ? 'absent' : 'good' }),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

/**
 * Returns the label for a text of a project, without control characters: the text if it has a label or gets one, else
 * `other`. `known` texts do not count. A label lasts as long as the process, as its counter does.
 */
function cappedLabels(limits: { all: number; perProject: number; known: readonly string[] }) {
  const clean = (text: string) => text.replaceAll(/\p{Cc}/gu, '\ufffd')
  const labels = new Set(limits.known.map(clean))
  const most = labels.size + limits.all
  const byProject = new Map<number, number>()
  return (given: string, project: number): string => {
    const text = clean(given)
    if (labels.has(text)) return text
    const before = byProject.get(project) ?? 0
    if (labels.size >= most || before >= limits.perProject) return 'other'
    labels.add(text)
    byProject.set(project, before + 1)
    return text
  }
}
