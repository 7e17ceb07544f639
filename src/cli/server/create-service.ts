// The hosting service's client and state, and the bot and the admin context over them.
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { AdminContext } from '../../admin/admin-context.ts'
import { cached } from '../../admin/metrics/metric-factory.ts'
import type { Metrics } from '../../admin/metrics/metrics.ts'
import { createBot } from '../../bot/bot.ts'
import type { OperatorSettings } from '../../bot/context.ts'
import { enqueueEvaluation, enqueueMergeQueue } from '../../bot/queues.ts'
import type { ReceiverOptions } from '../../bot/receiver.ts'
import { readOperatorFiles, readPolicyFile } from '../../bot/rule-files/operator-files.ts'
import { askTokenExpiry, createTokenScope, daysLeft } from '../../bot/service/bot-token.ts'
import type { RetryDelays } from '../../bot/service/retry-policy.ts'
import { createServiceState, type ServiceCondition } from '../../bot/service/service-state.ts'
import { type Client, createClient } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { createPostNotification } from '../../client/post-notification.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Queues } from '../../queue/types.ts'
import { unknownChats } from '../../rules/lint/named-references.ts'
import type { ChatSettings } from '../chats/chats-file.ts'
import { hookPlace } from '../hooks/desired-hook.ts'
import { disabledHook } from '../hooks/install.ts'
import { createHookHealth, ownHooks } from '../hooks/own-hooks.ts'
import { proxyFor, trustedAuthorities } from '../service/service-fetch.ts'
import { LEAST_FREE_DISK } from '../settings/queue.ts'
import type { Config } from '../settings/settings.ts'
import { clientAddress } from './http-server.ts'

/** The most that deliveries which wait for intake may take, as the queue stores them. */
const BACKLOG_BYTES = 2_000 * 2 ** 20

export interface GivenService {
  /** Called before each request. */
  token: () => string
  /** Node's fetch when absent. */
  fetch?: typeof fetch
}

/** A chat of the operator's; `fetch`: Node's when absent. */
export interface GivenChat extends ChatSettings {
  fetch?: typeof fetch
}

type OperatorFiles = Awaited<ReturnType<typeof readOperator>>

/** Throws OperatorFilesError. */
export async function readOperator({ rulesFolder, mode, newRuleLimit }: Config, chats: readonly ChatSettings[]) {
  const files = await readOperatorFiles(rulesFolder)
  const named = chats.map(({ name, projects }) => ({ name, projects }))
  const defaults = { mode, newRuleLimit, chats: named }
  return { files, policy: { entries: await readPolicyFile(rulesFolder), defaults } }
}

export interface ServiceOptions extends GivenService, OperatorFiles {
  config: Config
  queue: Queues
  journal: Journal
  metrics: Metrics
  retryDelays: RetryDelays
  /** For notifications. */
  notificationFetch?: typeof fetch
  /** The chats that rules may post to. */
  chats: readonly GivenChat[]
  withoutServer?: boolean
  log: Logger
}

/** The settings that a receiver needs as well. */
export function receiverSettings(config: Config): Omit<ReceiverOptions, 'backend' | 'now' | 'log'> {
  return {
    secrets: { tokens: config.hookSecrets, signing: config.signingSecrets },
    masterKeys: config.hookMasterKeys,
    addressOf: clientAddress(config.trustedProxies),
    capacityLimits: {
      backlog: config.maxBacklog,
      backlogBytes: BACKLOG_BYTES,
      memoryPercent: config.maxQueueMemory,
      freeDisk: LEAST_FREE_DISK * 2 ** 20,
    },
    sweepEveryMs: config.sweepEveryMs,
  }
}

