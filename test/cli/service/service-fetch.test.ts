// The service through a real proxy, and over TLS of a private authority: every failure is one line without passwords.
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type Server } from 'node:net'
import { join } from 'node:path'
import { serviceFetch } from '../../../src/cli/service/service-fetch.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { listening } from '../../listening.ts'
import { hasOpenssl, makeAuthority, type OwnAuthority } from '../../servers/own-authority.ts'
import { bellhopHere, refuses } from '../run-here.ts'

const received: { url: string; body: string; headers: Record<string, unknown> }[] = []
const answer: RequestListener = async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  received.push({ url: request.url ?? '', body, headers: request.headers })
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end('{"id":4,"username":"bellhop","alt":"x","url":"/x","markdown":"x"}')
}

const servers: Server[] = []
const serve = async (server: Server, protocol?: string) => {
  servers.push(server)
  return listening(server, protocol)
}

const credentials = 'door:hush&hush'
const written = 'door:hush%26hush'
let plain: string
let open: Awaited<ReturnType<typeof startLoopbackProxy>>
let guarded: Awaited<ReturnType<typeof startLoopbackProxy>>
beforeAll(async () => {
  plain = new URL(await serve(createServer(answer))).host
  open = await startLoopbackProxy()
  guarded = await startLoopbackProxy(credentials)
})
beforeEach(() => {
  for (const each of [received, open.asked, guarded.asked]) each.length = 0
})
afterAll(async () => {
  for (const server of servers) server.close()
  await Promise.all([open.close(), guarded.close()])
})

interface Way {
  serviceUrl?: string
  proxy?: string
  caFile?: string
  environment?: Record<string, string>
}

function clientOf({ serviceUrl = `http://${plain}`, proxy = '', caFile = '', environment = {} }: Way) {
  const fetch = serviceFetch({ serviceUrl, proxy, caFile }, environment)
  return createClient({ baseUrl: serviceUrl, token: 'glpat-1', fetch, attempts: 1 })
}

const explainBy = (settings: Record<string, string>) =>
  bellhopHere(['explain', 'hotel/app', '1'], { BELLHOP_SERVICE_TOKEN: 'glpat-1', ...settings })
const whoAmI = async (way: Way) => (await clientOf(way).users.current({})).body.username

test('without proxy and authority it is Node’s own fetch', () => {
  const plainly = { serviceUrl: 'https://git.example.com', proxy: '', caFile: '' }
  expect(serviceFetch(plainly, { HTTPS_PROXY: 'http://127.0.0.1:1' })).toBeUndefined()
})

