// A proxy on 127.0.0.1, as companies have: tunnels (CONNECT) and forwards, may require a password, records requests.
import { createServer, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { listening } from '../listening.ts'

export type LoopbackProxy = Awaited<ReturnType<typeof startLoopbackProxy>>

/** `credentials` is `user:password`; none: it lets everybody through. */
export async function startLoopbackProxy(credentials?: string) {
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
