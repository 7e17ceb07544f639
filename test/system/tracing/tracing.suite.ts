// One trace from a delivery to its API calls, across processes, at a real OTLP receiver. Run on each queue.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtCommand } from '../../built-command.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { eventually } from '../../eventually.ts'
import { always, type BotWorld, startBotWorld } from '../bot-world.ts'
import { type Running, root, startProgram } from '../process.ts'
import { type RelayedRequest, startRelay } from '../relay.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts'

const secret = 'hook-secret-of-the-tracing-test'
const title = 'a-title-that-nobody-else-shall-read'
/** A batch is sent at once, and an endpoint without an answer is waited for as long as a test runs. */
const patient = {
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_BSP_EXPORT_TIMEOUT: '600000',
  OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
}

/** `parts`: the processes that share the queue. */
export function tracingSuite(queueUrl: () => string | undefined, parts: readonly ('receiver' | 'worker' | '')[]): void {
  let world: BotWorld
  let command: string
  let relayed: RelayedRequest[]
  let serviceUrl: string
  let isFailing = false
  const running: Running[] = []
  beforeAll(async () => {
    const says = { rule: always, does: '{ label: { add: seen }, comment: "a-comment-that-stays-here" }' }
    world = await startBotWorld({ 'branch-1': says, 'branch-2': says, 'branch-3': says, 'branch-4': says }, queueUrl())
    const relay = await startRelay(world.sandbox.url, async (request, forward) => {
      relayed.push(request)
      if (!isFailing || !request.path.includes('/merge_requests/')) return forward()
      return { status: 500, headers: {}, body: Buffer.from(`{"message":"${title}"}`) }
    })
    serviceUrl = relay.url
    command = await builtCommand()
    return () => relay.close()
  })
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGKILL')
      await ended
    }
  })
  afterAll(() => world?.close())

  /** Starts each part; gives where deliveries go. */
  async function start(environment: Record<string, string>): Promise<string> {
    relayed = []
    const urls: string[] = []
    for (const only of parts) {
      const part = startProgram([process.execPath, command, 'serve'], {
        env: {
          ...{ BELLHOP_SERVICE_URL: serviceUrl, BELLHOP_SERVICE_TOKEN: world.options.token },
          ...{ BELLHOP_HOOK_SECRET: secret, BELLHOP_QUEUE_URL: world.options.queueUrl },
          BELLHOP_JOURNAL_URL: world.options.journalUrl,
          ...{ BELLHOP_RULES: world.options.rules, BELLHOP_PORT: '0', BELLHOP_ONLY: only },
          ...{ BELLHOP_SWEEP_EVERY: '0', BELLHOP_NEW_RULE_LIMIT: '0', PATH: process.env.PATH },
          ...environment,
        },
      })
      running.push(part)
      urls.push((await part.says(/^bellhop: (http:\S+)$/m))[1] ?? '')
    }
    return urls[0] ?? ''
  }

  const exportTo = ({ url }: OtlpReceiver) => ({ ...patient, OTEL_EXPORTER_OTLP_ENDPOINT: url })

  async function receiver(options = {}): Promise<OtlpReceiver> {
    const made = await startOtlpReceiver(options)
    onTestFinished(() => made.close())
    return made
  }

  /** One event of a merge request; gives the delivery's id. */
  async function deliver(url: string, branch: string): Promise<string> {
    const iid = world.iids.get(branch)
    const body = JSON.stringify({
      ...{ object_kind: 'merge_request', project: { id: world.project }, user: { id: 999, username: 'somebody' } },
      object_attributes: { iid, target_project_id: world.project, action: 'update', title: `${title} ${randomUUID()}` },
    })
    const headers = { 'content-type': 'application/json', 'x-gitlab-token': secret, 'idempotency-key': randomUUID() }
    const stranger = { traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01' }
    const response = await fetch(`${url}/hooks`, { method: 'POST', headers: { ...headers, ...stranger }, body })
    expect(response.status).toBe(202)
    return ((await response.json()) as { id: string }).id
  }

  const labelled = (branch: string) =>
    eventually(async () => {
      const { labels } = (
        await world.bot.mergeRequests.get({ id: world.project, merge_request_iid: world.iids.get(branch) ?? 0 })
      ).body
      expect(labels).toEqual(['seen'])
    })

  /** Ends the processes; gives what each logged. */
  async function stop(): Promise<string> {
    const all = running.splice(0)
    for (const { child } of all) child.kill('SIGTERM')
    for (const { ended } of all) expect(await ended).toEqual({ code: 0, signal: null })
    return all.map(({ stderr }) => stderr()).join('')
  }

  test('the request, its jobs, the intake, the evaluation and each call are one trace', async () => {
    const otlp = await receiver()
    const url = await start(exportTo(otlp))
    const delivery = await deliver(url, 'branch-1')
    await labelled('branch-1')
    await stop()
    const [request] = otlp.spans().filter(({ attributes }) => attributes['bellhop.delivery'] === delivery)
    const trace = otlp.spans().filter(({ traceId }) => traceId === request?.traceId)
    const chain = (span: ReceivedSpan | undefined): string[] =>
      span === undefined ? [] : [...chain(trace.find(({ spanId }) => spanId === span.parentSpanId)), span.name]
    const label = trace.find(({ attributes }) => attributes['bellhop.endpoint'] === 'mergeRequests.update')
    expect(chain(label)).toEqual([
      'POST /hooks',
      'add deliveries',
      'process deliveries',
      'intake',
      'add merge-requests',
      'process merge-requests',
      'evaluation',
      'PUT mergeRequests.update',
    ])
    expect(label).toMatchObject({
      kind: 3,
      attributes: { 'http.request.method': 'PUT', 'http.response.status_code': 200 },
    })
    expect(trace.find(({ name }) => name === 'POST /hooks')).toMatchObject({
      kind: 2,
      attributes: { 'http.route': '/hooks', 'http.response.status_code': 202, 'bellhop.delivery': delivery },
      resource: { 'service.name': 'bellhop' },
    })
    expect(trace.find(({ name }) => name === 'intake')).toMatchObject({
      attributes: {
        'bellhop.delivery': delivery,
        'bellhop.delivery.state': 'read',
        'bellhop.event': 'merge_request.update',
      },
    })
    const iid = world.iids.get('branch-1')
    expect(trace.find(({ name }) => name === 'evaluation')).toMatchObject({
      attributes: { 'bellhop.project': world.project, 'bellhop.iid': iid },
    })
    // As many as the service got, and none of them says so there.
    const calls = trace.filter(({ kind }) => kind === 3)
    expect(calls.length).toBeGreaterThan(3)
    expect(otlp.spans().filter(({ kind }) => kind === 3)).toHaveLength(relayed.length)
    expect(relayed.filter(({ headers }) => headers.traceparent !== undefined)).toEqual([])
    expect(new Set(otlp.requests().map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
  })

  test('every delivery is in the trace of an evaluation, or linked by one', async () => {
    const otlp = await receiver()
    const url = await start(exportTo(otlp))
    const deliveries = await Promise.all(Array.from({ length: 6 }, () => deliver(url, 'branch-2')))
    await eventually(() => {
      const spans = otlp.spans()
      const evaluations = spans.filter(({ name }) => name === 'evaluation')
      const reached = evaluations.flatMap(({ traceId, links }) => [traceId, ...links.map((each) => each.traceId)])
      const requests = spans.filter(({ name }) => name === 'POST /hooks')
      expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(deliveries.length)
      expect(requests.filter(({ traceId }) => !reached.includes(traceId))).toEqual([])
      // Deduplicated jobs: without links, the traces of the evaluations are too few.
      expect(evaluations.flatMap(({ links }) => links)).not.toEqual([])
    })
    await stop()
  })

  // The others do not depend on the queue, nor on how many processes there are.
  if (parts.length === 1) return

  test('the standard variables name the service and its attributes, add headers, and choose what is sampled', async () => {
    const otlp = await receiver()
    const named = {
      OTEL_SERVICE_NAME: 'bellhop-of-team-a',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    }
    const url = await start({ ...exportTo(otlp), ...named, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20the%20test' })
    await deliver(url, 'branch-1')
    await eventually(() => expect(otlp.spans().map(({ name }) => name)).toContain('evaluation'))
    expect(otlp.spans()[0]?.resource).toMatchObject({
      'service.name': 'bellhop-of-team-a',
      'deployment.environment.name': 'test',
    })
    expect(otlp.requests()[0]?.headers['api-key']).toBe('of the test')
    await stop()
    const unsampled = await receiver()
    const second = await start({
      ...exportTo(unsampled),
      ...{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
    })
    await deliver(second, 'branch-3')
    await labelled('branch-3')
    await stop()
    expect(unsampled.spans()).toEqual([])
  })

  test('no text of a person, no address, no secret and nothing of BullMQ’s own upkeep is exported', async () => {
    const otlp = await receiver()
    const url = await start(exportTo(otlp))
    await deliver(url, 'branch-1')
    await eventually(() => expect(otlp.spans().map(({ name }) => name)).toContain('evaluation'))
    expect((await fetch(`${url}/hooks`, { method: 'POST', headers: { 'x-gitlab-token': 'wrong' } })).status).toBe(401)
    await stop()
    const texts = [title, 'branch-1', 'somebody', 'alice', 'a-comment-that-stays-here', 'seen', '127.0.0.1']
    const secrets = [secret, world.options.token, 'wrong']
    expect([...texts, ...secrets].filter((text) => otlp.text().includes(text))).toEqual([])
    // What the page does not list would be new here.
    const page = readFileSync(join(root, 'docs/tracing.md'), 'utf8')
    const attributes = new Set(otlp.spans().flatMap((span) => Object.keys(span.attributes)))
    expect([...attributes].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    const known = /^(POST \/hooks|intake|evaluation|(add|process) [a-z-]+|(GET|PUT|POST) [A-Za-z.]+)$/
    expect(otlp.spans().filter(({ name }) => !known.test(name))).toEqual([])
    expect(otlp.spans().find(({ attributes }) => attributes['http.response.status_code'] === 401)).toMatchObject({
      name: 'POST /hooks',
    })
  })

  test('a call and an evaluation that fail are marked, without what the service said', async () => {
    const otlp = await receiver()
    const url = await start(exportTo(otlp))
    isFailing = true
    onTestFinished(() => {
      isFailing = false
    })
    await deliver(url, 'branch-1')
    await eventually(() => expect(otlp.spans().map(({ name }) => name)).toContain('evaluation'))
    await stop()
    const failed = otlp.spans().filter(({ status }) => status.code === 2)
    expect(failed.find(({ name }) => name === 'evaluation')?.attributes['error.type']).toBe('ServiceError')
    const calls = failed.filter(({ attributes }) => attributes['http.response.status_code'] === 500)
    expect(calls.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([0, 1, 2, 3])
    expect(otlp.text()).not.toContain(title)
    expect(otlp.spans().filter((span) => 'events' in span && String(span.events) !== '')).toEqual([])
  })

  test('without an endpoint nothing is exported, and no SDK is loaded', async () => {
    const loaded = async (environment: Record<string, string>) => {
      const coverage = ownFolder().folder
      const url = await start({ ...environment, NODE_V8_COVERAGE: coverage })
      await deliver(url, 'branch-1')
      await stop()
      const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'))
      const scripts = reports.flatMap((text) => (JSON.parse(text).result as { url: string }[]).map((each) => each.url))
      expect(scripts.some((script) => script.includes('/start-bellhop-'))).toBe(true)
      return scripts.some((script) => script.includes('/open-tracing-'))
    }
    const otlp = await receiver()
    expect(await loaded({})).toBe(false)
    expect(await loaded({ ...exportTo(otlp), OTEL_SDK_DISABLED: 'true' })).toBe(false)
    expect(await loaded({ ...exportTo(otlp), OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
    expect(otlp.requests()).toEqual([])
    expect(await loaded(exportTo(otlp))).toBe(true)
  })

  test('an endpoint that never answers delays neither the work nor the end of the process', async () => {
    const otlp = await receiver({ silent: true })
    const url = await start(exportTo(otlp))
    await deliver(url, 'branch-4')
    await labelled('branch-4')
    await eventually(() => expect(otlp.requests()).not.toEqual([]))
    await stop()
  })

  test('an endpoint where nobody listens is logged once, and harms nothing', async () => {
    const otlp = await receiver()
    otlp.close()
    const url = await start({ ...exportTo(otlp), OTEL_EXPORTER_OTLP_TIMEOUT: '500' })
    for (let n = 1; n <= 3; n++) await deliver(url, 'branch-1')
    await eventually(() =>
      expect(running.filter(({ stderr }) => stderr().includes('traces_not_exported'))).toHaveLength(parts.length),
    )
    const log = await stop()
    expect(log.match(/"traces cannot be exported"/g)).toHaveLength(parts.length)
    expect(log).toContain('"problem":"ECONNREFUSED"')
  })
}
