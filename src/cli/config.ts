// Every setting of `bellhop serve`: one record each, read from the environment and from flags, checked at start-up with one message per mistake.
import type { Mode } from '../rules/types.ts'

export interface Setting<T> {
  variable: string
  flag: string
  doc: string
  /** As shown by --help. */
  example?: string
  /** Undefined: required. */
  default?: string
  /** Required only where this other setting is not given; then an empty text. */
  insteadOf?: string
  secret?: boolean
  /** Reads the text; throws an Error whose message says what is expected. */
  read: (text: string) => T
}

function setting<T>(record: Setting<T>): Setting<T> {
  return record
}

export const settings = {
  serviceUrl: setting({
    variable: 'BELLHOP_SERVICE_URL',
    flag: '--service-url',
    doc: 'Address of the hosting service.',
    example: 'https://git.example.com',
    read: httpUrl,
  }),
  serviceToken: setting({
    variable: 'BELLHOP_SERVICE_TOKEN',
    flag: '--service-token',
    doc: 'The bot’s own API token (scope api).',
    secret: true,
    insteadOf: 'serviceTokenFile',
    read: apiToken,
  }),
  serviceTokenFile: setting({
    variable: 'BELLHOP_SERVICE_TOKEN_FILE',
    flag: '--service-token-file',
    doc: 'A file that holds the bot’s API token, in place of BELLHOP_SERVICE_TOKEN; read again before each request, so that a new token needs no restart.',
    default: '',
    read: trimmed,
  }),
  serviceName: setting({
    variable: 'BELLHOP_SERVICE_NAME',
    flag: '--service-name',
    doc: 'The service’s name in logs, queue and journal; the address’s host without it.',
    default: '',
    read: serviceName,
  }),
  hookSecrets: setting({
    variable: 'BELLHOP_HOOK_SECRET',
    flag: '--hook-secret',
    doc: 'Secret token(s) of the web hooks, newest first, separated by commas.',
    default: '',
    secret: true,
    read: list,
  }),
  signingSecrets: setting({
    variable: 'BELLHOP_SIGNING_SECRET',
    flag: '--signing-secret',
    doc: 'Signing token(s) of the web hooks (whsec_…), newest first, separated by commas.',
    default: '',
    secret: true,
    read: signingSecrets,
  }),
  hookMasterKeys: setting({
    variable: 'BELLHOP_HOOK_MASTER_KEY',
    flag: '--hook-master-key',
    doc: 'Master key(s) that the secrets of single projects’ hooks (/hooks/<project id>) are derived from, newest first, separated by commas; see bellhop hooks secret.',
    default: '',
    secret: true,
    read: masterKeys,
  }),
  port: setting({
    variable: 'BELLHOP_PORT',
    flag: '--port',
    doc: 'Port to listen on; 0 takes any that is free.',
    default: '8080',
    read: port,
  }),
  host: setting({ variable: 'BELLHOP_HOST', flag: '--host', doc: 'Address to listen on.', default: '127.0.0.1', read: notEmpty }),
  queueUrl: setting({
    variable: 'BELLHOP_QUEUE_URL',
    flag: '--queue',
    doc: 'Where queue and journal are kept: embedded:DIR, redis://…, rediss://… or postgres://…',
    default: 'embedded:.bellhop',
    secret: true,
    read: queueUrl,
  }),
  rulesFolder: setting({
    variable: 'BELLHOP_RULES',
    flag: '--rules',
    doc: 'The operator’s rule folder.',
    default: './rules',
    read: notEmpty,
  }),
  offLabel: setting({
    variable: 'BELLHOP_OFF_LABEL',
    flag: '--off-label',
    doc: 'The label that makes Bellhop leave a merge request alone.',
    default: 'bellhop::off',
    read: notEmpty,
  }),
  mode: setting({
    variable: 'BELLHOP_MODE',
    flag: '--mode',
    doc: 'The most that rules may do in any project: act, observe (decide and record, call nothing) or off.',
    default: 'act',
    read: mode,
  }),
  brake: setting({
    variable: 'BELLHOP_BRAKE',
    flag: '--brake',
    doc: 'How often an hour and project rules that are new may approve, accept, close and comment, each; 0 sets no limit.',
    default: '10',
    read: wholeNumber,
  }),
  maxBacklog: setting({
    variable: 'BELLHOP_MAX_BACKLOG',
    flag: '--max-backlog',
    doc: 'How many deliveries may wait to be read, those that are tried again among them; beyond that they are turned down (503). /readyz ends at 80 % of it.',
    default: '100000',
    read: positive,
  }),
  maxQueueMemory: setting({
    variable: 'BELLHOP_MAX_QUEUE_MEMORY',
    flag: '--max-queue-memory',
    doc: 'Percent of Redis’ maxmemory (of its machine’s memory where it has none) beyond which deliveries are turned down (503). /readyz ends at 80 % of it.',
    default: '90',
    read: percent,
  }),
  minFreeDisk: setting({
    variable: 'BELLHOP_MIN_FREE_DISK',
    flag: '--min-free-disk',
    doc: 'Megabytes on the disk of an embedded queue below which deliveries are turned down (503). /readyz ends at a quarter more.',
    default: '256',
    read: wholeNumber,
  }),
  adminToken: setting({
    variable: 'BELLHOP_ADMIN_TOKEN',
    flag: '--admin-token',
    doc: 'Token of the admin API; without it the admin API lets nobody in.',
    default: '',
    secret: true,
    read: trimmed,
  }),
  concurrency: setting({
    variable: 'BELLHOP_CONCURRENCY',
    flag: '--concurrency',
    doc: 'How many merge requests are evaluated at once.',
    default: '20',
    read: positive,
  }),
  sweepEveryMs: setting({
    variable: 'BELLHOP_SWEEP_EVERY',
    flag: '--sweep-every',
    doc: 'How often lost hooks are made good, such as 15m; also at the start. 0 turns it off.',
    default: '15m',
    read: period,
  }),
  sweepCalls: setting({
    variable: 'BELLHOP_SWEEP_CALLS',
    flag: '--sweep-calls',
    doc: 'How many API calls one sweep may take, each merge request that it wakes counting as one; the next goes on.',
    default: '500',
    read: positive,
  }),
  stopWithinMs: setting({
    variable: 'BELLHOP_STOP_WITHIN',
    flag: '--stop-within',
    doc: 'Milliseconds that running work has to finish when the process is told to stop.',
    default: '20000',
    read: positive,
  }),
  logLevel: setting({
    variable: 'BELLHOP_LOG_LEVEL',
    flag: '--log-level',
    doc: 'trace, debug, info, warn, error or fatal.',
    default: 'info',
    read: logLevel,
  }),
} as const

