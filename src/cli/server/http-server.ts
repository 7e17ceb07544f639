// The HTTP server: requests time out, headers are limited, errors show no details, and proxies may name the client.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { ErrorRequestHandler } from 'express'
import type { Logger } from 'pino'
import proxyAddress from 'proxy-addr'
import { statusOf } from '../../admin/http.ts'

// For the headers and for the whole request: the service waits for ten seconds, a reverse proxy may be slower.
const usual = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 2_000 }

/** Not listening yet. Answers 408 to slow requests, and 431 to headers over 16 KB. */
export function httpServer(handler: RequestListener, { headersMs, requestMs, checkEveryMs } = usual): Server {
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      maxHeaderSize: 16 * 1024,
      // Longer than reverse proxies hold idle connections (60 s): otherwise they would send into a closing one.
      keepAliveTimeout: 65_000,
    },
    handler,
  )
  server.maxRequestsPerSocket = 10_000
  return server
}

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
    return new Error(`${where}: another program does. Stop it, or set BELLHOP_PORT to a free port; 0 takes any.`, {
      cause,
    })
  if (cause.code === 'EACCES')
    return new Error(`${where}: ports below 1024 need privileges. Set BELLHOP_PORT to a higher one.`, { cause })
  return new Error(`${where} (${cause.code ?? cause.message}). Set BELLHOP_HOST to an address of this machine.`, {
    cause,
  })
}

/** Accepts no more connections; resolves when running requests are answered, or cut off after `withinMs`. */
export function closeServer(server: Server, withinMs: number): Promise<void> {
  // Otherwise a busy connection would stay open.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  return new Promise((resolve) => {
    // Connections become idle after their response.
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

/** 4xx are passed on; everything else is a logged 500. Also for responses without the methods of Express. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, _request, response: ServerResponse, next) => {
    if (response.headersSent) return next(thrown)
    const status = statusOf(thrown)
    if (status >= 500) log.error({ event: 'request_failed', err: thrown }, 'request failed')
    const error =
      status === 413
        ? 'The body is larger than 25 MB.'
        : status < 500
          ? 'The request cannot be read.'
          : 'Something went wrong; the log has the details.'
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify({ error }))
  }
}

/** Reads `X-Forwarded-For` only as far as trusted proxies wrote it. Undefined for a closed connection. */
export function clientAddress(trusted: readonly string[]): (request: IncomingMessage) => string | undefined {
  const isTrusted = proxyAddress.compile([...trusted])
  return (request) => {
    const peer = request.socket.remoteAddress
    if (peer === undefined) return undefined
    const address = proxyAddress(request, isTrusted)
    return isIP(address) === 0 ? peer : address
  }
}
