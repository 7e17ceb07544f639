// Servers of tests, each on a free port of this machine.
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** The address of the server, once it listens. */
export async function listening(server: Server, protocol = 'http'): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`
}
