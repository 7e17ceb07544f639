// The client's address of a request: its peer's, or the one that a trusted proxy names.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddress from 'proxy-addr'

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
