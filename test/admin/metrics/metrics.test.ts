// The metrics: in the Prometheus format, with a bounded number of labels.
import { spawnSync } from 'node:child_process'
import perfHooks from 'node:perf_hooks'
import { createMetrics, type Metrics, type Snapshot } from '../../../src/admin/metrics/metrics.ts'
import type { DecisionRecord } from '../../../src/journal/types.ts'
import type { Verdict } from '../../../src/rules/language/values/rule-types.ts'
import type { Call, RuleTrace } from '../../../src/rules/types.ts'
import { came } from '../../rules/world.ts'
import { decision, event, matchedRule } from '../../suites/journal/records.ts'
import { readExposition, sampleOf } from './exposition.ts'

const options = { version: '1.2.3', queue: 'embedded', operatorRules: ['rules/a.yml#ours'] }
const read = async (metrics: Metrics, now: Snapshot = { depth: [], state: 'fine' }) =>
  readExposition(await metrics.text(now))

const file = '.bellhop.yml'
/** A rule with its key; `name` is unique. */
const traced = (name: string, verdict: Verdict, of = file): RuleTrace => {
  const trace = matchedRule(name)
  return { ...trace, key: `${of}#${name}`, file: of, verdict }
}
const decided = (rules: RuleTrace[], given: Partial<DecisionRecord> = {}): DecisionRecord => ({
  ...{ ...decision({ project: 1, iid: 7 }, '2026-11-21T10:00:00.000Z'), rules },
  ...given,
})

describe('the text', () => {
  test('is valid, whatever the labels contain', async () => {
    const metrics = createMetrics(options)
    const name = 'hostile "rule" \\ {x="y"} \u{1F4A3} 1'
    metrics.decision(decided([traced(name, 'true')], { waitedMs: 1_500 }))
    metrics.delivery({ state: 'read', event: event('note.create"\n# TYPE x counter') })
    metrics.request({ endpoint: 'users.current', durationMs: 12, status: 200 })
    const families = await read(metrics)
    expect(families.get('bellhop_rule_decisions_total')?.labels).toEqual([
      { rule: `.bellhop.yml#${name}`, outcome: 'matched' },
    ])
    expect(families.get('bellhop_deliveries_total')?.labels).toEqual([
      { kind: 'note.create"\ufffd# TYPE x counter', result: 'read' },
    ])
    expect(families.has('process_cpu_seconds_total')).toBe(true)
  })

  const { error } = spawnSync('promtool', ['--version'])
  test.skipIf(error !== undefined)('passes promtool', async () => {
    const input = await createMetrics(options).text({ depth: [], state: 'fine' })
    expect(spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' }).stderr).toBe('')
  })

  test('needs no timer while nobody reads it', async () => {
    const monitor = vi.spyOn(perfHooks, 'monitorEventLoopDelay')
    const families = await read(createMetrics(options))
    expect(monitor.mock.calls.map(([given]) => given?.resolution)).toEqual([2 ** 31 - 1])
    const lag = [...families.keys()].filter((name) => name.includes('eventloop'))
    expect(lag).toEqual(['nodejs_eventloop_lag_seconds'])
  })

  test('has the present state of the queue, and whether it responds', async () => {
    const metrics = createMetrics(options)
    const depth = [{ queue: 'deliveries' as const, state: 'failed' as const, count: 2, ageMs: 90_000 }]
    const there = await read(metrics, { depth, state: 'rate_limited' })
    expect(there.get('bellhop_jobs')?.samples).toEqual(
      new Map([['bellhop_jobs{queue="deliveries",state="failed"}', 2]]),
    )
    expect([...(there.get('bellhop_oldest_job_age_seconds')?.samples.values() ?? [])]).toEqual([90])
    const isLimited = 'bellhop_service_condition{state="rate_limited"}'
    expect(sampleOf(there, isLimited)).toBe(1)
    const away = await read(metrics, { depth: undefined, state: 'fine' })
    expect([sampleOf(away, 'bellhop_queue_up'), away.get('bellhop_jobs')?.samples.size]).toEqual([0, 0])
    expect(sampleOf(away, isLimited)).toBe(0)
  })
})

test('the replicas of Redis are counted, and absent where the queue is not in Redis', async () => {
  const metrics = createMetrics(options)
  const online = async (replicas?: number) =>
    sampleOf(await read(metrics, { depth: [], state: 'fine', replicas }), 'bellhop_redis_replicas_online')
  expect([await online(), await online(0), await online(2), await online()]).toEqual([undefined, 0, 2, undefined])
})

describe('rules', () => {
  test('each evaluation counts once, by outcome', async () => {
    const metrics = createMetrics(options)
    const of = (rule: string): Pick<Call, 'to' | 'params' | 'rules'> => ({
      ...{ to: 'service', params: {}, rules: [`${file}#${rule}`] },
    })
    const label: Call = { ...of('acted'), endpoint: 'mergeRequests.update', action: 'label' }
    const accept: Call = { ...of('moved'), endpoint: 'mergeRequests.accept', action: 'accept' }
    const matched = ['acted', 'moved', 'matched'].map((name) => traced(name, 'true'))
    const responses = [came(label), came(accept, 'moved')]
    metrics.decision(decided([...matched, traced('u', 'unknown'), traced('f', 'false')], { responses }))
    const families = await read(metrics)
    const counted = families
      .get('bellhop_rule_decisions_total')
      ?.labels.map(({ rule, outcome }) => [rule?.split('#')[1], outcome])
    expect(counted).toEqual([
      ['acted', 'acted'],
      ['moved', 'matched'],
      ['matched', 'matched'],
      ['u', 'unknown'],
      ['f', 'false'],
    ])
    expect(families.get('bellhop_actions_total')?.labels.map(({ action, result }) => [action, result])).toEqual([
      ['label', 'done'],
      ['accept', 'moved'],
    ])
  })

  test('a repository with a thousand rules gets thirty labels; the operator’s rules have their own', async () => {
    const metrics = createMetrics(options)
    const hostile = Array.from({ length: 1_000 }, (_, n) => traced(`rule ${n}`, 'false'))
    metrics.decision(decided([...hostile, traced('ours', 'false', 'rules/a.yml')]))
    const families = await read(metrics)
    expect(families.get('bellhop_rule_decisions_total')?.samples.size).toBe(32)
    const counted = (rule: string) => sampleOf(families, `bellhop_rule_decisions_total{rule="${rule}",outcome="false"}`)
    expect([counted('other'), counted('rules/a.yml#ours')]).toEqual([970, 1])
  })
})

test('the token’s expiry is a time, and absent where there is none', async () => {
  const metrics = createMetrics(options)
  const { tokenExpires } = metrics
  const expiry = async () => sampleOf(await read(metrics), 'bellhop_service_token_expiry_timestamp_seconds')
  expect(await expiry()).toBeUndefined()
  tokenExpires(1_700_000_000_000)
  expect(await expiry()).toBe(1_700_000_000)
  tokenExpires(undefined)
  expect(await expiry()).toBeUndefined()
})

test('sweeps, rule files and limits are counted by outcome', async () => {
  const metrics = createMetrics(options)
  expect((await read(metrics)).get('bellhop_rate_limit_remaining')?.samples.size).toBe(0)
  const enqueued = [{ iid: 1, why: 'changed' as const }]
  metrics.sweep({
    ...{ why: 'schedule', failed: false, left: 1 },
    projects: [
      { project: 1, looked: 3, enqueued, left: false },
      { project: 2, looked: 0, enqueued: [], left: false, failed: '403' },
      { project: 3, looked: 2, enqueued: [], left: true },
    ],
  })
  for (const record of [
    { blob: 'a', problems: [] },
    { blob: null, problems: [] },
    { blob: 'b', problems: ['wrong'] },
  ])
    metrics.ruleFile(record)
  metrics.limits({ remaining: 17, resetAt: 1_700_000_000_400 })
  const families = await read(metrics)
  const of = (series: string) => sampleOf(families, `bellhop_${series}`)
  const results = (name: string, ...all: string[]) => all.map((result) => of(`${name}{result="${result}"}`))
  expect(results('sweep_projects_total', 'failed', 'left', 'swept')).toEqual([1, 1, 1])
  expect(results('sweep_merge_requests_total', 'checked', 'enqueued')).toEqual([5, 1])
  expect(results('rule_files_read_total', 'good', 'absent', 'broken')).toEqual([1, 1, 1])
  expect([of('rate_limit_remaining'), of('rate_limit_reset_timestamp_seconds')]).toEqual([17, 1_700_000_000])
})
