// A client of a running bot's admin API.
import { UsageError, UserError } from '../user-error.ts'

export interface AdminClient {
  get(path: string): Promise<unknown>
  /** `body` is sent as JSON. */
  post(path: string, body?: object): Promise<unknown>
}

/** `service` names one of several services. Every failure is a UserError that says what to do. */
export function createAdminClient({
  url,
  token,
  service,
}: {
  url: string
  token: string
  service?: string | undefined
}): AdminClient {
  // fetch accepts only Latin-1 in headers.
  const authorization = `Bearer ${Buffer.from(token.trim()).toString('latin1')}`
  const base = url.replace(/\/+$/, '')
  const asking = (path: string) =>
    service === undefined ? '' : `${path.includes('?') ? '&' : '?'}service=${encodeURIComponent(service)}`
  async function send(method: 'GET' | 'POST', path: string, sent?: object): Promise<unknown> {
    const response = await fetch(`${base}/admin/api${path}${asking(path)}`, {
      method,
      headers: { authorization, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    }).catch((error: unknown) => {
      throw new UserError(
        `${base} cannot be reached: is the bot running there? Set its address with BELLHOP_ADMIN_URL or --url.`,
        { cause: error },
      )
    })
    const body: unknown = await response.json().catch(() => undefined)
    if (response.ok && typeof body === 'object' && body !== null) return body
    if (response.ok) throw new UserError(`${base} does not answer like Bellhop: is another server running there?`)
    if (response.status === 401)
      throw new UserError(
        'The admin token is missing or wrong: set BELLHOP_ADMIN_TOKEN to the one that the bot was started with.',
      )
    const message = `${method} ${path} answered ${response.status}: ${errorOf(body)}`
    // 400: unknown parameters, such as a service that does not exist.
    throw response.status === 400 ? new UsageError(message) : new UserError(message)
  }
  return { get: (path) => send('GET', path), post: (path, body) => send('POST', path, body) }
}

function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'no details'
}
