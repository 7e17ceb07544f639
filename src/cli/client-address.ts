// Tells from which address a request comes: its peer's, or where that is a trusted proxy, the one that the proxy names.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddress from 'proxy-addr'

/**
 * Reads `X-Forwarded-For` from right to left, and only as far as trusted proxies wrote it: what a client put before that never counts.
 * Without trusted proxies the header is ignored. Undefined for a connection that is gone.
 */
export function clientAddress(trusted: readonly string[]): (request: IncomingMessage) => string | undefined {
  const isTrusted = proxyAddress.compile([...trusted])
  return (request) => {
    const peer = request.socket.remoteAddress
    if (peer === undefined) return undefined
    const address = proxyAddress(request, isTrusted)
    // A proxy that names no address names nobody: its own counts.
    return isIP(address) === 0 ? peer : address
  }
}
