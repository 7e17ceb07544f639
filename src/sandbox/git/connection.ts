// A pair of connected sockets, one of which can be passed to another process.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `far` is never read here, so that it can be passed on. */
export async function createConnection(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: true, noDelay: true })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await new Promise((resolve, reject) => {
      const far = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
      // Before it connects: afterwards Node would read.
      far.pause()
      far.once('error', reject)
      const callers: Socket[] = []
      const settle = () => {
        for (const near of callers.splice(0)) {
          // Other local processes may connect meanwhile.
          if (far.localPort === near.remotePort && far.localAddress === near.remoteAddress) resolve({ near, far })
          else near.destroy()
        }
      }
      far.once('connect', settle)
      server.on('connection', (near) => {
        callers.push(near)
        if (!far.connecting) settle()
      })
    })
  } finally {
    server.close()
  }
}
