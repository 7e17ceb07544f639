// `bellhop serve` with unusable settings: one line with the remedy, and exit code 1.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { listening } from '../../listening.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere } from '../run-here.ts'

const { folder, write } = ownFolder()

/** The last line is the command's own; those before it are the log's. */
async function refused(settings: Record<string, string>) {
  const { code, out, err } = await bellhopHere(['serve'], {
    BELLHOP_SERVICE_URL: 'http://127.0.0.1:1',
    BELLHOP_SERVICE_TOKEN: 'token',
    BELLHOP_HOOK_SECRET: 'hook',
    BELLHOP_PORT: '0',
    ...settings,
  })
  const own = err.split('\n').filter((line) => line.startsWith('bellhop: '))
  return { code, out, own, hasStack: /^\s+at /m.test(err) }
}

const oneLine = (message: RegExp) => ({ code: 1, out: '', own: [expect.stringMatching(message)], hasStack: false })

test.each([
  [
    'in Redis',
    { BELLHOP_JOURNAL_URL: 'redis://user:secret@h:6379' },
    /BELLHOP_JOURNAL_URL: a journal is not stored in Redis/,
  ],
  ['beside an embedded queue', { BELLHOP_JOURNAL_URL: 'embedded:x' }, /BELLHOP_JOURNAL_URL needs a queue in Redis/],
  [
    'that workers cannot share',
    { BELLHOP_QUEUE_URL: 'redis://h', BELLHOP_ONLY: 'worker' },
    /BELLHOP_ONLY: .* an embedded journal.* BELLHOP_JOURNAL_URL to postgres/,
  ],
])('a journal %s', async (_what, settings, message) => {
  const found = await refused(settings)
  expect(found).toEqual(oneLine(message))
  expect(found.own.join()).not.toContain('secret')
})

test('a port in use', async () => {
  const other = createServer()
  const { port } = new URL(await listening(other))
  onTestFinished(() => void other.close())
  const settings = { BELLHOP_PORT: port, BELLHOP_QUEUE_URL: await prepareQueue(join(folder, 'port')) }
  expect(await refused(settings)).toEqual(oneLine(new RegExp(`${port}: another program does.*BELLHOP_PORT`)))
})

test('a data folder that cannot be written', async () => {
  const file = write('a-file', '')
  for (const path of [file, join(file, 'queue'), '/dev/fd/nothing/queue'])
    expect(await refused({ BELLHOP_QUEUE_URL: `embedded:${path}` })).toEqual(
      oneLine(new RegExp(`${path}.*BELLHOP_QUEUE_URL`)),
    )
})

test.skipIf(!hasRedisServer())('a Redis that may drop jobs', async () => {
  const redis = await startRedis([['maxmemory-policy', 'allkeys-lru']])
  onTestFinished(() => redis.stop())
  expect(await refused({ BELLHOP_QUEUE_URL: redis.url })).toEqual(
    oneLine(/maxmemory-policy "allkeys-lru".*Set "maxmemory-policy noeviction"/),
  )
})

test('passwords in the addresses of queue and proxy are never printed, encoded or not', async () => {
  const passwords = ['queue-p@ss', 'proxy-p@ss']
  const [queue = '', proxy = ''] = passwords.map(encodeURIComponent)
  // The log names this file.
  const file = write(passwords.join('+'), 'the-services-token')
  const { code, out, err } = await bellhopHere(['serve'], {
    BELLHOP_SERVICE_URL: 'http://127.0.0.1:1',
    BELLHOP_SERVICE_TOKEN_FILE: file,
    BELLHOP_HOOK_SECRET: 'hook',
    BELLHOP_PROXY: `http://user:${proxy}@127.0.0.1:1`,
    BELLHOP_QUEUE_URL: `redis://user:${queue}@127.0.0.1:1`,
  })
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('[redacted]+[redacted]')
  for (const password of ['p@ss', 'p%40ss']) expect(err).not.toContain(password)
})
