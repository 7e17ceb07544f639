// `bellhop doctor`: every finding with its remedy, on a real service, a real Redis, and with wrong settings.
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { listening } from '../../listening.ts'
import { hasRedisServer, startRedis } from '../../servers/redis-server.ts'
import { useCompany } from '../hooks/hooks-world.ts'
import { ownFolder } from '../own-folder.ts'
import { bellhopHere } from '../run-here.ts'

const company = useCompany()
const { folder } = ownFolder()
let otherPort: string
beforeAll(async () => {
  const other = createServer((_request, response) => response.writeHead(404).end())
  otherPort = new URL(await listening(other)).port
  return () => void other.close()
})

async function doctor(names: string[], other: Record<string, string> = {}) {
  const { BELLHOP_URL: _url, ...environment } = company.environment
  const all = {
    ...environment,
    BELLHOP_PORT: '0',
    BELLHOP_RULES: folder,
    BELLHOP_QUEUE_URL: `embedded:${join(folder, 'queue')}`,
    BELLHOP_WORK_DIR: join(folder, 'work'),
    ...other,
  }
  const ran = await bellhopHere(['doctor', ...names, '--format', 'json'], all)
  const { findings }: { findings: Finding[] } = JSON.parse(ran.out)
  // Every problem has a remedy.
  for (const { is, remedy } of findings) expect(remedy === undefined).toBe(is === 'ok')
  const of = (check: string, is: Finding['is']) =>
    findings.filter((each) => each.check === check && each.is === is).map(({ message }) => message)
  return { ...ran, findings, of }
}

test('finds no problem where there is none, changes nothing, and prints lines for people', async () => {
  await company.run(['install', 'inn/one', '--all-events'])
  const before = company.writes().length
  const { code, findings, err } = await doctor(['inn/one'])
  expect([code, err, findings.filter(({ is }) => is !== 'ok').map(({ message }) => message)]).toEqual([
    ...[0, '', ['The hooks were not checked: BELLHOP_URL is missing.']],
  ])
  const checks = ['settings', 'queue', 'rules', 'git', 'token', 'scope', 'expiry', 'clock', 'role', 'hook']
  expect(findings.map(({ check }) => check)).toEqual(checks)
  // Tests whether the token may write, on a project that does not exist.
  expect(company.writes().slice(before)).toEqual(['projects.star'])
  const { BELLHOP_URL = '' } = company.environment
  expect((await doctor(['inn/one'], { BELLHOP_URL })).of('hook', 'warn')).toEqual([
    expect.stringMatching(/^inn\/one: wrong: \w+ is on; \w+ is on/),
  ])
  const text = await bellhopHere(['doctor'], { BELLHOP_RULES: folder })
  expect([text.code, text.out]).toEqual([
    1,
    expect.stringMatching(/^fail {2}settings +BELLHOP_SERVICE_URL is missing.*\n +→ bellhop serve --help/),
  ])
})

/** A token of the bot. */
async function tokenWith(given: { scopes: string[]; expires_at?: string }): Promise<string> {
  const { users } = company.root
  const user_id = (await users.list({ username: 'bellhop' })).body[0]?.id as number
  return String((await users.createToken({ user_id, name: 'x', ...given })).body.token)
}

test('reports problems of token, scope, roles and hooks', async () => {
  const reading = await doctor([], { BELLHOP_SERVICE_TOKEN: await tokenWith({ scopes: ['read_api'] }) })
  expect([reading.code, reading.of('scope', 'fail')]).toEqual([
    ...[1, [expect.stringMatching(/insufficient_scope: .*[^.]\.$/)]],
  ])
  expect((await doctor([], { BELLHOP_SERVICE_TOKEN: 'wrong' })).of('token', 'fail')).toEqual([
    expect.stringContaining('401'),
  ])
  const away = (await doctor([], { BELLHOP_SERVICE_URL: 'http://127.0.0.1:9' })).findings
  expect(away.find(({ check }) => check === 'service')).toMatchObject({
    message: expect.stringContaining('got no answer'),
    remedy: expect.stringContaining('Is BELLHOP_SERVICE_URL right?'),
  })
  expect((await doctor([], { BELLHOP_SERVICE_TOKEN: 'root-token' })).of('token', 'warn')).toEqual([
    expect.stringContaining('administrator'),
  ])

  const named = await doctor(['inn/two', 'shut', 'empty', 'nobody/nothing'], {
    BELLHOP_URL: `http://127.0.0.1:${otherPort}`,
  })
  expect(named.of('role', 'warn')).toEqual(['shut/door: the bot is Developer.'])
  expect(named.of('hook', 'fail')).toEqual([
    expect.stringMatching(/^inn\/two: missing/),
    expect.stringMatching(/^shut\/door: failed: .*403/),
  ])
  expect(named.of('projects', 'fail')).toEqual([
    expect.stringContaining('the group empty has no projects'),
    expect.stringContaining('nobody/nothing'),
  ])
  expect(named.of('ready', 'fail')).toEqual([expect.stringContaining('/readyz answers 404')])
})

