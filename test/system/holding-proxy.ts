// Stands between a bot and the service, and holds writes: before the service sees them, or after it has done them and before anybody is told.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Hold = 'nothing' | 'before' | 'after'

export interface HoldingProxy {
  url: string
  /** From now on. What is held stays so, for ever. */
  hold(what: Hold): void
  /** The paths of the writes that are held, since `hold` was last called. */
  held(): string[]
  close(): void
}

/** Reads always pass. */
export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  let holding: Hold = 'nothing'
  let held: string[] = []

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const now = request.method === 'GET' ? 'nothing' : holding
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (now === 'before') return void held.push(request.url ?? '')
    const { host: _host, connection: _connection, ...headers } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
      redirect: 'manual',
    })
    const body = Buffer.from(await answer.arrayBuffer())
    if (now === 'after') return void held.push(request.url ?? '')
    const passed = [...answer.headers].filter(([name]) => !['transfer-encoding', 'content-length', 'connection'].includes(name))
    response.writeHead(answer.status, Object.fromEntries(passed)).end(body)
  }

  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(what) {
      holding = what
      held = []
    },
    held: () => held,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
