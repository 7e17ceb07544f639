// A Redis that cannot be used: one line that says why, and never the password.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { QueueMisconfigured, QueueUnavailable } from '../../../src/queue/errors.ts'
import { openQueues } from '../../../src/queue/open-queue.ts'
import { bellhop } from '../../cli/run-here.ts'
import { hasOpenssl, makeAuthority, type OwnAuthority } from '../../servers/own-authority.ts'
import { startRedisSentinels, type TestSentinels } from '../../servers/redis-sentinels.ts'
import { freePort, hasRedisServer, startRedis, type TestRedis } from '../../servers/redis-server.ts'
import { MASTER_NAME } from '../../servers/sentinel-server.ts'

const PASSWORD = 'the-right-one'
/** In each URL below. */
const WRONG = 'hunter2%40'

async function refusal(url: string): Promise<Error> {
  const error = await openQueues({ url }).then(
    async (queues) => {
      await queues.close()
      throw new Error(`${url} was opened`)
    },
    (thrown: Error) => thrown,
  )
  const said = JSON.stringify([error, error.cause], Object.getOwnPropertyNames(error))
  expect(said).not.toMatch(/hunter2|the-right-one/)
  expect(error.message).not.toContain('\n')
  return error
}

describe.skipIf(!hasRedisServer())('a Redis that cannot be used', () => {
  let server: TestRedis
  let sentinels: TestSentinels
  beforeAll(async () => {
    const protectedBy: [string, string][] = [
      ['requirepass', PASSWORD],
      ['masterauth', PASSWORD],
    ]
    const watch = [`sentinel auth-pass ${MASTER_NAME} ${PASSWORD}`, `requirepass ${PASSWORD}`]
    ;[server, sentinels] = await Promise.all([startRedis(protectedBy), startRedisSentinels(protectedBy, watch)])
  })
  afterAll(async () => {
    await Promise.all([server?.stop(), sentinels?.stop()])
  })

  const withUser = (url: string, password: string) => url.replace('://', `://:${password}@`)

  test('is used with the right passwords', async () => {
    const watched = `${withUser(sentinels.url, PASSWORD)}?sentinelPassword=${PASSWORD}`
    for (const url of [withUser(server.url, PASSWORD), watched]) {
      const queues = await openQueues({ url })
      const queue = queues.queue<number>('passwords')
      await queue.add({ id: 'one', data: 1 })
      expect((await queue.get('one'))?.data).toBe(1)
      expect((await queues.space()).memory?.used).toBeGreaterThan(0)
      await queues.close()
    }
  })

  test('has another password, or needs one', async () => {
    const wrong = await refusal(withUser(server.url, WRONG))
    expect(wrong.message).toMatch(/^The Redis at redis.* cannot be used: WRONGPASS/)
    expect((await refusal(server.url)).message).toMatch(/cannot be used: NOAUTH/)
    const of = (password: string, sentinelPassword: string) =>
      refusal(`${withUser(sentinels.url, password)}?sentinelPassword=${sentinelPassword}`)
    expect((await of(WRONG, PASSWORD)).message).toMatch(/cannot be used: WRONGPASS/)
    expect((await of(PASSWORD, WRONG)).message).toMatch(/cannot be used: .*sentinel.* (WRONGPASS|NOAUTH)/)
  })

  test('has no master of that name', async () => {
    const url = `${withUser(sentinels.url, WRONG)}2?sentinelPassword=${PASSWORD}`
    expect((await refusal(url)).message).toMatch(/cannot be used: its Sentinels know no master of the name "main2"\.$/)
  })

  test('is of another kind than the URL says', async () => {
    const sentinel = await refusal(`redis://:${PASSWORD}@127.0.0.1:${sentinels.ports[0]}`)
    expect(sentinel.message).toMatch(/is a Sentinel: write redis\+sentinel:/)
    const node = await startRedis([
      ['cluster-enabled', 'yes'],
      ['cluster-port', String(await freePort())],
    ])
    const refused = await refusal(node.url)
    await node.stop()
    expect([sentinel, refused]).toEqual([expect.any(QueueMisconfigured), expect.any(QueueMisconfigured)])
    expect(refused.message).toMatch(/is a node of a Redis Cluster: give Bellhop one server/)
  })

  test('does not answer', async () => {
    const port = await freePort()
    for (const url of [
      `redis://:${WRONG}@127.0.0.1:${port}`,
      `redis+sentinel://:${WRONG}@127.0.0.1:${port},localhost:${port}/${MASTER_NAME}`,
    ]) {
      const error = await refusal(url)
      expect(error).toBeInstanceOf(QueueUnavailable)
      expect(error.message).toMatch(new RegExp(`^The Redis at redis.*:${port}.* cannot be used: .*ECONNREFUSED`))
    }
  })
})

describe.skipIf(!hasRedisServer() || !hasOpenssl)('a Redis with a certificate of one’s own authority', () => {
  let own: OwnAuthority
  let server: TestRedis
  let tls: number
  beforeAll(async () => {
    own = makeAuthority()
    const key = join(own.folder, 'key.pem')
    tls = await freePort()
    server = await startRedis([
      ['tls-port', String(tls)],
      ['tls-cert-file', join(own.folder, 'cert.pem')],
      ['tls-key-file', key],
      ['tls-ca-cert-file', own.caFile],
      ['tls-auth-clients', 'no'],
    ])
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(own.folder, { recursive: true, force: true })
  })

  test('is used with NODE_EXTRA_CA_CERTS, and refused without', async () => {
    const url = `rediss://127.0.0.1:${tls}`
    expect((await run('doctor', url)).out).toMatch(/cannot be used: .*certificate/)
    expect((await run('doctor', url, { NODE_EXTRA_CA_CERTS: own.caFile })).out).toMatch(/Redis [\d.]+ answers/)
  })

  test.each([
    // As after every wrong setting.
    [2, `redis+sentinel://:${WRONG}@127.0.0.1:9`],
    [2, `redis+cluster://:${WRONG}@127.0.0.1:9,127.0.0.1:10`],
    [1, `redis+sentinel://:${WRONG}@127.0.0.1:9,127.0.0.1:10/main`],
  ])('bellhop serve ends with exit code %i and one line where it is to use %s', async (expected, url) => {
    const { code, out, err } = await run('serve', url)
    expect([code, out]).toEqual([expected, ''])
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toMatch(
      /cannot be used: .*ECONNREFUSED|expected (embedded:DIR, redis:.* or postgres:|redis\+sentinel:)/,
    )
    expect(err).not.toContain('hunter2')
  })
})

function run(command: string, url: string, environment: Record<string, string> = {}) {
  return bellhop([command], {
    BELLHOP_SERVICE_URL: 'http://127.0.0.1:9',
    BELLHOP_SERVICE_TOKEN: 'token',
    BELLHOP_HOOK_SECRET: 'secret',
    BELLHOP_QUEUE_URL: url,
    BELLHOP_LOG_LEVEL: 'error',
    ...environment,
  })
}
