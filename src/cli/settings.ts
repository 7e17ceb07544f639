// Every setting of `bellhop serve`: one record each, as --help shows it and as it is read.
import { readAdminTokens } from '../admin/tokens.ts'
import {
  apiToken,
  days,
  httpUrl,
  list,
  logLevel,
  masterKeys,
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
  maxBacklogSize: setting({
    variable: 'BELLHOP_MAX_BACKLOG_SIZE',
    flag: '--max-backlog-size',
    doc: 'How many megabytes of deliveries may wait to be read, as the queue keeps them; beyond that they are turned down (503). /readyz ends at 80 % of it.',
    default: '2000',
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
    doc: 'A token of the admin API that may do everything, by the name of admin; without any token the admin API lets nobody in.',
    default: '',
    secret: true,
    read: trimmed,
  }),
  adminTokens: setting({
    variable: 'BELLHOP_ADMIN_TOKENS',
    flag: '--admin-tokens',
    doc: 'Tokens of the admin API with names and scopes (read, replay, manage), separated by commas; the name stands in the audit log.',
    example: 'ann:read+replay+manage:…,monitoring:read:…',
    default: '',
    secret: true,
    read: readAdminTokens,
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
  historyDays: setting({
    variable: 'BELLHOP_HISTORY_DAYS',
    flag: '--history-days',
    doc: 'How many days deliveries and decisions are kept; a project that sent nothing for so long is swept only where a rule file says so.',
    default: '30',
    read: days,
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
