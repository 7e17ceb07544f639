// The Kubernetes manifests: their schemas, and what no schema covers: names of settings, ports, probes, users, time to
// stop, the metric that scales.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1'
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Secret, Service, ServiceAccount } from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'
import { readExposition } from '../admin/metrics/exposition.ts'
import { builtCommand } from '../built-command.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { prepareQueue } from '../prepared-database.ts'
import { startProgram } from '../system/process.ts'
import { said } from './dockerfile.ts'
import { typeErrorsOf } from './manifest-types.ts'
import { configOf, image, port, root, stopSeconds, text, unknownIn, version } from './settings-and-image.ts'

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

  test('have no key that Kubernetes does not have', () => {
    expect(typeErrorsOf(documents)).toEqual([])
  })

  test.each([
    ['Deployment', 'topologySpreadConstraints', 'topologySpreadConstrants'],
    ['PodDisruptionBudget', 'minAvailable', 'minAvailabel'],
    ['ScaledObject', 'stabilizationWindowSeconds', 'stabilisationWindowSeconds'],
  ])('a misspelt key of a %s is found: %s', (kind, key, misspelt) => {
    const [document] = documents.filter((each) => each.kind === kind)
    const changed = JSON.parse(JSON.stringify(document).replace(`"${key}"`, `"${misspelt}"`))
    expect(typeErrorsOf([changed]).join()).toContain(`'"${misspelt}"' does not exist`)
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

  test('with a Redis of your own: what is commented out fits together', () => {
    const uncommented = (path: string) =>
      parseAllDocuments(text(folder + path).replaceAll(/^( +)# (?=\S+: \S+$)/gm, '$1'))
    const [, settings] = uncommented('settings.yaml').map((document) => document.toJS())
    const [secret] = uncommented('examples/secret.yaml').map((document) => document.toJS())
    const { BELLHOP_QUEUE_URL: _, ...data } = settings.data
    const paths = Object.values<string>(data).filter((value) => value.startsWith('/run/secrets/bellhop/'))
    expect(paths.map((path) => path.split('/').at(-1)).sort()).toEqual(Object.keys(secret.stringData).sort())
    const own = {
      BELLHOP_QUEUE_URL: secret.stringData['queue-url'],
      BELLHOP_JOURNAL_URL: secret.stringData['journal-url'],
    }
    const { queueUrl, journalUrl } = configOf({
      ...Object.fromEntries(Object.entries<string>(data).filter(([name]) => !/(QUEUE|JOURNAL)_URL_FILE$/.test(name))),
      ...own,
    })
    expect([queueUrl, journalUrl]).toEqual([own.BELLHOP_QUEUE_URL, own.BELLHOP_JOURNAL_URL])
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
      const path = role === 'receiver' ? '/readyz/deliveries' : '/readyz'
      expect(container.readinessProbe.httpGet).toEqual({ path, port: 'http' })
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

  test.each([
    ['bellhop', 'receiver'],
    ['bellhop-admin', 'worker'],
  ])('the Service %s leads to each %s', (service, role) => {
    const labels = named('Deployment', `bellhop-${role}`).spec.template.metadata.labels
    expect(named('Service', service).spec.selector).toEqual(labels)
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
  const [scraping, hpa, adapter] = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, fence = '']) => parse(fence))

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
    expect(metadata.query).toMatch(/^sum\(max by \(queue\) \(/)
  })

  test('the pods that Prometheus scrapes are those of the Deployments, at their port', () => {
    const [job] = scraping.scrape_configs
    const [{ selectors }] = job.kubernetes_sd_configs
    const [label = '', value] = selectors[0].label.split('=')
    for (const role of ['receiver', 'worker']) {
      const { metadata: of, spec: pod } = named('Deployment', `bellhop-${role}`).spec.template
      expect(of.labels[label]).toBe(value)
      expect(pod.containers[0].ports[0].name).toBe(job.relabel_configs[0].regex)
    }
  })

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
  const env = {
    ...{ BELLHOP_SERVICE_URL: 'http://127.0.0.1:9', BELLHOP_SERVICE_TOKEN: 't', BELLHOP_HOOK_SECRET: 'h' },
    ...{
      BELLHOP_QUEUE_URL: await prepareQueue(join(ownFolder().folder, 'queue')),
      BELLHOP_PORT: '0',
      BELLHOP_METRICS: 'open',
    },
    PATH: process.env.PATH,
  }
  const running = startProgram([process.execPath, await builtCommand(), 'serve'], { env })
  try {
    const [, url = ''] = await running.says(/^bellhop: (http:\S+)$/m)
    return readExposition(await (await fetch(`${url}/metrics`)).text())
  } finally {
    running.child.kill('SIGKILL')
    await running.ended
  }
}
