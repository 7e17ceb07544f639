// The file of several services: what it says is in force for each, and a mistake has its line and column.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readServices } from '../../../src/cli/services/services-file.ts'
import { readConfig } from '../../../src/cli/settings/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellhop-services-file-'))
afterAll(() => rmSync(folder, { recursive: true }))
const secret = (name: string, text = `secret-of-${name}`) => {
  writeFileSync(join(folder, name), `${text}\n`)
  return join(folder, name)
}
const [token, one, two] = [secret('token'), secret('one'), secret('two')]
const environment = { MAIN_TOKEN: 'glpat-main', MAIN_HOOK: 'secret-of-main', SPACES: 'a b', SHORT: 'too short' }

function read(services: string, more: Record<string, string> = {}) {
  const common = readConfig({ BELLHOP_SERVICES: 's.yml', BELLHOP_CONCURRENCY: '7', ...more }, {})
  if (!common.ok) throw new Error(common.problems.join('\n'))
  return readServices(`version: 1\nservices:\n${services}`, { file: 's.yml', common: common.config, environment })
}

test('each service has its settings of the file, and the common settings for the rest', () => {
  const found = read(`
  - { name: main, url: https://git.example.com, token: { variable: MAIN_TOKEN }, hook_secret: { variable: MAIN_HOOK } }
  - name: mirror
    url: https://mirror.example.com/git
    token: { file: ${token} }
    hook_secret: { file: ${one} }
    rules: ./rules/mirror
    concurrency: 3
    sweep_every: 1h
    sweep_calls: 50
    mode: observe
    proxy: environment
    token_kind: bearer
    hooks_url: https://bellhop.internal
`)
  expect(found).toMatchObject({
    ok: true,
    services: [
      {
        serviceName: 'main',
        serviceToken: 'glpat-main',
        serviceTokenFile: '',
        serviceTokenKind: 'private',
        hookSecrets: ['secret-of-main'],
        concurrency: 7,
        rulesFolder: './rules',
      },
      {
        ...{ serviceName: 'mirror', serviceUrl: 'https://mirror.example.com/git', serviceToken: '' },
        ...{
          serviceTokenFile: token,
          serviceTokenKind: 'bearer',
          hookSecrets: ['secret-of-one'],
          signingSecrets: [],
          hookMasterKeys: [],
        },
        ...{ rulesFolder: './rules/mirror', concurrency: 3, sweepEveryMs: 3_600_000, sweepCalls: 50 },
        ...{ mode: 'observe', proxy: 'environment', hooksUrl: 'https://bellhop.internal' },
      },
    ],
  })
})

const good = (name: string, file: string) =>
  `  - { name: ${name}, url: "http://x", token: { file: ${token} }, hook_secret: { file: ${file} } }\n`
test.each([
  ['an unknown key', '  - nome: a\n', /^s\.yml:3:5: services\.0\.nome: unknown key$/],
  ['no address', `  - { name: a, token: { file: ${token} } }\n`, /^s\.yml:3:\d+: services\.0\.url: expected a text$/],
  [
    'an address that is none',
    '  - name: a\n    url: git.example.com\n',
    /^s\.yml:4:10: services\.0\.url: expected an http:\/\/ or https:\/\/ address$/,
  ],
  ['a name of digits alone', '  - name: "17"\n', /^s\.yml:3:11: services\.0\.name: expected .* not only digits/],
  [
    'a token in the file itself',
    '  - name: a\n    token: glpat-1\n',
    /^s\.yml:4:12: services\.0\.token: expected \{ file: PATH \} or \{ variable: NAME \}$/,
  ],
  [
    'a token that is nowhere',
    '  - name: a\n    token: { variable: NOWHERE }\n',
    /^s\.yml:4:12: services\.0\.token: expected the secret in the variable NOWHERE, which is not set$/,
  ],
  [
    'a token that is none',
    '  - name: a\n    token: { variable: SPACES }\n',
    /^s\.yml:4:12: services\.0\.token: expected a token of printable characters/,
  ],
  [
    'a secret file that is not there',
    '  - name: a\n    hook_secret: { file: /nowhere/secret }\n',
    /^s\.yml:4:18: services\.0\.hook_secret: expected a file with the secret/,
  ],
  [
    'a short master key',
    '  - name: a\n    hook_master_key: { variable: SHORT }\n',
    /^s\.yml:4:22: services\.0\.hook_master_key: expected keys of at least 32/,
  ],
  [
    'a password of a proxy',
    '  - name: a\n    proxy: "http://u:p@proxy:80"\n',
    /^s\.yml:4:12: services\.0\.proxy: expected an address without a password/,
  ],
  [
    'no secret of hooks',
    `  - { name: a, url: "http://x", token: { file: ${token} } }\n`,
    /^s\.yml:3:\d+: services\.0\.name: expected hook_secret, .* anyone could send deliveries$/,
  ],
  [
    'a name that is taken',
    good('a', one) + good('A', two),
    /^s\.yml:4:\d+: services\.1\.name: expected a name of its own$/,
  ],
  [
    'a secret that is another’s',
    good('a', one) + good('b', one),
    /^s\.yml:4:\d+: services\.1\.hook_secret: expected a secret of its own$/,
  ],
  ['no service', '  []\n', /^s\.yml:3:3: services: expected at least one service$/],
])('%s is reported with its place, without secrets', (_name, services, problem) => {
  const found = read(services)
  if (found.ok) throw new Error('expected problems')
  expect(found.problems).toContainEqual(expect.stringMatching(problem))
  expect(found.problems.join('\n')).not.toMatch(/glpat-|secret-of|too short|u:p@|a b/)
})

test('settings of a single service may not be set together with the file', () => {
  const both = readConfig(
    { BELLHOP_SERVICES: 's.yml', BELLHOP_SERVICE_TOKEN: 'glpat-1', BELLHOP_HOOK_SECRET: 'hush' },
    {},
  )
  expect(both).toEqual({
    ok: false,
    problems: ['BELLHOP_SERVICE_TOKEN', 'BELLHOP_HOOK_SECRET'].map(
      (each) => `${each} and BELLHOP_SERVICES are both set. Each service has its own: move it into the file.`,
    ),
  })
})
