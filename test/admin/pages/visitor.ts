// Someone who visits the dashboard without a browser: keeps the cookies, and sends the forms that pages show.
import type { ServedAdmin } from '../serve-admin.ts'

export type Visitor = ReturnType<typeof visit>

/** Not logged in yet. */
export function visit({ url }: Pick<ServedAdmin, 'url'>) {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function ask(path: string, init: RequestInit) {
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
  const get = (path: string, headers: Record<string, string> = {}) => ask(path, { headers })
  const fromOurs: Record<string, string> = { 'sec-fetch-site': 'same-origin' }
  return {
    get,
    post: (path: string, fields: Record<string, string>, headers = fromOurs) =>
      ask(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    /** The cookies as they would be sent. */
    get cookie() {
      return cookie()
    },
    /** The mark of the forms on a page. */
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
