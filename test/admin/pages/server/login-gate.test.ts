// Login and logout, and forms of other sites.
import { SESSION_MS } from '../../../../src/admin/pages/session/session.ts'
import { useStores } from '../../../bot/stores.ts'
import { type ServedAdmin, serveAdmin, TOKEN } from '../../serve-admin.ts'
import { logIn, visit } from '../visitor.ts'

const stores = useStores({ own: true })
let at = Date.parse('2026-11-22T10:00:00Z')
const servers: ServedAdmin[] = []
const serve = async (given: Parameters<typeof serveAdmin>[1] = {}) => {
  const admin = await serveAdmin({ journal: stores.journal }, { now: () => at, ...given })
  servers.push(admin)
  return admin
}
let admin: ServedAdmin
beforeAll(async () => {
  admin = await serve()
})
afterAll(() => {
  for (const { server } of servers) server.close()
})

test('without a session every page is the login form', async () => {
  for (const path of ['', '/deliveries?state=refused', '/nothing', '/login']) {
    const { status, html } = await visit(admin).get(path)
    expect([status, html], path).toEqual([401, expect.stringContaining('type="password"')])
    expect(html).not.toContain('aria-label="Main"')
  }
  expect((await visit(admin).post('/logout', {})).status).toBe(401)
})

test('the login leads to the requested page, with a cookie that scripts and other sites do not get', async () => {
  const visitor = visit(admin)
  const login = await visitor.get('/deliveries?state=refused')
  const next = /name="next" value="([^"]+)"/.exec(login.html)?.[1] ?? ''
  const { status, headers } = await visitor.post('/login', { token: TOKEN, next })
  expect([status, headers.get('location')]).toEqual([303, '/admin/deliveries?state=refused'])
  expect(headers.get('set-cookie')).toMatch(
    /^bellhop_session=[^;]+; Max-Age=43200; Path=\/admin; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
  )
  expect(headers.get('set-cookie')).not.toContain(TOKEN)
  expect((await visitor.get('/deliveries?state=refused')).status).toBe(200)
  at += SESSION_MS
  expect((await visitor.get('/deliveries')).status).toBe(401)
})

test('with an https address the cookie is for https only', async () => {
  const visitor = visit(await serve({ publicUrl: 'https://bellhop.example.com' }))
  expect((await visitor.post('/login', { token: TOKEN })).headers.get('set-cookie')).toContain('; Secure')
})

test('the login leads to no page of others', async () => {
  const addresses = ['//evil.example', 'https://evil.example/admin', '/\\evil.example', 'javascript:alert(1)']
  for (const next of [...addresses, '/hooks', '/administrator', '']) {
    const { status, headers } = await visit(admin).post('/login', { token: TOKEN, next })
    expect([status, headers.get('location')], next).toEqual([303, '/admin'])
  }
})

test('after ten wrong tokens every login from the address is refused for a minute', async () => {
  const own = await serve()
  for (let n = 0; n < 10; n += 1) {
    const { status, html, headers } = await visit(own).post('/login', { token: 'wrong' })
    expect(html).toContain('Invalid admin token.')
    expect([status, headers.get('set-cookie')]).toEqual([401, null])
  }
  const { status, headers } = await visit(own).post('/login', { token: TOKEN })
  expect([status, headers.get('retry-after'), headers.get('set-cookie')]).toEqual([429, '60', null])
})

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  {},
])('a form of another site is refused: %j', async (headers) => {
  const { status, headers: answered } = await visit(admin).post('/login', { token: TOKEN }, headers)
  expect([status, answered.get('set-cookie')]).toEqual([403, null])
  const visitor = await logIn(admin, TOKEN)
  expect((await visitor.post('/logout', { csrf: await visitor.csrf() }, headers)).status).toBe(403)
  expect((await visitor.get('/deliveries')).status).toBe(200)
})

test('a browser that sends only the origin may log in at our address and at the public one', async () => {
  const own = await serve({ publicUrl: 'https://bellhop.example.com' })
  for (const origin of [own.url, 'https://bellhop.example.com'])
    expect((await visit(own).post('/login', { token: TOKEN }, { origin })).status, origin).toBe(303)
})

test('a form without the CSRF token of the session is refused; with it, the user is logged out', async () => {
  const [visitor, other] = [await logIn(admin, TOKEN), await logIn(admin, TOKEN)]
  for (const csrf of ['', 'x', await other.csrf()])
    expect((await visitor.post('/logout', { csrf })).status, csrf).toBe(403)
  const { status, headers } = await visitor.post('/logout', { csrf: await visitor.csrf() })
  expect([status, headers.get('location')]).toEqual([303, '/admin'])
  expect(visitor.cookie).toBe('bellhop_session=')
  expect((await visitor.get('/deliveries')).status).toBe(401)
})

test('a copy of the cookie is refused after the logout, in every process of the same journal', async () => {
  const [visitor, other] = [await logIn(admin, TOKEN), await logIn(admin, TOKEN)]
  const copy = { cookie: visitor.cookie }
  const elsewhere = await serve()
  const asCopy = async () =>
    (await Promise.all([admin, elsewhere].map((each) => visit(each).get('/deliveries', copy)))).map(
      ({ status }) => status,
    )
  expect(await asCopy()).toEqual([200, 200])
  await visitor.post('/logout', { csrf: await visitor.csrf() })
  expect(await asCopy()).toEqual([401, 401])
  expect((await visit(admin).post('/logout', {}, { ...copy, 'sec-fetch-site': 'same-origin' })).status).toBe(401)
  expect((await other.get('/deliveries')).status).toBe(200)
})

test('a link from another site, which comes without the cookie, is reloaded by our own page', async () => {
  const { status, headers, html } = await visit(admin).get('/deliveries', { 'sec-fetch-site': 'cross-site' })
  expect([status, headers.get('refresh'), html]).toEqual([200, '0', expect.not.stringContaining('form')])
})

test('the API does not take the cookie, and pages do not take the API’s token', async () => {
  const { cookie } = await logIn(admin, TOKEN)
  expect((await fetch(`${admin.url}/admin/api/deliveries`, { headers: { cookie } })).status).toBe(401)
  expect((await visit(admin).get('/deliveries', { authorization: `Bearer ${TOKEN}` })).status).toBe(401)
})

test('pages have a strict policy and are not cached; style and script are', async () => {
  const visitor = await logIn(admin, TOKEN)
  for (const path of ['/deliveries', '/nothing', '/login']) {
    const { headers } = await visitor.get(path)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self'; .*frame-ancestors 'none'/,
    )
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  }
  const { html } = await visit(admin).get('/deliveries')
  for (const [, path = ''] of html.matchAll(/(?:href|src)="\/admin(\/assets\/[^"]+)"/g)) {
    const { status, headers } = await visit(admin).get(path)
    expect([status, headers.get('cache-control')], path).toEqual([200, expect.stringContaining('immutable')])
  }
  expect(html.match(/\/assets\//g)).toHaveLength(2)
})
