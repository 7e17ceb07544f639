// One hosting service in this process: its client, what is known of it, its bot and its desk, over a queue and a journal that others may share.
import type { Logger } from 'pino'
import type { Desk } from '../../admin/desk.ts'
import type { ServiceHealth } from '../../admin/health.ts'
import type { Metrics } from '../../admin/metrics/metrics.ts'
import { type Bot, createBot } from '../../bot/bot.ts'
import { readOperatorFiles } from '../../bot/operator-files.ts'
import type { Patience } from '../../bot/patience.ts'
import { type OperatorPolicy, readPolicyFile } from '../../bot/policy-file.ts'
import type { RememberedRules } from '../../bot/remembered-rules.ts'
import { createServiceState, type ServiceCondition } from '../../bot/service-state.ts'
import { createTokenScope } from '../../bot/token-scope.ts'
import { createClient } from '../../client/create-client.ts'
import { createPostNotice } from '../../client/post-notice.ts'
import type { Journal } from '../../journal/types.ts'
import type { Queue } from '../../queue/types.ts'
import type { RuleFileInForce } from '../../rules/types.ts'
import { clientAddress } from '../client-address.ts'
import { createHookHealth } from '../hooks/health.ts'
import { disabledHook } from '../hooks/status.ts'
import type { HookPlace } from '../hooks/wanted-hook.ts'
import type { Config } from '../settings.ts'

/** A service that is to be worked for. */
export interface GivenService {
  /** Its `serviceName` is its name in refs; its address's host where that is empty. */
  config: Config
  /** Asked before each request. */
  token: () => string
  /** How the service is reached; Node's own fetch when absent. */
  fetch?: typeof fetch | undefined
}

/** What the operator says in the service's rules folder. */
export interface OperatorSays {
  files: readonly RuleFileInForce[]
  policy: OperatorPolicy
}

/** Throws OperatorFilesError. */
export async function readOperator({ rulesFolder, mode, brake }: Config): Promise<OperatorSays> {
  const files = await readOperatorFiles(rulesFolder)
  return { files, policy: { entries: await readPolicyFile(rulesFolder), defaults: { mode, brake } } }
}

export interface ServiceOptions extends GivenService, OperatorSays {
  name: string
  /** It has an address of its own below /hooks. */
  isOneOfSeveral: boolean
  queue: Queue
  journal: Journal
  metrics: Metrics
  /** As of the bot (BotOptions). */
  code: string
  rememberedRules: RememberedRules
  patience: Patience
  /** How the receiver of notices is reached. */
  noticeFetch?: typeof fetch | undefined
  now: () => number
  log: Logger
}

export interface Service extends ServiceHealth {
  name: string
  bot: Bot
  desk: Desk
  lanes: Bot['lanes']
}

/** Nothing runs until its bot is started. */
export function createService(options: ServiceOptions): Service {
  const { name, config, token, queue, journal, code, rememberedRules, patience, policy, now, log } = options
  const counting = options.metrics.of(name)
  const state = createServiceState({
    now,
    onChange: (condition) => {
      tellService(log, condition)
      void bot.heardOfService(condition)
    },
  })
  const client = createClient({
    baseUrl: config.serviceUrl,
    token,
    fetch: options.fetch,
    log: (line) => {
      log.debug({ event: 'request', ...line }, 'request')
      state.heard(line)
      counting.request(line)
    },
    onLimits: (limits) => {
      state.limits(limits)
      counting.limits(limits)
    },
    heldUntil: state.heldUntil,
    maxWaitMs: patience.callMs,
  })
  const place = config.hooksUrl === '' ? undefined : hookPlace(config, options.isOneOfSeveral ? { service: name } : {})
  const bot = createBot({
    service: name,
    client,
    token,
    queue,
    journal,
    state,
    secrets: { tokens: config.hookSecrets, signing: config.signingSecrets },
    masterKeys: config.hookMasterKeys,
    addressOf: clientAddress(config.trustedProxies),
    roomLimits: {
      backlog: config.maxBacklog,
      backlogBytes: config.maxBacklogSize * 2 ** 20,
      memoryPercent: config.maxQueueMemory,
      freeDisk: config.minFreeDisk * 2 ** 20,
    },
    operatorFiles: options.files,
    policy,
    code,
    rememberedRules,
    concurrency: config.concurrency,
    offLabel: config.offLabel,
    bodyKeptMs: config.bodyHours * 60 * 60 * 1_000,
    sweep: { everyMs: config.sweepEveryMs, calls: config.sweepCalls },
    clock: { now },
    patience,
    counting,
    ...(config.tellUrl === ''
      ? {}
      : {
          postNotice: createPostNotice({ url: config.tellUrl, signing: config.tellSecrets, fetch: options.noticeFetch }),
          ...(place === undefined ? {} : { readDisabledHook: disabledHook({ client, place }) }),
        }),
    log,
  })
  const includeFrom = policy.entries.flatMap((entry) => entry.includeFrom ?? [])
  const desk: Desk = {
    ...{ ...bot, journal, service: name, now },
    conditions: () => ({ service: state.condition(), room: bot.room.condition(), rateLimit: state.rateLimit() }),
    rulesOf: bot.ruleFiles.known,
    hookHealth: place === undefined ? undefined : createHookHealth({ place, includeFrom, client, ruleFiles: bot.ruleFiles, now }),
  }
  return {
    ...{ name, bot, desk, lanes: bot.lanes },
    ...{ room: bot.room.condition, service: state.condition, scope: createTokenScope({ client, token, now }) },
  }
}

function hookPlace({ hooksUrl, hookMasterKeys, hookSecrets, signingSecrets }: Config, of: { service?: string }): HookPlace {
  const base = hooksUrl.replace(/\/+$/, '')
  return { base, ...of, masterKeys: hookMasterKeys, tokens: hookSecrets, signing: signingSecrets, signs: false, verifiesTls: true }
}

function tellService(log: Logger, { is, reason }: ServiceCondition): void {
  const line = { event: 'service', is, reason }
  if (is === 'fine') log.info(line, 'the service can be worked with again')
  else if (is === 'token rejected') log.error(line, 'the service rejects the token: nothing is done until it is mended')
  else log.warn(line, is === 'away' ? 'the service is away' : 'the service’s rate limit is used up')
}

/** A service's name in refs and lanes: its host, and its path where it has one; ':' is not allowed in a lane's name. */
export function serviceName(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/api\/v4\/?$/, '').replace(/\/+$/, '')}`.replaceAll(/[^A-Za-z0-9.-]+/g, '-')
}
