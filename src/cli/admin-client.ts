// Talks to the admin API of a running bot; its address and token come from the environment.
import { UserError } from './user-error.ts'

export interface AdminClient {
  get(path: string): Promise<unknown>
  /** `body` is sent as JSON. */
  post(path: string, body?: object): Promise<unknown>
}

/** A client of the admin API; `service` is the one that all is about, where Bellhop works for several. Every failure is a UserError with a sentence that says what to do. */
export function createAdminClient({ url, token, service }: { url: string; token: string; service?: string | undefined }): AdminClient {
  // As UTF-8: fetch itself takes no other letters than those of Latin-1.
  const authorization = `Bearer ${Buffer.from(token.trim()).toString('latin1')}`
  const base = url.replace(/\/+$/, '')
  const asking = (path: string) => (service === undefined ? '' : `${path.includes('?') ? '&' : '?'}service=${encodeURIComponent(service)}`)
  async function send(method: 'GET' | 'POST', path: string, sent?: object): Promise<unknown> {
    const response = await fetch(`${base}/admin/api${path}${asking(path)}`, {
      method,
      headers: { authorization, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    }).catch((error: unknown) => {
      throw new UserError(`${base} cannot be reached: is the bot running there? (BELLHOP_ADMIN_URL or --url says where.)`, {
        exitCode: 1,
        cause: error,
      })
    })
    const body: unknown = await response.json().catch(() => undefined)
    if (response.ok && typeof body === 'object' && body !== null) return body
    if (response.ok) throw new UserError(`${base} does not answer like Bellhop: is another server running there?`, { exitCode: 1 })
    if (response.status === 401)
      throw new UserError('The admin token is missing or wrong: set BELLHOP_ADMIN_TOKEN to the one that the bot was started with.', {
        exitCode: 1,
      })
    // 400: parameters that are not understood, such as a service that is not there.
    throw new UserError(`${method} ${path} answered ${response.status}: ${errorOf(body)}`, { exitCode: response.status === 400 ? 2 : 1 })
  }
  return { get: (path) => send('GET', path), post: (path, body) => send('POST', path, body) }
}

function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'no further word'
}
