// The client's address, with and without proxies.
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { clientAddress } from '../../../src/cli/server/http-server.ts'

function from(peer: string | undefined, forwardedFor?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
  return request
}

test.each<[what: string, trusted: string[], peer: string, forwardedFor: string | undefined, address: string]>([
  ['no proxy is trusted', [], '10.0.0.1', '203.0.113.5', '10.0.0.1'],
  ['another proxy is trusted', ['10.0.0.2'], '10.0.0.1', '203.0.113.5', '10.0.0.1'],
  ['the proxy says nothing', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
  ['the proxy names the client', ['10.0.0.1'], '10.0.0.1', '203.0.113.5', '203.0.113.5'],
  ['its network is trusted', ['10.0.0.0/8'], '10.9.9.9', '203.0.113.5', '203.0.113.5'],
  ['its IPv6 network is trusted', ['fd00::/8'], 'fd00::1', '2001:db8::5', '2001:db8::5'],
  ['the server listens for IPv6 as well', ['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.5', '203.0.113.5'],
  ['two proxies stand in a row', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.5, 10.0.0.2', '203.0.113.5'],
  ['the client put addresses before', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.7, 198.51.100.1, 203.0.113.5', '203.0.113.5'],
  ['all are proxies', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['the proxy writes what is no address', ['10.0.0.1'], '10.0.0.1', '203.0.113.5, unknown', '10.0.0.1'],
  ['the proxy writes a port', ['10.0.0.1'], '10.0.0.1', '203.0.113.5:4711', '10.0.0.1'],
  ['the header is empty', ['10.0.0.1'], '10.0.0.1', '', '10.0.0.1'],
])('%s', (_, trusted, peer, forwardedFor, address) => {
  expect(clientAddress(trusted)(from(peer, forwardedFor))).toBe(address)
})

test('a closed connection has no address', () => {
  expect(clientAddress(['10.0.0.1'])(from(undefined, '203.0.113.5'))).toBeUndefined()
})
