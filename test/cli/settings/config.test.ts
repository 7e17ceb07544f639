// The settings: each mistake gets one message that names its variable, and no message shows a secret.
import { type Config, readConfig, settings } from '../../../src/cli/settings/settings.ts'

const good = {
  BELLHOP_SERVICE_URL: 'https://git.example.com',
  BELLHOP_SERVICE_TOKEN: 'glpat-1',
  BELLHOP_HOOK_SECRET: 'hook',
}

function read(environment: Record<string, string | undefined>, flags: Record<string, string> = {}): Config {
  const config = readConfig({ ...good, ...environment }, flags)
  if (!config.ok) throw new Error(config.problems.join('\n'))
  return config.config
}

function problems(environment: Record<string, string | undefined>, flags: Record<string, string> = {}): string[] {
  const config = readConfig({ ...good, ...environment }, flags)
  return config.ok ? [] : config.problems
}

describe('a setting that is not set', () => {
  test('and is required is reported, all of it at once', () => {
    const config = readConfig({}, {})
    expect(config).toEqual({
      ok: false,
      exitCode: 2,
      problems: [
        expect.stringMatching(/^BELLHOP_SERVICE_URL is missing: .*--service-url/),
        expect.stringMatching(/^BELLHOP_SERVICE_TOKEN is missing: .*--service-token/),
        expect.stringMatching(/^BELLHOP_HOOK_SECRET is missing: .*BELLHOP_SIGNING_SECRET/),
      ],
    })
  })

  test('a master key or a signing secret alone is enough, commas and spaces are not', () => {
    expect(problems({ BELLHOP_HOOK_SECRET: '', BELLHOP_HOOK_MASTER_KEY: 'k'.repeat(32) })).toEqual([])
    expect(problems({ BELLHOP_HOOK_SECRET: '', BELLHOP_SIGNING_SECRET: `whsec_${'A'.repeat(43)}=` })).toEqual([])
    expect(problems({ BELLHOP_HOOK_SECRET: ' , ,' })).toEqual([expect.stringContaining('BELLHOP_HOOK_SECRET')])
  })
})

describe('what is set', () => {
  test('a flag wins over its variable', () => {
    expect(read({ BELLHOP_PORT: '1' }, { port: '2' }).port).toBe(2)
  })

  test('secrets are lists, newest first, for rotation', () => {
    expect(read({ BELLHOP_HOOK_SECRET: 'new, old ,' }).hookSecrets).toEqual(['new', 'old'])
  })

  test('a token is read without its line break', () => {
    const given = { BELLHOP_SERVICE_TOKEN: 'glpat-1\n', BELLHOP_ADMIN_TOKEN: ' admin\n' }
    expect(read(given)).toMatchObject({ serviceToken: 'glpat-1', adminToken: 'admin' })
  })

  test('trusted proxies are addresses and networks', () => {
    const all = ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']
    expect(read({ BELLHOP_TRUSTED_PROXIES: ` ${all.join(' , ')},` }).trustedProxies).toEqual(all)
  })

  test('the time between sweeps is in seconds, minutes or hours; 0 is never', () => {
    const every = (text: string) => read({ BELLHOP_SWEEP_EVERY: text }).sweepEveryMs
    expect(['0', '90s', '15m', '2h'].map(every)).toEqual([0, 90_000, 900_000, 7_200_000])
  })

  test('a process may do a part of the work over a shared queue; a worker needs no hook secret', () => {
    expect(read({ BELLHOP_ONLY: 'receiver', BELLHOP_QUEUE_URL: 'redis://h' }).only).toBe('receiver')
    const worker = { BELLHOP_ONLY: 'worker', BELLHOP_HOOK_SECRET: undefined }
    for (const place of [
      { BELLHOP_QUEUE_URL: 'postgres://h/db' },
      { BELLHOP_QUEUE_URL: 'redis://h', BELLHOP_JOURNAL_URL: 'postgres://h/db' },
    ])
      expect(read({ ...worker, ...place }).only).toBe('worker')
    expect(
      problems({ BELLHOP_ONLY: 'receiver', BELLHOP_QUEUE_URL: 'redis://h', BELLHOP_HOOK_SECRET: undefined }),
    ).toHaveLength(1)
    expect(problems({ BELLHOP_ONLY: 'worker' })).toEqual([
      expect.stringMatching(/^BELLHOP_ONLY: only one process can use the embedded queue.*BELLHOP_QUEUE_URL/),
    ])
  })

  test('the journal of a queue in Redis is embedded where nothing else is said; others have none of their own', () => {
    const redis = { BELLHOP_QUEUE_URL: 'redis://h' }
    expect(read(redis).journalUrl).toBe('embedded:.bellhop')
    for (const url of ['embedded:dir', 'postgres://h/db', 'postgres://h/db?schema=other'])
      expect(read({ ...redis, BELLHOP_JOURNAL_URL: url }).journalUrl).toBe(url)
    for (const url of ['embedded:dir', 'postgres://h/db']) expect(read({ BELLHOP_QUEUE_URL: url }).journalUrl).toBe('')
  })

  test('every kind of queue is accepted', () => {
    for (const url of ['embedded:dir', 'redis://h:1', 'rediss://u:p@h', 'postgres://h/db', 'postgresql://h/db'])
      expect(read({ BELLHOP_QUEUE_URL: url }).queueUrl).toBe(url)
  })
})

