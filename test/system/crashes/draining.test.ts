// SIGTERM to a receiver behind a load balancer: /readyz fails first, and it accepts deliveries until the delay is over.
import { join } from 'node:path'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { builtCommand } from '../../built-command.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { eventually } from '../../eventually.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { hasPostgresServer, startPostgres } from '../../servers/postgres-server.ts'
import { type Running, startProgram } from '../process.ts'

const secret = 'hook-secret-of-the-draining-test'

beforeAll(async () => void (await builtCommand()))

async function serve(settings: Record<string, string>): Promise<{ running: Running; url: string; queueUrl: string }> {
  const { folder } = ownFolder()
  const queueUrl = await prepareQueue(join(folder, 'queue'))
  const env = {
    ...{ BELLHOP_SERVICE_URL: 'http://127.0.0.1:9', BELLHOP_SERVICE_TOKEN: 'token' },
    ...{ BELLHOP_HOOK_SECRET: secret, BELLHOP_QUEUE_URL: queueUrl, BELLHOP_PORT: '0', BELLHOP_SWEEP_EVERY: '0' },
    ...{ PATH: process.env.PATH, ...settings },
  }
  const running = startProgram([process.execPath, await builtCommand(), 'serve'], { env })
  onTestFinished(() => void running.child.kill('SIGKILL'))
  const [, url = ''] = await running.says(/^bellhop: (http:\S+)$/m)
  return { running, url, queueUrl }
}

/** As a load balancer does that has not looked yet: over a new connection. */
const deliver = (url: string) =>
  fetch(`${url}/hooks`, {
    method: 'POST',
    body: '{"object_kind":"issue"}',
    headers: { 'content-type': 'application/json', 'x-gitlab-token': secret, connection: 'close' },
  })

test('while it drains, /readyz fails, deliveries are accepted, and none of them is lost', async () => {
  const { running, url, queueUrl } = await serve({ BELLHOP_SHUTDOWN_DELAY: '5000' })
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  running.child.kill('SIGTERM')
  await eventually(async () => {
    const response = await fetch(`${url}/readyz`)
    expect([response.status, await response.json()]).toMatchObject([503, { failed: ['stopping'] }])
  })
  const response = await deliver(url)
  expect(response.status).toBe(202)
  const { id } = (await response.json()) as { id: string }
  expect(await running.ended).toEqual({ code: 0, signal: null })
  const queue = await openQueues({ url: queueUrl })
  onTestFinished(() => queue.close())
  expect(await queue.queue('deliveries').get(id)).toMatchObject({ id })
})

test('without the delay the process ends at once', async () => {
  const { running, url } = await serve({})
  running.child.kill('SIGTERM')
  expect(await running.ended).toEqual({ code: 0, signal: null })
  await expect(deliver(url)).rejects.toThrow()
})

test.skipIf(!hasPostgresServer())('a worker, which accepts no deliveries, does not wait', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const worker = { BELLHOP_QUEUE_URL: postgres.url, BELLHOP_ONLY: 'worker', BELLHOP_SHUTDOWN_DELAY: '99999' }
  const { running } = await serve(worker)
  running.child.kill('SIGTERM')
  expect(await running.ended).toEqual({ code: 0, signal: null })
})