test('tells when the token expires', async () => {
  const day = 24 * 60 * 60_000
  const date = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)
  const told = async (days: number) => {
    const token = await tokenWith({ scopes: ['api'], expires_at: date(days) })
    const { findings } = await doctor([], { BELLHOP_SERVICE_TOKEN: token })
    return findings.find(({ check }) => check === 'expiry')
  }
  expect(await told(31)).toMatchObject({
    is: 'ok',
    message: expect.stringContaining(`on ${date(31)} (UTC), in 31 days`),
  })
  expect(await told(30)).toMatchObject({ is: 'warn', remedy: expect.stringContaining('bellhop token rotate') })
  expect(await told(2)).toMatchObject({ is: 'warn' })
  expect(await told(1)).toMatchObject({ is: 'fail', message: expect.stringContaining('in 1 day.') })
  expect((await doctor([], { BELLHOP_SERVICE_TOKEN: 'root-token' })).of('expiry', 'ok')).toEqual([
    'The token does not expire.',
  ])
})

test('reports problems of this machine: the queue’s folder, a rule file with its place, the port', async () => {
  const { folder: rules, write } = ownFolder()
  write('bad.yml', 'version: 1\nrules: 7\n')
  const { code, of } = await doctor([], {
    ...{ BELLHOP_RULES: rules, BELLHOP_PORT: otherPort },
    ...{ BELLHOP_QUEUE_URL: 'embedded:/dev/null/queue', BELLHOP_WORK_DIR: '/dev/null/work' },
  })
  expect(code).toBe(1)
  expect(of('queue', 'fail')).toEqual(['The folder /dev/null/queue is not writable: /dev/null is not.'])
  expect(of('rules', 'fail')).toEqual([expect.stringMatching(/bad\.yml:2:8: /)])
  expect(of('git', 'warn')).toEqual(['The folder /dev/null/work for the repositories of merge queues is not writable.'])
  expect((await doctor([], { PATH: '/nonexistent' })).of('git', 'warn')).toEqual([
    'Merge queues cannot work: git 2.38 or newer is needed: it cannot be started.',
  ])
  expect(of('port', 'fail')).toEqual([`Another program listens on 127.0.0.1:${otherPort}.`])
  expect((await doctor([], { BELLHOP_RULES: '/nowhere' })).of('rules', 'warn')).toHaveLength(1)
  const noFolder = join(rules, 'bad.yml')
  expect((await doctor([], { BELLHOP_RULES: noFolder })).of('rules', 'fail')).toEqual([
    `The rules folder ${noFolder} cannot be read.`,
  ])
})

test('tells a Bellhop that only this machine reaches from one that does not run', async () => {
  const bot = createServer((request, response) => response.writeHead(request.url === '/healthz' ? 200 : 404).end())
  const BELLHOP_PORT = new URL(await listening(bot)).port
  // Another address of this machine, as another machine would use.
  const settings = { BELLHOP_PORT, BELLHOP_URL: `http://127.0.0.2:${BELLHOP_PORT}` }
  const running = await doctor([], settings)
  expect([running.code, running.of('port', 'ok'), running.of('ready', 'fail')]).toEqual([
    1,
    [`A Bellhop listens on 127.0.0.1:${BELLHOP_PORT}. Only this machine can connect (BELLHOP_HOST).`],
    [expect.stringMatching(/A Bellhop runs, but listens on 127\.0\.0\.1 only: other machines cannot connect\.$/)],
  ])
  await new Promise((resolve) => bot.close(resolve))
  const stopped = await doctor([], settings)
  expect([stopped.of('port', 'ok'), stopped.of('ready', 'warn')]).toEqual([
    [`127.0.0.1:${BELLHOP_PORT} is free for bellhop serve. Only this machine can connect (BELLHOP_HOST).`],
    [`${settings.BELLHOP_URL} does not answer from here.`],
  ])
})

test.runIf(hasRedisServer())('reports a Redis that drops jobs, or loses them at a restart', async () => {
  const [dropping, forgetting] = await Promise.all([
    startRedis([['maxmemory-policy', 'allkeys-lru']]),
    startRedis([['appendonly', 'no']]),
  ])
  onTestFinished(async () => {
    await dropping.stop()
    await forgetting.stop()
  })
  const lost = await doctor([], { BELLHOP_QUEUE_URL: dropping.url })
  expect([lost.code, lost.of('queue', 'fail')]).toEqual([1, [expect.stringContaining('noeviction')]])
  const forgets = await doctor([], { BELLHOP_QUEUE_URL: forgetting.url })
  expect([forgets.of('queue', 'ok'), forgets.of('persistence', 'warn')]).toEqual([
    [expect.stringMatching(/^Redis \d/)],
    [expect.stringContaining('no append-only file')],
  ])
})
