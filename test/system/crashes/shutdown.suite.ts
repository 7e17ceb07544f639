// SIGTERM under load: nothing answered 202 is lost, and running jobs are finished or released. Run on each queue.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { journalSettings } from '../../bot-journal.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { eventually } from '../../eventually.ts'
import { listening } from '../../listening.ts'
import { type Running, startCommand } from '../process.ts'

const secret = 'hook-secret-of-the-shutdown-test'
/** Where no rule could care, no merge request would be read. */
const rule =
  'version: 1\nrules:\n  - name: label all\n    if: { labels: { none: [seen] } }\n    then: { label: { add: seen } }\n'

/** Knows the bot and a project, but no merge request: says so after the delay, or never. `asked`: how often it was. */
async function slowService(saysItAfterMs: number): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const server = createServer((request, response) => {
    const ofMergeRequest = request.url?.includes('/merge_requests/') === true
    if (ofMergeRequest) asked += 1
    const known = new Map([
      ['/api/v4/user', { id: 1, username: 'bellhop' }],
      ['/api/v4/projects/7', { id: 7, default_branch: 'main' }],
    ]).get(request.url ?? '')
    const answer = () => response.writeHead(known === undefined ? 404 : 200).end(JSON.stringify(known ?? {}))
    if (!ofMergeRequest) answer()
    else if (Number.isFinite(saysItAfterMs)) setTimeout(answer, saysItAfterMs)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: await listening(server), asked: () => asked }
}

interface Load {
  acknowledged: string[]
  over: Promise<void>
}

/** Eight senders that send as fast as they are answered, until nobody answers. */
function load(url: string, mergeRequests: number): Load {
  const acknowledged: string[] = []
  let n = 0
  const send = async () => {
    for (;;) {
      n += 1
      const body = JSON.stringify({
        object_kind: 'merge_request',
        project: { id: 7 },
        object_attributes: { iid: 1 + (n % mergeRequests), target_project_id: 7, action: 'update' },
      })
      const headers = { 'content-type': 'application/json', 'x-gitlab-token': secret, 'idempotency-key': `load-${n}` }
      const response = await fetch(`${url}/hooks`, { method: 'POST', body, headers }).catch(() => undefined)
      if (response === undefined) return
      const { id } = (await response.json().catch(() => ({}))) as { id?: string }
      if (response.status === 202 && id !== undefined) acknowledged.push(id)
    }
  }
  return { acknowledged, over: Promise.all(Array.from({ length: 8 }, send)).then(() => undefined) }
}

export function shutdownSuite(queueUrl: () => string): void {
  async function serve(serviceUrl: string, shutdownTimeoutMs: number): Promise<{ running: Running; url: string }> {
    const rules = ownFolder().folder
    writeFileSync(join(rules, 'all.yml'), rule)
    const running = startCommand(['serve'], {
      BELLHOP_SERVICE_URL: serviceUrl,
      BELLHOP_SERVICE_TOKEN: 'token-of-the-shutdown-test',
      BELLHOP_HOOK_SECRET: secret,
      BELLHOP_PORT: '0',
      BELLHOP_RULES: rules,
      BELLHOP_QUEUE_URL: queueUrl(),
      ...(await journalSettings(queueUrl())),
      BELLHOP_SHUTDOWN_TIMEOUT: String(shutdownTimeoutMs),
    })
    onTestFinished(() => void running.child.kill('SIGKILL'))
    const [, url = ''] = await running.says(/bellhop: (http:\S+)/)
    return { running, url }
  }

  /** What is in the queue when the process is gone. */
  async function left(ids: readonly string[]) {
    const queue = await openQueues({ url: queueUrl() })
    const deliveries = queue.queue('deliveries')
    const found = await Promise.all(ids.map((id) => deliveries.get(id)))
    const mergeRequests = queue.queue('merge-requests')
    const counts = [await deliveries.counts(), await mergeRequests.counts()]
    const failures = [...(await deliveries.list(['failed'], 0, 1)), ...(await mergeRequests.list(['failed'], 0, 1))]
    await queue.close()
    return {
      kind: queue.kind,
      missing: found.filter((job) => job === undefined).length,
      active: counts.reduce((sum, { active }) => sum + active, 0),
      failures: failures.map(({ failure }) => failure),
      waiting: counts.reduce((sum, { waiting }) => sum + waiting, 0),
    }
  }

  test('SIGTERM under load: every 202 has its job, nothing is left running, and the process ends with 0', async () => {
    const service = await slowService(50)
    const { running, url } = await serve(service.url, 10_000)
    const { acknowledged, over } = load(url, 40)
    await eventually(() => expect([acknowledged.length > 60, service.asked() > 5]).toEqual([true, true]))
    const from = performance.now()
    running.child.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: 0, signal: null })
    const tookMs = Math.round(performance.now() - from)
    await over
    const { kind, ...rest } = await left(acknowledged)
    expect(rest).toMatchObject({ missing: 0, active: 0, failures: [] })
    // The limit for running work is ten seconds; without one, it would not end.
    expect(tookMs).toBeLessThan(60_000)
  })

  test('work that does not end within the limit is given back, and the process ends with 0', async () => {
    const service = await slowService(Number.POSITIVE_INFINITY)
    const { running, url } = await serve(service.url, 500)
    const { acknowledged, over } = load(url, 3)
    await eventually(() => expect([acknowledged.length > 3, service.asked() > 0]).toEqual([true, true]))
    running.child.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: 0, signal: null })
    await over
    const rest = await left(acknowledged)
    expect(rest).toMatchObject({ missing: 0, active: 0, failures: [] })
    expect(rest.waiting).toBeGreaterThan(0)
  })

  test('a second signal ends it at once', async () => {
    const service = await slowService(Number.POSITIVE_INFINITY)
    const { running, url } = await serve(service.url, 600_000)
    const { over } = load(url, 3)
    await eventually(() => expect(service.asked()).toBeGreaterThan(0))
    running.child.kill('SIGTERM')
    await eventually(() => expect(running.stderr()).toContain('"event":"stopping"'))
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(130)
    await over
  })
}
