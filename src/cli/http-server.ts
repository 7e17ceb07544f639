// The bot's own HTTP server: it waits for nobody for ever, and takes no head of a request that is larger than a hook's.
import { createServer, type RequestListener, type Server } from 'node:http'

export interface ServerLimits {
  /** Within so many milliseconds the head of a request is there, and the whole of it. */
  headersMs: number
  requestMs: number
  /** How often connections are looked at. */
  checkEveryMs: number
}

// The service gives up on a delivery after ten seconds (hosting-service.md §1.4); a slow reverse proxy gets some more.
const usual: ServerLimits = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 2_000 }

/** Not listening yet. Who is too slow is answered 408 and cut off; a head over 16 KB is answered 431. */
export function httpServer(handler: RequestListener, { headersMs, requestMs, checkEveryMs }: ServerLimits = usual): Server {
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      maxHeaderSize: 16 * 1024,
      // Longer than the usual idle time of reverse proxies (60 s), which would otherwise send into a connection that is just closing.
      keepAliveTimeout: 65_000,
    },
    handler,
  )
  server.maxRequestsPerSocket = 10_000
  return server
}

/** Resolves when it listens; rejects when it cannot. */
export function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(couldNotListen(error, port, host))
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve(server)
    })
  })
}

function couldNotListen(cause: NodeJS.ErrnoException, port: number, host: string): Error {
  const where = `Nothing can listen on ${host}:${port}`
  if (cause.code === 'EADDRINUSE')
    return new Error(`${where}: another program does. End it, or set BELLHOP_PORT to a free port; 0 takes any.`, { cause })
  if (cause.code === 'EACCES') return new Error(`${where}: ports below 1024 need more rights. Set BELLHOP_PORT to a higher one.`, { cause })
  return new Error(`${where} (${cause.code ?? cause.message}). Set BELLHOP_HOST to an address of this machine.`, { cause })
}

/** Takes no more connections; resolves when the requests that run are answered, or cut off after `withinMs`. */
export function closeServer(server: Server, withinMs: number): Promise<void> {
  // A sender that keeps its connection busy would otherwise be answered for ever.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  return new Promise((resolve) => {
    // What was in the middle of a request is idle when that is answered.
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => server.closeAllConnections(), withinMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(deadline)
      resolve()
    })
    server.closeIdleConnections()
  })
}
