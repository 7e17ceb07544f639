// Stands between the bot and the service, and changes the state just before some reads and back just after them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Swap {
  /** Whether it swaps for a read of this path. */
  at: (path: string) => boolean
  there: () => Promise<unknown>
  back: () => Promise<unknown>
}

export interface SwappingRelay {
  url: string
  /** From now on, until `stop`. */
  swap(swap: Swap): void
  /** Resolves when nothing is swapped any more, and the state is as it was. */
  stop(): Promise<void>
  close(): void
}

export async function startSwappingRelay(target: string): Promise<SwappingRelay> {
  let swap: Swap | undefined
  // One request after the other: no other request of the bot sees the swapped state.
  let last: Promise<unknown> = Promise.resolve()

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _host, connection: _connection, ...headers } = request.headers
    const ask = () =>
      fetch(`${target}${url}`, {
        method,
        headers: headers as Record<string, string>,
        body: chunks.length === 0 ? null : Buffer.concat(chunks),
        redirect: 'manual',
      })
    const turn = last.then(() => during(swapFor(method, url), ask))
    last = turn.catch(() => undefined)
    const answer = await turn
    const passed = [...answer.headers].filter(
      ([name]) => !['transfer-encoding', 'content-length', 'connection'].includes(name),
    )
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, Object.fromEntries(passed)).end(bytes)
  }

  const swapFor = (method: string, url: string) =>
    method === 'GET' && swap?.at(url.replace(/\?.*/, '')) === true ? swap : undefined

  async function during(now: Swap | undefined, ask: () => Promise<Response>): Promise<Response> {
    await now?.there()
    const answer = await ask()
    await now?.back()
    return answer
  }

  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swap(next) {
      swap = next
    },
    async stop() {
      swap = undefined
      await last
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
