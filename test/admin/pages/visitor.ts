// Someone who visits the dashboard without a browser: keeps the cookies, and sends the forms that pages show.
import type { ServedAdmin } from '../serve-admin.ts'

export interface Shown {
  status: number
  html: string
  headers: Headers
}

export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Shown>
  /** As a browser does it, from a page of ours. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Shown>
  /** The cookies as they would be sent. */
  readonly cookie: string
  /** The mark of the forms on a page. */
  csrf(path?: string): Promise<string>
}

/** Not logged in yet. */
export function visit({ url }: Pick<ServedAdmin, 'url'>): Visitor {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function ask(path: string, init: RequestInit): Promise<Shown> {
    const response = await fetch(`${url}/admin${path}`, {
      redirect: 'manual',
      ...init,
      headers: { cookie: cookie(), ...init.headers },
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return { status: response.status, html: await response.text(), headers: response.headers }
  }
  const get: Visitor['get'] = (path, headers = {}) => ask(path, { headers })
  return {
    get,
    post: (path, fields, headers = { 'sec-fetch-site': 'same-origin' }) =>
      ask(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    get cookie() {
      return cookie()
    },
    csrf: async (path = '/deliveries') => /name="csrf" value="([^"]+)"/.exec((await get(path)).html)?.[1] ?? '',
  }
}

/** Logged in with that token. */
export async function logIn(admin: Pick<ServedAdmin, 'url'>, token: string): Promise<Visitor> {
  const visitor = visit(admin)
  const { status } = await visitor.post('/login', { token })
  if (status !== 303) throw new Error(`logging in was answered ${status}`)
  return visitor
}
