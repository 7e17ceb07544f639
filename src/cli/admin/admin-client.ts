// A client of a running bot's admin API.
import { UsageError, UserError } from '../user-error.ts'

export interface AdminClient {
  get(path: string): Promise<unknown>
  /** A response that is CSV. */
  csv(path: string): Promise<string>
  /** `body` is sent as JSON. */
  post(path: string, body?: object): Promise<unknown>
}

/** Every failure is a UserError that says what to do. */
export function createAdminClient({ url, token }: { url: string; token: string }): AdminClient {
  // fetch accepts only Latin-1 in headers.
  const authorization = `Bearer ${Buffer.from(token.trim()).toString('latin1')}`
  const base = url.replace(/\/+$/, '')
  async function ask(method: 'GET' | 'POST', path: string, sent?: object): Promise<Response> {
    const response = await fetch(`${base}/admin/api${path}`, {
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
    if (response.ok) return response
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status === 401)
      throw new UserError(
        'The admin token is missing or wrong: set BELLHOP_ADMIN_TOKEN to the one that the bot was started with.',
      )
    const cause = new Error(`${method} ${path} answered ${response.status}`)
    const message = `${errorOf(body) ?? `${base} could not do that (HTTP ${response.status}).`}${remedyFor(response.status)}`
    // 400: the command's arguments.
    throw response.status === 400 ? new UsageError(message, { cause }) : new UserError(message, { cause })
  }
  const notBellhop = () => new UserError(`${base} does not answer like Bellhop: is another server running there?`)
  async function send(method: 'GET' | 'POST', path: string, sent?: object): Promise<unknown> {
    const response = await ask(method, path, sent)
    const body: unknown = await response.json().catch(() => undefined)
    if (typeof body === 'object' && body !== null) return body
    throw notBellhop()
  }
  return {
    get: (path) => send('GET', path),
    async csv(path) {
      const response = await ask('GET', path)
      if (response.headers.get('content-type')?.startsWith('text/csv') !== true) throw notBellhop()
      return response.text()
    },
    post: (path, body) => send('POST', path, body),
  }
}

/** The sentence of the bot; undefined where something else answered. */
function errorOf(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : undefined
}

/** What to do, with a leading space. */
function remedyFor(status: number): string {
  if (status === 403) return ' Set BELLHOP_ADMIN_TOKEN to a token that has it.'
  if (status === 429) return ' Try again in a minute, with the right BELLHOP_ADMIN_TOKEN.'
  return status >= 500 ? ' Its log says why; bellhop doctor checks its settings.' : ''
}