/** Nothing runs until the bot is started. Throws UsageError for a proxy or certificates that git cannot use. */
export function createService(options: ServiceOptions) {
  const { config, token, queue, journal, retryDelays, policy, log } = options
  const now = () => Date.now()
  const counting = options.metrics
  const state = createServiceState({
    now,
    onChange: (condition) => {
      logCondition(log, condition)
      void bot.onServiceCondition(condition)
    },
  })
  const client = createClient({
    baseUrl: config.serviceUrl,
    token,
    tokenKind: config.serviceTokenKind,
    fetch: options.fetch,
    log: (line) => {
      log.debug({ event: 'request', ...line }, 'request')
      state.onRequest(line)
      counting.request(line)
    },
    onLimits: (limits) => {
      state.onLimits(limits)
      counting.limits(limits)
    },
    rateLimitedUntil: state.rateLimitedUntil,
    maxWaitMs: retryDelays.callMs,
  })
  const place = config.hooksUrl === '' ? undefined : hookPlace(config)
  const includeFrom = policy.entries.flatMap((entry) => entry.includeFrom ?? [])
  const bot = createBot({
    client,
    token,
    backend: queue,
    journal,
    state,
    ...receiverSettings(config),
    operator: {
      operatorFiles: options.files,
      policy,
      offLabel: config.offLabel,
      publicUrl: config.publicUrl.replace(/\/+$/, '') || undefined,
      bodyRetentionMs: config.bodyRetentionHours * 60 * 60 * 1_000,
      sweep: { everyMs: config.sweepEveryMs, calls: config.sweepCalls },
      retryDelays,
      hasAdmins: config.adminToken !== '' || config.adminTokens.length > 0,
      withoutServer: options.withoutServer,
      chats: options.chats.map(({ name: chat, kind, url, fetch }) => ({
        name: chat,
        kind,
        post: createPostNotification({ url, name: `the chat ${chat}`, signing: [], fetch }),
      })),
      ...(config.notifyUrl === '' ? {} : notifications(options, client)),
      hooks: place && ownHooks({ client, place, includeFrom }),
    },
    concurrency: config.concurrency,
    // The same network as the client of the API.
    git: {
      serviceUrl: config.serviceUrl,
      workDir: resolve(config.workDir),
      searchPath: process.env.PATH,
      mostBytes: config.maxRepositorySize * 2 ** 20,
      proxy: proxyFor(new URL(config.serviceUrl), config.proxy, process.env)?.href,
      authorities: trustedAuthorities(config.caFile, process.env).join('\n'),
    },
    now,
    counting,
    readTokenExpiry: () => askTokenExpiry(client),
    log,
  })
  const unknown = unknownChats(
    options.files,
    options.chats.map((chat) => chat.name),
  )
  if (unknown.length > 0)
    log.warn(
      { event: 'chat_unknown', chats: unknown },
      `the operator’s rules post to chats that nobody names: ${unknown.join(', ')}`,
    )
  const admin: AdminContext = {
    ...bot,
    journal,
    now,
    async wakeMergeQueue(of, iid) {
      if (iid !== undefined) await enqueueEvaluation(bot.queues.mergeRequests, { project: of.project, iid })
      await enqueueMergeQueue(bot.queues.mergeQueues, of)
    },
    countMergeQueue: counting.mergeQueue,
    status: () => ({ service: state.condition(), capacity: bot.capacity.condition(), rateLimit: state.rateLimit() }),
    rulesInProject: bot.ruleFiles.known,
    tokenExpiry: cachedTokenExpiry(client, now),
    hookHealth:
      place === undefined ? undefined : createHookHealth({ place, includeFrom, client, ruleFiles: bot.ruleFiles, now }),
  }
  return { bot, admin, condition: state.condition, tokenScope: createTokenScope({ client, token, now }) }
}

/** How operators are notified, and how a disabled hook is found. */
function notifications(
  { config, notificationFetch }: ServiceOptions,
  client: Client,
): Pick<OperatorSettings, 'postNotification' | 'readDisabledHook'> {
  const { notifyUrl: url, notifySecrets: signing, hooksUrl } = config
  return {
    postNotification: createPostNotification({ url, signing, fetch: notificationFetch }),
    readDisabledHook: hooksUrl === '' ? undefined : disabledHook({ client, place: hookPlace(config) }),
  }
}

/** Undefined while the service fails. */
function cachedTokenExpiry(client: Client, now: () => number): AdminContext['tokenExpiry'] {
  const read = cached(() => askTokenExpiry(client).catch(orUnknown), { cacheMs: 5 * 60_000, now })
  return async () => {
    const expiry = await read()
    return expiry?.is === 'on' ? { date: expiry.date, daysLeft: daysLeft(expiry, now()) } : undefined
  }
}

function orUnknown(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error
}

const conditions = {
  fine: ['info', 'service_available', 'the service is available'],
  token_rejected: ['error', 'service_token_rejected', 'the service rejects the token: no work until it is replaced'],
  unreachable: ['warn', 'service_unreachable', 'the service is unreachable'],
  rate_limited: ['warn', 'service_rate_limited', 'the rate limit of the service is used up'],
} as const satisfies Record<ServiceCondition['is'], readonly [level: string, event: string, message: string]>

function logCondition(log: Logger, { is, reason }: ServiceCondition) {
  const [level, event, message] = conditions[is]
  log[level]({ event, reason }, message)
}
