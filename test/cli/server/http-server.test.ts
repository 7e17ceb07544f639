// The HTTP server cuts off slow senders and refuses large headers, and serves others meanwhile.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { closeServer, httpServer, listen } from '../../../src/cli/server/http-server.ts'
import { eventually } from '../../eventually.ts'

const closings: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closings.splice(0)) await close()
})

type Given = Parameters<typeof httpServer>
const answer: Given[0] = (request, response) => {
  request.resume().once('end', () => response.end('fine'))
}

async function serve(limits?: Given[1], handler = answer) {
  const server = await listen(httpServer(handler, limits), 0, '127.0.0.1')
  closings.push(() => {
    const closed = closeServer(server, 5_000)
    server.closeAllConnections()
    return closed
  })
  const { port } = server.address() as AddressInfo
  return { server, port, url: `http://127.0.0.1:${port}` }
}

/** Sends the text and no more; what is answered until the server ends the connection. */
async function answerTo(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (more: string) => {
    answer += more
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

// Long enough for a good request on a busy machine.
const quick = { headersMs: 2_000, requestMs: 2_000, checkEveryMs: 20 }

test.concurrent.each([
  ['whose head never ends', 'POST /hooks HTTP/1.1\r\nHost: x\r\nX-A: b\r\n'],
  ['whose body never comes', 'POST /hooks HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{'],
])('a request %s is cut off, and others are served meanwhile', async (_name, text) => {
  const { port, url } = await serve(quick)
  const slow = answerTo(port, text)
  expect(await (await fetch(url, { method: 'POST', body: '{}' })).text()).toBe('fine')
  expect(await slow).toMatch(/^HTTP\/1\.1 408 /)
})

test('headers over 16 KB are refused', async () => {
  const { url } = await serve()
  const status = async (bytes: number) =>
    (await fetch(url, { headers: { 'x-gitlab-token': 'x'.repeat(bytes) } })).status
  expect([await status(15_000), await status(17_000)]).toEqual([200, 431])
})

test('the default timeouts are longer than a sender waits', async () => {
  const { server } = await serve()
  expect(server.headersTimeout).toBeGreaterThanOrEqual(10_000)
  expect(server.headersTimeout).toBeLessThanOrEqual(server.requestTimeout)
  expect(server.requestTimeout).toBeLessThanOrEqual(60_000)
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000)
})

test('closing answers running requests, keeps no connections, and cuts off what is late', async () => {
  const open: (() => void)[] = []
  const { server, url } = await serve(undefined, (request, response) => {
    if (request.url !== '/never') open.push(() => response.end('fine'))
  })
  const runs = fetch(`${url}/runs`)
  const never = fetch(`${url}/never`)
  await eventually(() => expect(open).toHaveLength(1))
  const closed = closeServer(server, 300)
  for (const answer of open) answer()
  expect(await (await runs).text()).toBe('fine')
  await expect(never).rejects.toThrow()
  await closed
})
