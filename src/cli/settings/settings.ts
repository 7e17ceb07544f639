// All settings of `bellhop serve`.
import { DEFAULT_JOURNAL_URL, journalDirectory } from '../../journal/database/journal-url.ts'
import { isRedisUrl } from '../../queue/redis/target.ts'
import { address } from './address.ts'
import { admin } from './admin.ts'
import { hooks } from './hooks.ts'
import { capacity, queue } from './queue.ts'
import { rules } from './rules.ts'
import { service, TOKEN_FILE } from './service.ts'
import { expectation, type Setting } from './setting.ts'
import { work } from './work.ts'

/** In the order of docs/configuration.md. */
export const subjects: { title: string; settings: Readonly<Record<string, Setting<unknown>>> }[] = [
  { title: 'The hosting service', settings: service },
  { title: 'Web hook secrets', settings: hooks },
  { title: 'Addresses', settings: address },
  { title: 'Queue and journal', settings: queue },
  { title: 'Rules', settings: rules },
  { title: 'Capacity', settings: capacity },
  { title: 'Admin API and notifications', settings: admin },
  { title: 'Work and log', settings: work },
]

export const settings = {
  ...service,
  ...hooks,
  ...address,
  ...queue,
  ...rules,
  ...capacity,
  ...admin,
  ...work,
} as const

type Settings = typeof settings
export type Config = { [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

/** `exitCode` 2: wrong usage; 1: what the settings ask for is not possible. */
type ReadConfig = { ok: true; config: Config } | { ok: false; problems: string[]; exitCode: 1 | 2 }

/** A flag wins over its variable. Each problem names the variable and what is expected, never a secret's value. */
export function readConfig(
  environment: Record<string, string | undefined>,
  flags: Record<string, string | undefined>,
): ReadConfig {
  const gone = goneSettings(environment)
  if (gone.length > 0) return { ok: false, problems: gone, exitCode: 1 }
  const problems: string[] = []
  const config: Record<string, unknown> = {}
  const all: Record<string, Setting<unknown>> = settings
  for (const [key, each] of Object.entries(all)) {
    const text = flags[key] ?? environment[each.variable] ?? each.default
    if (text === undefined) {
      problems.push(`${each.variable} is missing: ${each.doc} Set it, or give ${each.flag}.`)
      continue
    }
    try {
      config[key] = each.read(text)
    } catch (error) {
      // An address may hold a password or a token.
      const found = each.secret === true || /[@?]/.test(text) ? '' : `, found ${JSON.stringify(text)}`
      problems.push(`${each.variable}: ${expectation(error)}${found}.`)
    }
  }
  const read = config as Partial<Config>
  if (read.only !== undefined && read.queueUrl?.startsWith('embedded:') === true)
    problems.push(
      `${settings.only.variable}: only one process can use the embedded queue. Set ${settings.queueUrl.variable} to redis://… or postgres://….`,
    )
  if (
    read.only !== 'worker' &&
    read.hookSecrets?.length === 0 &&
    read.signingSecrets?.length === 0 &&
    read.hookMasterKeys?.length === 0
  ) {
    problems.push(
      'BELLHOP_HOOK_SECRET is missing: without a secret anyone could send deliveries. Set it, or BELLHOP_SIGNING_SECRET, or BELLHOP_HOOK_MASTER_KEY.',
    )
  }
  for (const name of Object.keys(environment)) {
    if (name.startsWith('BELLHOP_') && !knownVariables.has(name))
      problems.push(`${name} is not a setting of Bellhop: see bellhop serve --help.`)
  }
  if (problems.length > 0) return { ok: false, problems, exitCode: 2 }
  if (isRedisUrl(String(config.queueUrl))) config.journalUrl ||= DEFAULT_JOURNAL_URL
  const refused = journalProblem(config as Config)
  return refused === undefined
    ? { ok: true, config: config as Config }
    : { ok: false, problems: [refused], exitCode: 1 }
}

/** Which journal goes with which queue and process. */
function journalProblem({ queueUrl, journalUrl, only }: Config): string | undefined {
  const { variable } = settings.journalUrl
  if (isRedisUrl(journalUrl))
    return `${variable}: a journal is not stored in Redis. Leave it out for an embedded one, or set it to postgres://….`
  if (journalUrl !== '' && !isRedisUrl(queueUrl))
    return `${variable} needs a queue in Redis (${settings.queueUrl.variable}=redis://…): every other queue stores the journal in its own database.`
  if (only === 'worker' && journalDirectory(journalUrl) !== undefined)
    return `${settings.only.variable}: only one process can use an embedded journal, and workers share theirs. Set ${variable} to postgres://….`
  return undefined
}

// BELLHOP_ADMIN_URL is read by other commands, and may be set in the same shell.
const knownVariables = new Set([
  ...Object.values(settings).map((each) => each.variable),
  TOKEN_FILE,
  'BELLHOP_ADMIN_URL',
])

/** Settings of earlier versions: what to do in their place. */
const gone: Readonly<Record<string, string>> = {
  BELLHOP_SHARDS: 'one Redis takes the work of all projects; beyond that, divide the projects between installations',
  BELLHOP_MAX_BACKLOG_SIZE: 'deliveries that wait may always take 2 GB; BELLHOP_MAX_QUEUE_MEMORY limits them further',
  BELLHOP_MIN_FREE_DISK: 'deliveries are always refused below 256 MB of free disk',
  BELLHOP_REDIS_WAIT: 'a replica of Redis always gets half a second to confirm a delivery',
  BELLHOP_SERVICES: 'one process serves one hosting service, so run one for each',
  BELLHOP_SERVICE_NAME: 'a queue and its journal belong to one hosting service, which needs no name',
}

/** A line for each that is set. */
function goneSettings(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment).flatMap((name) => {
    const instead = Object.hasOwn(gone, name) ? gone[name] : undefined
    return instead === undefined ? [] : [`${name} is gone: ${instead}; see upgrading in CHANGELOG.md.`]
  })
}
