// The hosting service as the commands that only read it are given it: address and token from the environment, checked as `serve` checks them.
import { type Client, type ClientOptions, createClient } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { serviceFetch } from '../service-fetch.ts'
import type { ConnectionFlags } from '../services/service-options.ts'
import type { Setting } from '../settings/setting.ts'
import { settings } from '../settings.ts'
import { serviceToken } from '../token-file.ts'
import { UserError } from '../user-error.ts'

export interface Connection {
  client: Client
  /** Its name in refs. */
  service: string
}

function read<T>(setting: Setting<T>, text: string | undefined): T {
  if (text === undefined || text === '')
    throw new UserError(`${setting.variable} is missing: ${setting.doc} Set it, or give ${setting.flag}.`, { exitCode: 2 })
  return reading(setting, text)
}

/** What the text of a setting says. Throws UserError, which never shows the text of a secret. */
export function reading<T>(setting: Setting<T>, text: string): T {
  try {
    return setting.read(text)
  } catch (cause) {
    throw new UserError(`${setting.variable}: expected ${cause instanceof Error ? cause.message : 'another value'}.`, {
      exitCode: 2,
      cause,
    })
  }
}

/** A client of the service. Throws UserError where the settings cannot be used. */
export function connect(flags: ConnectionFlags, options: Omit<ClientOptions, 'baseUrl' | 'token'> = {}): Connection {
  const baseUrl = read(settings.serviceUrl, flags.serviceUrl)
  const { serviceToken: given = '', serviceTokenFile = '' } = flags
  // A command is over before anybody would hear that the file is another by now.
  const hearer = { onChange: () => undefined, onProblem: () => undefined }
  const isFromFile = given === '' && serviceTokenFile !== ''
  const token = serviceToken({ serviceToken: isFromFile ? '' : read(settings.serviceToken, given), serviceTokenFile }, hearer)
  const proxy = flags.proxy === undefined ? '' : read(settings.proxy, flags.proxy)
  const fetch = serviceFetch({ serviceUrl: baseUrl, proxy, caFile: flags.caFile ?? '' }, process.env)
  return { client: createClient({ ...options, baseUrl, token, fetch }), service: flags.service ?? new URL(baseUrl).host }
}

/** What went wrong with a call, as a sentence for the person at the terminal. */
export async function orUserError<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    throw new UserError(`The hosting service: ${cause.message}.${remedyFor(cause)}`, { exitCode: 1, cause })
  }
}

/** What the person at the terminal can do about it, as a question or a sentence with a space before it; empty where nothing is known. */
export function remedyFor(error: ServiceError): string {
  const { status, kind, missingPermission } = error
  if (status === 401 && !missingPermission) return ' Is BELLHOP_SERVICE_TOKEN right? It may have expired.'
  if (status === 403 && /scope/i.test(error.serviceMessage ?? '')) return ' The token needs the scope api: make a new one.'
  if (kind === 'unreachable' && hasCode(error, /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/))
    return ' Is it signed by an authority of your own? Name its certificate file in BELLHOP_CA_FILE.'
  if (kind === 'unreachable' && hasCode(error, /^PROXY_/)) return ' Is BELLHOP_PROXY right?'
  if (kind === 'unreachable' || kind === 'unreadable' || kind === 'redirected') return ' Is BELLHOP_SERVICE_URL right?'
  return ''
}

function hasCode(error: unknown, wanted: RegExp, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return wanted.test(code) || hasCode(error.cause, wanted, depth + 1)
}

/** The id of a project that is named by id or path. */
export async function projectId(client: Client, named: string): Promise<number> {
  const { id } = (await client.projects.get({ id: named })).body
  if (id === undefined) throw new UserError(`The service does not say the id of ${named}.`, { exitCode: 1 })
  return id
}
