// Stands between a bot and the service, and holds requests: before the service sees them, or after it has done them and before anybody is told.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Hold = 'nothing' | 'before' | 'after'

export interface HoldingProxy {
  url: string
  /** From now on; writes, when not told which. What is held stays so until it is released. */
  hold(what: Hold, which?: (request: { method: string; path: string }) => boolean): void
  /** The paths that are held, since `hold` was last called. */
  held(): string[]
  /** Gives the answers that are held after the service has done its part. */
  release(): void
  close(): void
}

export async function startHoldingProxy(target: string): Promise<HoldingProxy> {
  let holding: Hold = 'nothing'
  let isHeld: Parameters<HoldingProxy['hold']>[1]
  let held: string[] = []
  const answers: (() => void)[] = []

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = request
    const now = (isHeld?.({ method, path: url.replace(/\?.*/, '') }) ?? method !== 'GET') ? holding : 'nothing'
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (now === 'before') return void held.push(url)
    const { host: _host, connection: _connection, ...headers } = request.headers
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: headers as Record<string, string>,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
      redirect: 'manual',
    })
    const body = Buffer.from(await answer.arrayBuffer())
    const passed = [...answer.headers].filter(
      ([name]) => !['transfer-encoding', 'content-length', 'connection'].includes(name),
    )
    const end = () => void response.writeHead(answer.status, Object.fromEntries(passed)).end(body)
    if (now === 'nothing') return end()
    held.push(url)
    answers.push(end)
  }

  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(what, which) {
      holding = what
      isHeld = which
      held = []
    },
    held: () => held,
    release() {
      for (const end of answers.splice(0)) end()
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
