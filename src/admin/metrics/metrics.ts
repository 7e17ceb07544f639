// What this process counts, for GET /metrics (Prometheus): docs/operating.md has a table of it, which a test compares.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ruleOutcomes } from '../../journal/rule-outcomes.ts'
import type { DecisionRecord, DeliveryRecord, RuleFileRecord, SweptProject } from '../../journal/types.ts'
import { cappedLabels } from './capped-labels.ts'
import type { QueueDepth } from './queue-depth.ts'

export interface MetricsOptions {
  version: string
  /** The store's kind. */
  queue: string
  /** The operator's rules, `<file>#<rule name>`: these always have labels of their own. */
  operatorRules: readonly string[]
}

/** One request to the hosting service, as the client tells of it. */
interface ToldRequest {
  endpoint: string
  durationMs: number
  status?: number | undefined
  kind?: string | undefined
}

export interface Metrics {
  /** All of it in the text format of Prometheus, with these gauges as they are now. */
  text(now: ReadonlyMap<string, ServiceNow>): Promise<string>
  registry: Registry
  /** What is counted for one service, by its name in refs. */
  of(service: string): ServiceMetrics
}

/** How a service and its lanes are; `depth` undefined: the queue does not answer. */
export interface ServiceNow {
  depth: QueueDepth[] | undefined
  is: string
}

export interface ServiceMetrics {
  delivery(record: Pick<DeliveryRecord, 'state' | 'event'>): void
  decision(record: DecisionRecord): void
  sweep(sweep: { why: string; failed: boolean; projects: readonly SweptProject[]; left: number }): void
  ruleFile(record: Pick<RuleFileRecord, 'blob' | 'problems'>): void
  rulesRead(from: 'text' | 'form'): void
  /** A hook was answered. */
  answered(status: number): void
  request(line: ToldRequest): void
  /** What the service said of its rate limit. */
  limits(limits: { remaining?: number | undefined; resetAt?: number | undefined }): void
}

// Names of rules are chosen by whoever writes to a repository.
const mostRules = { all: 300, ofOne: 30 }
const mostKinds = 100
const longestLabel = 300
const conditions = ['fine', 'limited', 'away', 'token rejected']

const evaluationSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const waitSeconds = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 21_600]
const requestSeconds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counters that begin at 0 with the process, in a registry of their own. */
export function createMetrics({ version, queue, operatorRules }: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) => new Counter({ name, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) => new Gauge({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers })

  const build = gauge('bellhop_build_info', 'Always 1: which Bellhop, on which Node, with which kind of queue.', [
    'version',
    'node',
    'queue',
  ])
  build.set({ version, node: process.version, queue }, 1)
  collectDefaultMetrics({ register: registry })

  const answers = counter('bellhop_hook_answers_total', 'Web hooks that were answered, by HTTP status.', ['service', 'status'])
  const deliveries = counter('bellhop_deliveries_total', 'Deliveries that were read, by kind of event and what came of it.', [
    'service',
    'kind',
    'result',
  ])
  const evaluation = histogram('bellhop_evaluation_seconds', 'How long a decision took, its calls included.', evaluationSeconds, [
    'service',
  ])
  const waited = histogram(
    'bellhop_delivery_to_decision_seconds',
    'From the receipt of the oldest new event to the decision.',
    waitSeconds,
    ['service'],
  )
  const rules = counter('bellhop_rule_decisions_total', 'Judgements of rules, by what came of them.', ['service', 'rule', 'outcome'])
  const actions = counter('bellhop_actions_total', 'Calls of decisions, by action and what came of them.', ['service', 'action', 'result'])
  const requests = counter('bellhop_service_requests_total', 'Requests to the hosting service, by endpoint and HTTP status.', [
    'service',
    'endpoint',
    'status',
  ])
  const took = histogram('bellhop_service_request_seconds', 'How long the hosting service took to answer.', requestSeconds, [
    'service',
    'endpoint',
  ])
  const remaining = gauge('bellhop_rate_limit_remaining', 'Requests that the hosting service still allows, as it last said.', ['service'])
  const reset = gauge('bellhop_rate_limit_reset_seconds', 'When its rate limit begins anew, in seconds since 1970.', ['service'])
  const sweeps = counter('bellhop_sweeps_total', 'Sweeps that ended, by why they ran.', ['service', 'why', 'result'])
  const swept = counter('bellhop_sweep_projects_total', 'Projects of sweeps, by what came of them.', ['service', 'result'])
  const lookedAt = counter('bellhop_sweep_merge_requests_total', 'Merge requests of sweeps: looked at, and woken among them.', [
    'service',
    'result',
  ])
  const ruleFiles = counter('bellhop_rule_files_read_total', 'Rule files that were read from repositories, by what they were.', [
    'service',
    'result',
  ])
  const rulesRead = counter(
    'bellhop_rules_read_total',
    'Versions of rule files that this process had to read: their text, or what another process had read from it.',
    ['service', 'from'],
  )
  const queueUp = gauge('bellhop_queue_up', '1 while the queue answers, 0 while it does not.', [])
  const jobs = gauge('bellhop_jobs', 'Jobs in the queue, of all processes together.', ['service', 'lane', 'state'])
  const age = gauge('bellhop_oldest_job_age_seconds', 'How long ago the oldest job of that state was added; absent where there is none.', [
    'service',
    'lane',
    'state',
  ])
  const condition = gauge('bellhop_service_condition', '1 for how the hosting service is to this process, 0 for how it is not.', [
    'service',
    'is',
  ])

  const ruleLabels = cappedLabels({ ...mostRules, known: operatorRules })
  const kindLabels = cappedLabels({ all: mostKinds, ofOne: mostKinds, known: [] })

  return {
    registry,
    async text(now) {
      queueUp.set([...now.values()].every(({ depth }) => depth !== undefined) ? 1 : 0)
      jobs.reset()
      age.reset()
      for (const [service, { depth = [], is: isNow }] of now) {
        for (const { lane, state, count, ageMs } of depth) {
          jobs.set({ service, lane, state }, count)
          if (ageMs !== undefined) age.set({ service, lane, state }, ageMs / 1_000)
        }
        for (const is of conditions) condition.set({ service, is }, is === isNow ? 1 : 0)
      }
      return registry.metrics()
    },
    of: (service) => ({
      answered: (status) => answers.inc({ service, status }),
      delivery: ({ state, event }) =>
        deliveries.inc({ service, kind: event === undefined ? 'none' : kindLabels.of(event.kind, 0), result: state }),
      decision(record) {
        evaluation.observe({ service }, record.tookMs / 1_000)
        if (record.waitedMs !== undefined) waited.observe({ service }, record.waitedMs / 1_000)
        const { project } = record.mergeRequest
        for (const { rule, outcome } of ruleOutcomes(record))
          rules.inc({ service, rule: ruleLabels.of(rule.slice(0, longestLabel), `${service} ${project}`), outcome })
        for (const { call, result } of record.answers) actions.inc({ service, action: call.action, result })
      },
      request({ endpoint, durationMs, status, kind }) {
        requests.inc({ service, endpoint, status: status ?? kind ?? 'unknown' })
        took.observe({ service, endpoint }, durationMs / 1_000)
      },
      limits(limits) {
        if (limits.remaining !== undefined) remaining.set({ service }, limits.remaining)
        if (limits.resetAt !== undefined) reset.set({ service }, Math.round(limits.resetAt / 1_000))
      },
      sweep({ why, failed, projects, left }) {
        sweeps.inc({ service, why, result: failed ? 'failed' : 'done' })
        const broken = projects.filter((each) => each.failed !== undefined).length
        swept.inc({ service, result: 'failed' }, broken)
        swept.inc({ service, result: 'left' }, left)
        swept.inc({ service, result: 'swept' }, projects.filter((each) => each.failed === undefined && !each.left).length)
        lookedAt.inc({ service, result: 'looked at' }, sum(projects.map(({ looked }) => looked)))
        lookedAt.inc({ service, result: 'woken' }, sum(projects.map(({ woken }) => woken.length)))
      },
      ruleFile: ({ blob, problems }) =>
        ruleFiles.inc({ service, result: problems.length > 0 ? 'broken' : blob === null ? 'absent' : 'good' }),
      rulesRead: (from) => rulesRead.inc({ service, from }),
    }),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