type Settings = typeof settings
export type Config = { [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

export type ReadConfig = { ok: true; config: Config } | { ok: false; problems: string[] }

/** Reads all settings; a flag wins over its variable. Each problem is a sentence that names the variable and what it must be, never a secret's value. */
export function readConfig(environment: Record<string, string | undefined>, flags: Record<string, string | undefined>): ReadConfig {
  const problems: string[] = []
  const config: Record<string, unknown> = {}
  const all: Record<string, Setting<unknown>> = settings
  const given = (key: string) => flags[key] ?? environment[all[key]?.variable ?? '']
  for (const [key, each] of Object.entries(all)) {
    const text = given(key) ?? each.default
    const other = each.insteadOf === undefined ? undefined : given(each.insteadOf)
    if (text === undefined && other !== undefined && other !== '') {
      config[key] = ''
      continue
    }
    if (text === undefined) {
      problems.push(`${each.variable} is missing: ${each.doc} Set it, or give ${each.flag}.`)
      continue
    }
    try {
      config[key] = each.read(text)
    } catch (error) {
      // An address may carry a password, or a token in its query.
      const found = each.secret === true || /[@?]/.test(text) ? '' : `, found ${JSON.stringify(text)}`
      problems.push(`${each.variable}: expected ${error instanceof Error ? error.message : 'another value'}${found}.`)
    }
  }
  const read = config as Partial<Config>
  if (read.hookSecrets?.length === 0 && read.signingSecrets?.length === 0 && read.hookMasterKeys?.length === 0) {
    problems.push(
      'BELLHOP_HOOK_SECRET is missing: a hook without a secret lets anyone in. Set it, or BELLHOP_SIGNING_SECRET, or BELLHOP_HOOK_MASTER_KEY.',
    )
  }
  if (read.serviceToken && read.serviceTokenFile)
    problems.push('BELLHOP_SERVICE_TOKEN and BELLHOP_SERVICE_TOKEN_FILE are both set: which of them counts? Set one.')
  for (const name of Object.keys(environment)) {
    if (name.startsWith('BELLHOP_') && !knownVariables.has(name))
      problems.push(`${name} is not a setting of Bellhop; see bellhop serve --help.`)
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config: config as Config }
}

// Read by `bellhop deliveries`, and so set in the same shell at times.
const knownVariables = new Set([...Object.values(settings).map((each) => each.variable), 'BELLHOP_ADMIN_URL'])

function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new Error('an http:// or https:// address')
  if (url.username !== '' || url.password !== '') throw new Error('an address without user name and password')
  if (url.search !== '' || url.hash !== '') throw new Error('an address without query and fragment')
  return text
}

function serviceName(text: string): string {
  if (!/^[A-Za-z0-9.-]{0,100}$/.test(text)) throw new Error('up to 100 letters, digits, dots and dashes')
  return text
}

function queueUrl(text: string): string {
  if (!/^(embedded:.+|rediss?:\/\/.+|postgres(ql)?:\/\/.+)$/s.test(text))
    throw new Error('embedded:DIR, redis://…, rediss://… or postgres://…')
  return text
}

function signingSecrets(text: string): string[] {
  const all = list(text)
  if (all.some((each) => !/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(each))) throw new Error('whsec_ and the key in base64')
  return all
}

/** Throws an Error that says what is expected; exported for the command that prints secrets. */
export function masterKeys(text: string): string[] {
  const all = list(text)
  if (all.some((each) => each.length < 32)) throw new Error('keys of at least 32 characters (openssl rand -hex 32 makes one)')
  return all
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function port(text: string): number {
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new Error('a port from 0 to 65535')
  return number
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error('a whole number from 1')
  return Number(text)
}

function percent(text: string): number {
  if (!/^([1-9]\d?|100)$/.test(text)) throw new Error('a whole number from 1 to 100')
  return Number(text)
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** In milliseconds. */
function period(text: string): number {
  if (text === '0') return 0
  const [, number, unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? []
  const each = unitMs[unit]
  if (each === undefined) throw new Error('a time such as 15m, 90s or 2h, or 0')
  return Number(number) * each
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new Error('a whole number from 0 to 99999')
  return Number(text)
}

function mode(text: string): Mode {
  const found = (['act', 'observe', 'off'] as const).find((each) => each === text)
  if (found === undefined) throw new Error('act, observe or off')
  return found
}

function logLevel(text: string): string {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  if (!levels.includes(text)) throw new Error(`one of ${levels.join(', ')}`)
  return text
}

function notEmpty(text: string): string {
  if (text.trim() === '') throw new Error('some text')
  return text
}

/** Checked here because no header can carry other characters; what was read from a file ends with a line break. Throws an Error that says what is expected. */
export function apiToken(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text.trim())) throw new Error('a token of printable characters without spaces')
  return text.trim()
}

function trimmed(text: string): string {
  return text.trim()
}
