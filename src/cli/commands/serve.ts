// `bellhop serve`: runs the bot until SIGTERM or Ctrl-C.
import { Command } from 'commander'
import { redisPasswords } from '../../queue/redis/target.ts'
import { chatsOf } from '../chats/chats-file.ts'
import { createLog, prettyLine } from '../output/log.ts'
import { startTracing } from '../server/start-tracing.ts'
import { stopSignal } from '../server/stop-signal.ts'
import { serviceFetch } from '../service/service-fetch.ts'
import { openTokenFile } from '../settings/secret-files.ts'
import { TOKEN_FILE } from '../settings/service.ts'
import type { Setting } from '../settings/setting.ts'
import { type Config, readConfig, settings } from '../settings/settings.ts'
import { UsageError, UserError } from '../user-error.ts'

const help = `
X_FILE=PATH in the environment reads the secret X from a file. See docs/configuration.md.`

/** Prints `bellhop: http://127.0.0.1:N` on standard output when it is ready; logs go to standard error. */
export function serve(): Command {
  const command = new Command()
  for (const each of Object.values<Setting<unknown>>(settings)) {
    command.option(`${each.flag} <value>`, `${each.doc} (${each.variable}; ${shownDefault(each)})`)
  }
  return command.addHelpText('after', help).action(async (flags: Record<string, string | undefined>) => run(flags))
}

function shownDefault(each: Setting<unknown>): string {
  if (each.default === undefined) return `required${each.example === undefined ? '' : `, e.g. ${each.example}`}`
  return each.default === '' ? 'none by default' : `default ${each.default}`
}

/** The flags by the settings' names: commander calls `--hook-secret` `hookSecret`. */
function flagsByKey(flags: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([key, each]) => [
      key,
      flags[each.flag.slice(2).replaceAll(/-(.)/g, (_all, letter: string) => letter.toUpperCase())],
    ]),
  )
}

async function run(flags: Record<string, string | undefined>): Promise<void> {
  const read = readConfig(process.env, flagsByKey(flags))
  if (!read.ok) throw new (read.exitCode === 1 ? UserError : UsageError)(read.problems.join('\n'))
  const { config } = read
  const chats = await chatsOf(config.chats, process.env)
  const tokens: string[] = []
  const isTerminal = process.stderr.isTTY === true
  const isPretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal)
  const pretty = prettyLine(isTerminal && (process.env.NO_COLOR ?? '') === '')
  const log = createLog({
    level: config.logLevel,
    secrets: [...secretsOf(config), ...chats.map(({ url }) => url)],
    laterSecrets: () => tokens,
    write: isPretty ? (line) => void process.stderr.write(pretty(line)) : undefined,
  })
  const file = flags.serviceToken === undefined ? (process.env[TOKEN_FILE] ?? '') : ''
  const listener = {
    onChange: (read: string) => {
      tokens.push(read)
      log.info({ event: 'token_read', file }, 'read the service token')
    },
    onProblem: (reason: string) => log.warn({ event: 'token_unreadable', reason }, 'keeping the previous token'),
  }
  const token = file === '' ? () => config.serviceToken : openTokenFile(file, listener)
  const notificationFetch =
    config.notifyUrl === '' ? undefined : serviceFetch({ ...config, serviceUrl: config.notifyUrl }, process.env)
  // Loaded here, so that --help starts fast.
  const start =
    config.only === 'receiver'
      ? (await import('../server/run-server.ts')).startReceiver
      : (await import('../server/start-bellhop.ts')).startBellhop
  const tracing = await startTracing(process.env, log)
  const running = await start(config, {
    log,
    isTraced: tracing !== undefined,
    service: { token, fetch: serviceFetch(config, process.env) },
    notificationFetch,
    chats: chats.map((chat) => ({ ...chat, fetch: serviceFetch({ ...config, serviceUrl: chat.url }, process.env) })),
    onProgress: (sentence) => log.info({ event: 'progress' }, sentence),
  }).catch((error: unknown) => {
    throw new UserError(error instanceof Error ? error.message : String(error), { cause: error })
  })
  const stopped = stopSignal()
  process.stdout.write(`bellhop: ${running.url}\n`)
  log.info({ event: 'stopping', signal: await stopped }, 'stopping')
  await running.stop()
  await tracing?.stop()
  // Connections that retry an unreachable Redis would keep the process running.
  process.exit(0)
}

/** Includes the passwords in the addresses of queue, journal and proxy. */
export function secretsOf(config: Config): string[] {
  const passwords = [config.queueUrl, config.journalUrl, config.proxy].map((each) =>
    URL.canParse(each) ? new URL(each).password : '',
  )
  const admins = config.adminTokens.map(({ token }) => token)
  return [
    config.serviceToken,
    config.adminToken,
    ...admins,
    ...passwords,
    ...passwords.map(decoded),
    ...redisPasswords(config.queueUrl),
    config.notifyUrl,
    ...config.notifySecrets,
    ...config.hookSecrets,
    ...config.signingSecrets,
    ...config.hookMasterKeys,
  ]
}

/** The text itself if it is not percent-encoded: a password may hold a bare "%". */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
