// Connects a command to the hosting service, with the settings that `serve` uses.
import { type Client, type ClientOptions, createClient } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { expectation, type Setting } from '../settings/setting.ts'
import { settings } from '../settings/settings.ts'
import { UsageError, UserError } from '../user-error.ts'
import { serviceFetch } from './service-fetch.ts'
import type { ConnectionFlags } from './service-options.ts'

function read<T>(setting: Setting<T>, text: string | undefined): T {
  if (text === undefined || text === '')
    throw new UsageError(`${setting.variable} is missing: ${setting.doc} Set it, or give ${setting.flag}.`)
  return reading(setting, text)
}

/** Parses a setting. Throws UsageError, which never shows a secret. */
export function reading<T>(setting: Setting<T>, text: string): T {
  try {
    return setting.read(text)
  } catch (cause) {
    throw new UsageError(`${setting.variable}: ${expectation(cause)}.`, { cause })
  }
}

/** Throws UsageError for invalid settings. */
export function connect(flags: ConnectionFlags, options: Omit<ClientOptions, 'baseUrl' | 'token'> = {}): Client {
  const baseUrl = read(settings.serviceUrl, flags.serviceUrl)
  const token = read(settings.serviceToken, flags.serviceToken)
  const tokenKind = read(settings.serviceTokenKind, flags.serviceTokenKind || settings.serviceTokenKind.default)
  const proxy = flags.proxy === undefined ? '' : read(settings.proxy, flags.proxy)
  const fetch = serviceFetch({ serviceUrl: baseUrl, proxy, caFile: flags.caFile ?? '' }, process.env)
  return createClient({ ...options, baseUrl, token, tokenKind, fetch })
}

/** Turns a ServiceError into a UserError. */
export async function orUserError<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    throw new UserError(`The hosting service: ${cause.message}.${remedyFor(cause)}`, { cause })
  }
}

/** What the user can do, with a leading space; empty if unknown. */
export function remedyFor(error: ServiceError): string {
  const { status, kind, missingPermission } = error
  if (status === 401 && !missingPermission) return ' Is BELLHOP_SERVICE_TOKEN right? It may have expired.'
  if (status === 403 && /scope/i.test(error.serviceMessage ?? ''))
    return ' The token needs the scope api: make a new one.'
  if (kind === 'unreachable' && hasCode(error, /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/))
    return ' If a private authority signed it, set BELLHOP_CA_FILE to its certificate.'
  if (kind === 'unreachable' && hasCode(error, /^PROXY_/)) return ' Is BELLHOP_PROXY right?'
  if (kind === 'unreachable' || kind === 'unreadable' || kind === 'redirected') return ' Is BELLHOP_SERVICE_URL right?'
  return ''
}

function hasCode(error: unknown, pattern: RegExp, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return pattern.test(code) || hasCode(error.cause, pattern, depth + 1)
}

/** Throws UserError if there is no such project, and what the client throws. */
export async function projectNamed(client: Client, named: string): Promise<{ project: number; path?: string }> {
  const found = await client.projects.get({ id: named }).catch((cause: unknown) => {
    if (!(cause instanceof ServiceError) || cause.status !== 404) throw cause
    const what = `There is no project ${named} that the token’s user can see`
    throw new UserError(`${what}: is it the full path, such as hotel/app, or an id?`, { cause })
  })
  const { id, path_with_namespace: path } = found.body
  if (id === undefined) throw new UserError(`The service returned no id for ${named}.`)
  return { project: id, path }
}

/** The HTTP status of the response; undefined without one. Follows no redirect. */
export async function askStatus(url: string, withinMs: number, init: RequestInit = {}, by = fetch) {
  try {
    const response = await by(url, { redirect: 'manual', signal: AbortSignal.timeout(withinMs), ...init })
    await response.body?.cancel()
    return response.status
  } catch {
    return undefined
  }
}