describe('a proxy', () => {
  test('gets requests for http addresses, and its password only', async () => {
    expect(await whoAmI({ proxy: `http://${written}@${guarded.host}` })).toBe('bellhop')
    expect(guarded.asked).toEqual([`GET http://${plain}/api/v4/user`])
    expect(received[0]?.headers).toMatchObject({ 'private-token': 'glpat-1' })
    expect(JSON.stringify(received)).not.toContain('proxy-authorization')
  })

  test('is passed a file whole, as a form', async () => {
    const file = new File(['all of it'], 'notes.txt')
    await clientOf({ proxy: `http://${open.host}` }).projects.upload({ id: 1, file })
    expect(received[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(received[0]?.body).toContain('all of it')
  })

  test('of the environment is used on request, except for hosts in NO_PROXY', async () => {
    const environment = { HTTP_PROXY: `http://${open.host}`, HTTPS_PROXY: 'http://127.0.0.1:1' }
    expect(await whoAmI({ proxy: 'environment', environment })).toBe('bellhop')
    expect(open.asked).toHaveLength(1)
    Object.assign(environment, { no_proxy: 'example.com, 127.0.0.1' })
    expect(await whoAmI({ proxy: 'environment', environment })).toBe('bellhop')
    expect(open.asked).toHaveLength(1)
  })

  test.each([
    ['that is not there', () => `${written}@127.0.0.1:1`, /:1 cannot be reached: connect ECONNREFUSED/],
    ['whose name nobody knows', () => `${written}@proxy.invalid:3128`, /\/\/proxy\.invalid:3128 cannot be reached: /],
    ['that wants another password', () => `door:other-hush@${guarded.host}`, /407: it requires another user name or /],
    ['that wants a password', () => guarded.host, /answers 407: it requires a user name and password\./],
  ])('%s is one line without a password', async (_what, proxy, message) => {
    const ran = await explainBy({ BELLHOP_SERVICE_URL: `http://${plain}`, BELLHOP_PROXY: `http://${proxy()}` })
    expect(ran).toEqual(refuses(1, /^[^\n]*the proxy http:.* Is BELLHOP_PROXY right\?\n$/))
    expect(ran.err).toMatch(message)
    expect(ran.err).not.toContain('hush')
  })
})

describe.skipIf(!hasOpenssl)('a private authority (needs openssl)', () => {
  let own: OwnAuthority
  let secure: string
  beforeAll(async () => {
    own = makeAuthority()
    secure = await serve(createSecureServer({ key: own.key, cert: own.cert }, answer), 'https')
  })
  afterAll(() => rmSync(own.folder, { recursive: true, force: true }))
  function anotherCaFile(): string {
    const { folder, caFile } = makeAuthority()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return caFile
  }

  test('that is named is trusted, also through the tunnel of a proxy', async () => {
    const { caFile } = own
    expect(await whoAmI({ serviceUrl: secure, caFile })).toBe('bellhop')
    expect(await whoAmI({ serviceUrl: secure, caFile, proxy: `http://${written}@${guarded.host}` })).toBe('bellhop')
    expect(guarded.asked).toEqual([`CONNECT ${secure.slice('https://'.length)}`])
    expect(await whoAmI({ serviceUrl: secure, caFile, proxy: `http://${open.host}` })).toBe('bellhop')
  })

  test('of NODE_EXTRA_CA_CERTS is trusted as well', async () => {
    const way = { serviceUrl: secure, caFile: anotherCaFile() }
    const extra = (file: string) => ({ ...way, environment: { NODE_EXTRA_CA_CERTS: file } })
    expect(await whoAmI(extra(own.caFile))).toBe('bellhop')
    await expect(whoAmI(extra(join(own.folder, 'none.pem')))).rejects.toThrow(/certificate/)
  })

  const explain = (settings: Record<string, string>) => explainBy({ BELLHOP_SERVICE_URL: secure, ...settings })

  test('that is not named, or another, is one line with the remedy', async () => {
    const remedy = / If a private authority signed it, set BELLHOP_CA_FILE to its certificate\.\n$/
    expect(await explain({})).toEqual(refuses(1, remedy))
    expect(await explain({ BELLHOP_CA_FILE: anotherCaFile() })).toEqual(refuses(1, remedy))
    expect(await explain({ BELLHOP_PROXY: `http://${open.host}` })).toEqual(refuses(1, remedy))
  })

  test('behind a proxy that wants another password is the proxy’s fault', async () => {
    const BELLHOP_PROXY = `http://door:other-hush@${guarded.host}`
    const { err } = await explain({ BELLHOP_CA_FILE: own.caFile, BELLHOP_PROXY })
    expect(err).toMatch(/answers 407: it requires another user name or password\. Is BELLHOP_PROXY right\?/)
    expect(err).not.toContain('hush')
  })

  test('whose file is missing or has no certificate is wrong usage', async () => {
    const empty = join(own.folder, 'empty.pem')
    writeFileSync(empty, 'no certificate')
    const failureWith = (path: string) => explain({ BELLHOP_CA_FILE: path })
    const expected = 'BELLHOP_CA_FILE: expected a file with certificates (PEM), but'
    expect(await failureWith(empty)).toMatchObject({ code: 2, err: `bellhop: ${expected} ${empty} holds none.\n` })
    expect(await failureWith('/no/such/file')).toMatchObject({
      ...{ code: 2, err: expect.stringMatching(/^bellhop: BELLHOP_CA_FILE: .*\/no\/such\/file.*ENOENT.*\n$/) },
    })
  })
})

/** A proxy as companies have: tunnels and forwards. `credentials` is `user:password`; none: it lets everybody through. */
async function startLoopbackProxy(credentials?: string) {
  /** `CONNECT 127.0.0.1:1`, `GET http://…`. */
  const asked: string[] = []
  const credential = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  const letsIn = ({ headers }: IncomingMessage) =>
    credential === undefined || headers['proxy-authorization'] === credential
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (!letsIn(incoming)) return void outgoing.writeHead(407).end()
    const { 'proxy-authorization': _ours, ...headers } = incoming.headers
    const onward = request(incoming.url ?? '', { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  server.on('connect', (incoming: IncomingMessage, socket, head) => {
    asked.push(`CONNECT ${incoming.url}`)
    if (!letsIn(incoming)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const [host = '', port] = (incoming.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { host: new URL(await listening(server)).host, asked, close }
}
