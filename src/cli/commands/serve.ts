// `bellhop serve`: the bot, until it is told to stop.
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { prettyLine } from '../pretty-log.ts'
import { serviceFetch } from '../service-fetch.ts'
import { configOfEach } from '../services/config-of-each.ts'
import type { Setting } from '../settings/setting.ts'
import { type Config, settings } from '../settings.ts'
import { stopSignal } from '../stop-signal.ts'
import { serviceToken } from '../token-file.ts'
import { UserError } from '../user-error.ts'
import { expectShortLives } from '../v8-flags.ts'

const help = `
A secret may stand in a file: X_FILE=PATH in the environment, in place of X. docs/configuration.md says who needs which setting.`

/** Prints `bellhop: http://127.0.0.1:N` on standard output when it is ready; logs go to standard error. */
export function serve(): Command {
  const command = new Command('serve').description('run the bot: take deliveries, judge, act')
  for (const each of Object.values<Setting<unknown>>(settings)) {
    command.option(`${each.flag} <value>`, `${each.doc} (${each.variable}; ${shownDefault(each)})`)
  }
  return command.addHelpText('after', help).action(async (flags: Record<string, string | undefined>) => run(flags))
}

function shownDefault(each: Setting<unknown>): string {
  if (each.default === undefined) return `required${each.example === undefined ? '' : `, e.g. ${each.example}`}`
  return each.default === '' ? 'none by default' : `default ${each.default}`
}

/** Commander names a flag `--hook-secret` `hookSecret`; settings are named by what they hold. */
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
  if (!read.ok) throw new UserError(read.problems.join('\n'), { exitCode: 2 })
  const { config } = read
  const configs = await configOfEach(config, process.env)
  const tokens: string[] = []
  const isTerminal = process.stderr.isTTY === true
  const isPretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal)
  const pretty = prettyLine(isTerminal && (process.env.NO_COLOR ?? '') === '')
  const log = createLog({
    ...{ level: config.logLevel, secrets: configs.flatMap(secretsOf), laterSecrets: () => tokens },
    ...(isPretty ? { write: (line: string) => void process.stderr.write(pretty(line)) } : {}),
  })
  const services = configs.map((each) => ({
    config: each,
    token: serviceToken(each, {
      onChange: (token) => {
        tokens.push(token)
        log.info({ event: 'token read', file: each.serviceTokenFile }, 'the service’s token was read')
      },
      onProblem: (reason) => log.warn({ event: 'token not read', reason }, 'the token that was read last is used on'),
    }),
    fetch: serviceFetch(each, process.env),
  }))
  const noticeFetch = config.tellUrl === '' ? undefined : serviceFetch({ ...config, serviceUrl: config.tellUrl }, process.env)
  // Loaded here, so that the other commands and --help need not wait for the queue's packages.
  const { startBellhop } = await import('../start-bellhop.ts')
  // After what is loaded: Node's own modules would be compiled anew.
  if (config.only === 'receiver') expectShortLives()
  const bellhop = await startBellhop(config, {
    log,
    services,
    noticeFetch,
    onProgress: (sentence) => log.info({ event: 'progress' }, sentence),
  }).catch((error: unknown) => {
    throw new UserError(error instanceof Error ? error.message : String(error), { exitCode: 1, cause: error })
  })
  const stopped = stopSignal()
  process.stdout.write(`bellhop: ${bellhop.url}\n`)
  log.info({ event: 'stopping', signal: await stopped }, 'stopping')
  await bellhop.stop()
  // Not left to the event loop: connections that try to come back to a Redis that is away would keep it going for ever.
  process.exit(0)
}

/** The passwords of the queue's address and of the proxy's are secrets of their own. */
function secretsOf(config: Config): string[] {
  const passwords = [config.queueUrl, config.proxy].map((each) => (URL.canParse(each) ? new URL(each).password : ''))
  const admins = config.adminTokens.map(({ token }) => token)
  const hooks = [config.tellUrl, ...config.tellSecrets, ...config.hookSecrets, ...config.signingSecrets, ...config.hookMasterKeys]
  return [config.serviceToken, config.adminToken, ...admins, ...passwords, ...passwords.map(decoded), ...hooks]
}

/** The text itself where it is not written as addresses write: a password may hold a bare "%". */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
