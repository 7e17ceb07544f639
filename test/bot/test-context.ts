// A context of the flow for tests. What a test does not give, and what has no ordinary value, fails when it is used.
import type { BotOptions } from '../../src/bot/bot-options.ts'
import type { Context, HostingService, OperatorSettings } from '../../src/bot/context.ts'
import { createAnswerCache } from '../../src/bot/evaluation/answers.ts'
import type { BotQueues } from '../../src/bot/queues.ts'
import { defaultRetryDelays } from '../../src/bot/service/retry-policy.ts'
import { createServiceState } from '../../src/bot/service/service-state.ts'
import type { Client } from '../../src/client/create-client.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { makeClient } from '../client/world.ts'
import { bot } from '../rules/world.ts'
import { rulesOfVersion, silent } from './stores.ts'

type Tables = { [T in keyof Journal]?: Partial<Journal[T]> }

export interface GivenContext
  extends Partial<Omit<Context, 'client' | 'journal' | 'queues' | 'service' | 'operator' | 'rules'>> {
  client?: Partial<Client>
  journal?: Tables
  queues?: Partial<BotQueues>
  rules?: Partial<Context['rules']>
  service?: Partial<HostingService>
  operator?: Partial<OperatorSettings>
}

/** Without files, chats and notifications; nothing sweeps by itself. */
export const operatorSettings: OperatorSettings = {
  operatorFiles: [],
  policy: { entries: [], defaults: { mode: 'act', newRuleLimit: 10 } },
  offLabel: 'off',
  bodyRetentionMs: 60_000,
  sweep: { everyMs: 0, calls: 500 },
  retryDelays: defaultRetryDelays,
  hasAdmins: false,
}

/** The options of a whole bot in which nothing runs by itself, and whose git has no repositories. */
export const botOptions: Omit<BotOptions, 'client' | 'backend' | 'journal'> = {
  token: () => 'token',
  state: createServiceState({ now: Date.now }),
  secrets: { tokens: ['t'], signing: [] },
  masterKeys: [],
  capacityLimits: { backlogBytes: 1e9, backlog: 1_000, memoryPercent: 90, freeDisk: 0 },
  operator: operatorSettings,
  concurrency: 1,
  git: {
    workDir: '/nonexistent',
    serviceUrl: 'http://127.0.0.1',
    searchPath: undefined,
    mostBytes: 1,
    authorities: '',
  },
  now: Date.now,
  log: silent,
}

/** The bot user is that of the rules' world, no rule is in force, and git knows nothing. */
export function testContext(given: GivenContext = {}): Context {
  const { service, operator, rules, now = () => Date.now(), log = silent, ...rest } = given
  const context = {
    client: makeClient().client,
    queues: {},
    botUser: async () => bot,
    log,
    now,
    ...rest,
    rules: { ...rulesOfVersion(''), ...rules },
    service: {
      state: createServiceState({ now }),
      answers: createAnswerCache(),
      compareContent: async () => 'unknown',
      ...service,
    },
    operator: { ...operatorSettings, ...operator },
  }
  return context as unknown as Context
}

/** For `operator`: notifications are queued, and none is sent. */
export const notifying = { postNotification: async () => undefined }

/** The notifications that were queued, oldest first. */
export async function notifiedIn({ notifications }: BotQueues) {
  const jobs = await notifications.list(['waiting', 'delayed'], 0, 100)
  return jobs.toReversed().flatMap(({ data }) => (data.is === 'notification' ? [data.notification] : []))
}