describe('a wrong value gets one message with the variable and the expectation', () => {
  test.each<[variable: string, message: RegExp, values: string[]]>([
    [
      'BELLHOP_SERVICE_URL',
      /http:\/\/ or https:\/\/.*found "(?:git|ftp:\/\/git)/,
      ['git.example.com', 'ftp://git.example.com'],
    ],
    ['BELLHOP_SERVICE_URL', /http:\/\/ or https:\/\//, ['']],
    ['BELLHOP_SERVICE_URL', /without/, ['https://git.example.com/?a=1', 'https://git.example.com/#a']],
    ['BELLHOP_TRUSTED_PROXIES', /networks such as 10\.0\.0\.0\/8/, ['proxy.example.com', '10.0.0', '10.0.0.0/0', '*']],
    ['BELLHOP_TRUSTED_PROXIES', /networks/, ['10.0.0.0/33', '::/129', '10.0.0.1 10.0.0.2', 'fe80::1%eth0', 'true']],
    ['BELLHOP_SERVICE_TOKEN', /token/, [' ', 'two words', 'ключ']],
    ['BELLHOP_SIGNING_SECRET', /whsec_/, ['hush']],
    ['BELLHOP_HOOK_MASTER_KEY', /at least 32 characters/, ['k'.repeat(31), `${'k'.repeat(32)},short`]],
    ['BELLHOP_PROXY', /host:port of a proxy, or https:\/\/…\.?$/, ['socks5://door:hush@proxy']],
    ['BELLHOP_PORT', /0 to 65535/, ['65536', '-1', '', '0x50']],
    ['BELLHOP_HOST', /text/, ['']],
    ['BELLHOP_QUEUE_URL', /embedded:DIR/, ['embedded:', 'mysql://h']],
    ['BELLHOP_JOURNAL_URL', /embedded:DIR, or postgres:/, ['mysql://h']],
    ['BELLHOP_CONCURRENCY', /from 1/, ['0', '1.5']],
    ['BELLHOP_SHUTDOWN_TIMEOUT', /from 1/, ['soon']],
    ['BELLHOP_SWEEP_EVERY', /such as 15m/, ['15', '0m']],
    ['BELLHOP_ONLY', /receiver or worker, found "both"/, ['both']],
    ['BELLHOP_MODE', /act, observe or off, found "dry"/, ['dry']],
    ['BELLHOP_MAX_QUEUE_MEMORY', /from 1 to 100/, ['101']],
    ['BELLHOP_NEW_RULE_LIMIT', /from 0 to/, ['-1']],
    ['BELLHOP_LOG_LEVEL', /trace, .* or fatal, found "loud"/, ['loud']],
  ])('%s: %s', (variable, message, values) => {
    for (const value of values) {
      const found = problems({ [variable]: value })
      expect(found, value).toEqual([expect.stringMatching(message)])
      expect(found[0]).toMatch(new RegExp(`^${variable}: expected `))
    }
  })

  test('an unknown BELLHOP_* variable is reported; other variables are ignored', () => {
    expect(problems({ BELLHOP_HOOK_SECRETS: 'a', PATH: 'b', BELLHOP_ADMIN_URL: 'http://x' })).toEqual([
      expect.stringMatching(/^BELLHOP_HOOK_SECRETS is not a setting/),
    ])
  })
})

test('settings that are gone are named, each with what to do instead, and nothing else is complained about', () => {
  const names = ['BELLHOP_SHARDS', 'BELLHOP_MAX_BACKLOG_SIZE', 'BELLHOP_MIN_FREE_DISK', 'BELLHOP_REDIS_WAIT']
  const gone = Object.fromEntries([...names, 'BELLHOP_SERVICES', 'BELLHOP_SERVICE_NAME'].map((name) => [name, 'x']))
  expect(readConfig({ ...gone, BELLHOP_PORT: 'x' }, {})).toEqual({
    ...{ ok: false, exitCode: 1 },
    problems: Object.keys(gone).map((name) =>
      expect.stringMatching(`^${name} is gone: .+; see upgrading in CHANGELOG\\.md\\.$`),
    ),
  })
})

describe('secrets', () => {
  test('are never shown in messages', () => {
    const secret = 'Hush\u0007 hush'
    for (const { variable, secret: isSecret } of Object.values<{ variable: string; secret?: boolean }>(settings)) {
      if (isSecret !== true) continue
      expect(problems({ [variable]: secret, BELLHOP_PORT: 'x' }).join('\n'), variable).not.toContain('hush')
    }
  })

  test('in an address are not shown either', () => {
    for (const url of [
      'https://ann:hush@git.example.com',
      'ftp://ann:hush@git.example.com',
      'ann:hush@git.example.com',
      'https://git.example.com/?private_token=hush',
    ]) {
      const found = problems({ BELLHOP_SERVICE_URL: url })
      expect(found).toHaveLength(1)
      expect(found[0]).not.toContain('hush')
    }
  })
})
