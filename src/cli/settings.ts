// Every setting of `bellhop serve`: one record each, as --help shows it and as it is read.
import { readAdminTokens } from '../admin/tokens.ts'
import {
  apiToken,
  days,
  httpUrl,
  list,
  logLevel,
  masterKeys,
  metricsAccess,
  mode,
  notEmpty,
  percent,
  period,
  port,
  positive,
  queueUrl,
  serviceName,
  signingSecrets,
  trimmed,
  wholeNumber,
} from './setting-texts.ts'

/** What the settings are about, in the order of docs/configuration.md. */
export const subjects = {
  service: 'The hosting service',
  hooks: 'The secrets of hooks',
  address: 'Where it listens',
  queue: 'Queue and journal',
  rules: 'Rules',
  room: 'When deliveries are turned down',
  admin: 'The admin API',
  work: 'How it works',
} as const

export interface Setting<T> {
  about: keyof typeof subjects
  variable: string
  flag: string
  doc: string
  /** Who has a reason to set it, as docs/configuration.md says. */
  neededBy: string
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
    about: 'service',
    variable: 'BELLHOP_SERVICE_URL',
    flag: '--service-url',
    doc: 'Address of the hosting service.',
    example: 'https://git.example.com',
    neededBy: 'everybody',
    read: httpUrl,
  }),
  serviceToken: setting({
    about: 'service',
    variable: 'BELLHOP_SERVICE_TOKEN',
    flag: '--service-token',
    doc: 'The bot’s own API token (scope api).',
    secret: true,
    insteadOf: 'serviceTokenFile',
    neededBy: 'everybody, or its file',
    read: apiToken,
  }),
  serviceTokenFile: setting({
    about: 'service',
    variable: 'BELLHOP_SERVICE_TOKEN_FILE',
    flag: '--service-token-file',
    doc: 'A file that holds the bot’s API token, in place of BELLHOP_SERVICE_TOKEN; read again before each request, so that a new token needs no restart.',
    default: '',
    neededBy: 'who changes the token while the bot runs',
    read: trimmed,
  }),
  serviceName: setting({
    about: 'service',
    variable: 'BELLHOP_SERVICE_NAME',
    flag: '--service-name',
    doc: 'The service’s name in logs, queue and journal; the address’s host without it.',
    default: '',
    neededBy: 'who moves the service to another address and keeps queue and journal',
    read: serviceName,
  }),
  hookSecrets: setting({
    about: 'hooks',
    variable: 'BELLHOP_HOOK_SECRET',
    flag: '--hook-secret',
    doc: 'Secret token(s) of the web hooks, newest first, separated by commas.',
    default: '',
    secret: true,
    neededBy: 'who has one secret for all hooks',
    read: list,
  }),
  signingSecrets: setting({
    about: 'hooks',
    variable: 'BELLHOP_SIGNING_SECRET',
    flag: '--signing-secret',
    doc: 'Signing token(s) of the web hooks (whsec_…), newest first, separated by commas.',
    default: '',
    secret: true,
    neededBy: 'who has a service that signs its deliveries',
    read: signingSecrets,
  }),
  hookMasterKeys: setting({
    about: 'hooks',
    variable: 'BELLHOP_HOOK_MASTER_KEY',
    flag: '--hook-master-key',
    doc: 'Master key(s) that the secrets of single projects’ hooks (/hooks/<project id>) are derived from, newest first, separated by commas; see bellhop hooks secret.',
    default: '',
    secret: true,
    neededBy: 'who registers many projects: each hook gets a secret of its own',
    read: masterKeys,
  }),
  port: setting({
    about: 'address',
    variable: 'BELLHOP_PORT',
    flag: '--port',
    doc: 'Port to listen on; 0 takes any that is free.',
    default: '8080',
    neededBy: 'who has another program on 8080',
    read: port,
  }),
  host: setting({
    about: 'address',
    variable: 'BELLHOP_HOST',
    flag: '--host',
    doc: 'Address to listen on.',
    default: '127.0.0.1',
    neededBy: 'who is called from another machine or runs in a container: 0.0.0.0',
    read: notEmpty,
  }),
  publicUrl: setting({
    about: 'address',
    variable: 'BELLHOP_PUBLIC_URL',
    flag: '--public-url',
    doc: 'Address by which browsers reach the bot, such as https://bellhop.example.com; with https the dashboard’s cookie is sent over TLS only.',
    default: '',
    neededBy: 'who puts it behind a proxy that speaks TLS',
    read: (text) => (text === '' ? text : httpUrl(text)),
  }),
  queueUrl: setting({
    about: 'queue',
    variable: 'BELLHOP_QUEUE_URL',
    flag: '--queue',
    doc: 'Where queue and journal are kept: embedded:DIR, redis://…, rediss://… or postgres://…',
    default: 'embedded:.bellhop',
    secret: true,
    neededBy: 'who runs for a company: redis://…',
    read: queueUrl,
  }),
  rulesFolder: setting({
    about: 'rules',
    variable: 'BELLHOP_RULES',
    flag: '--rules',
    doc: 'The operator’s rule folder.',
    default: './rules',
    neededBy: 'who has rules for many projects',
    read: notEmpty,
  }),
  offLabel: setting({
    about: 'rules',
    variable: 'BELLHOP_OFF_LABEL',
    flag: '--off-label',
    doc: 'The label that makes Bellhop leave a merge request alone.',
    default: 'bellhop::off',
    neededBy: 'who uses that label for something else',
    read: notEmpty,
  }),
  mode: setting({
    about: 'rules',
    variable: 'BELLHOP_MODE',
    flag: '--mode',
    doc: 'The most that rules may do in any project: act, observe (decide and record, call nothing) or off.',
    default: 'act',
    neededBy: 'who tries Bellhop out: observe',
    read: mode,
  }),
  brake: setting({
    about: 'rules',
    variable: 'BELLHOP_BRAKE',
    flag: '--brake',
    doc: 'How often an hour and project rules that are new may approve, accept, close and comment, each; 0 sets no limit.',
    default: '10',
    neededBy: 'who trusts new rules more, or less',
    read: wholeNumber,
  }),
  maxBacklog: setting({
    about: 'room',
    variable: 'BELLHOP_MAX_BACKLOG',
    flag: '--max-backlog',
    doc: 'How many deliveries may wait to be read, those that are tried again among them; beyond that they are turned down (503). /readyz ends at 80 % of it.',
    default: '100000',
    neededBy: 'hardly anybody',
    read: positive,
  }),
  maxBacklogSize: setting({
    about: 'room',
    variable: 'BELLHOP_MAX_BACKLOG_SIZE',
    flag: '--max-backlog-size',
    doc: 'How many megabytes of deliveries may wait to be read, as the queue keeps them; beyond that they are turned down (503). /readyz ends at 80 % of it.',
    default: '2000',
    neededBy: 'who has a small Redis or disk',
    read: positive,
  }),
  maxQueueMemory: setting({
    about: 'room',
    variable: 'BELLHOP_MAX_QUEUE_MEMORY',
    flag: '--max-queue-memory',
    doc: 'Percent of Redis’ maxmemory (of its machine’s memory where it has none) beyond which deliveries are turned down (503). /readyz ends at 80 % of it.',
    default: '90',
    neededBy: 'who shares a Redis with other programs',
    read: percent,
  }),
  minFreeDisk: setting({
    about: 'room',
    variable: 'BELLHOP_MIN_FREE_DISK',
    flag: '--min-free-disk',
    doc: 'Megabytes on the disk of an embedded queue below which deliveries are turned down (503). /readyz ends at a quarter more.',
    default: '256',
    neededBy: 'who has a small disk',
    read: wholeNumber,
  }),
  adminToken: setting({
    about: 'admin',
    variable: 'BELLHOP_ADMIN_TOKEN',
    flag: '--admin-token',
    doc: 'A token of the admin API that may do everything, by the name of admin; without any token the admin API lets nobody in.',
    default: '',
    secret: true,
    neededBy: 'who looks at deliveries and decisions, alone',
    read: trimmed,
  }),
  adminTokens: setting({
    about: 'admin',
    variable: 'BELLHOP_ADMIN_TOKENS',
    flag: '--admin-tokens',
    doc: 'Tokens of the admin API with names and scopes (read, replay, manage), separated by commas; the name stands in the audit log.',
    example: 'ann:read+replay+manage:…,monitoring:read:…',
    default: '',
    secret: true,
    neededBy: 'who looks at them as one of several, or has a program do it',
    read: readAdminTokens,
  }),
  metrics: setting({
    about: 'admin',
    variable: 'BELLHOP_METRICS',
    flag: '--metrics',
    doc: 'Who may read /metrics: token (whoever has an admin token with the scope read) or open (everybody who reaches the port).',
    default: 'token',
    neededBy: 'who has a Prometheus that sends no token, and nobody else on the port',
    read: metricsAccess,
  }),
  concurrency: setting({
    about: 'work',
    variable: 'BELLHOP_CONCURRENCY',
    flag: '--concurrency',
    doc: 'How many merge requests are evaluated at once.',
    default: '20',
    neededBy: 'who has a slow service, or one that bears less',
    read: positive,
  }),
  sweepEveryMs: setting({
    about: 'work',
    variable: 'BELLHOP_SWEEP_EVERY',
    flag: '--sweep-every',
    doc: 'How often lost hooks are made good, such as 15m; also at the start. 0 turns it off.',
    default: '15m',
    neededBy: 'who has many hooks that get lost, or too few calls to spare',
    read: period,
  }),
  sweepCalls: setting({
    about: 'work',
    variable: 'BELLHOP_SWEEP_CALLS',
    flag: '--sweep-calls',
    doc: 'How many API calls one sweep may take, each merge request that it wakes counting as one; the next goes on.',
    default: '500',
    neededBy: 'who has thousands of projects, or a low rate limit',
    read: positive,
  }),
  historyDays: setting({
    about: 'queue',
    variable: 'BELLHOP_HISTORY_DAYS',
    flag: '--history-days',
    doc: 'How many days deliveries and decisions are kept; a project that sent nothing for so long is swept only where a rule file says so.',
    default: '30',
    neededBy: 'who must keep records longer, or has little room',
    read: days,
  }),
  stopWithinMs: setting({
    about: 'work',
    variable: 'BELLHOP_STOP_WITHIN',
    flag: '--stop-within',
    doc: 'Milliseconds that running work has to finish when the process is told to stop.',
    default: '20000',
    neededBy: 'who is stopped by something less patient than 30 s',
    read: positive,
  }),
  logLevel: setting({
    about: 'work',
    variable: 'BELLHOP_LOG_LEVEL',
    flag: '--log-level',
    doc: 'trace, debug, info, warn, error or fatal.',
    default: 'info',
    neededBy: 'who looks for a fault: debug',
    read: logLevel,
  }),
} as const

type Settings = typeof settings
export type Config = { [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }
