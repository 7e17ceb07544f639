// Two ends that are connected, of this machine to itself: one of them can be given to another process.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `near` is for this process; `far` is not read from, and may be sent away. */
export async function createConnection(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: true, noDelay: true })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await new Promise((resolve, reject) => {
      const far = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
      // Before it is connected: from then on Node would read.
      far.pause()
      far.once('error', reject)
      const callers: Socket[] = []
      const settle = () => {
        for (const near of callers.splice(0)) {
          // Anyone on this machine may have called meanwhile.
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
