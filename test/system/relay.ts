// A relay between a bot and the service: what becomes of a request is for the test to say.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listening } from '../listening.ts'

export interface RelayedRequest {
  method: string
  /** Without the query. */
  path: string
  body: Buffer
  headers: IncomingHttpHeaders
}

interface RelayedResponse {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Sends the request to the service; resolves when the service has answered in full. */
export type Forward = () => Promise<RelayedResponse>

export interface Relay {
  url: string
  close(): void
}

/** `handle` gives the response; a request for which it gives none stays unanswered. */
export async function startRelay(
  target: string,
  handle: (request: RelayedRequest, forward: Forward) => Promise<RelayedResponse | undefined>,
): Promise<Relay> {
  const server = createServer(async (request, response) => {
    try {
      const { method = 'GET', url = '' } = request
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { host: _host, connection: _connection, ...headers } = request.headers
      const sent = Buffer.concat(chunks)
      const answer = await handle(
        { method, path: url.replace(/\?.*/, ''), body: sent, headers: request.headers },
        async () => {
          const body = sent.length === 0 ? null : sent
          const given = { method, headers: headers as Record<string, string>, body, redirect: 'manual' } as const
          const answer = await answerOf(`${target}${url}`, given)
          for (const name of ['transfer-encoding', 'content-length', 'connection']) delete answer.headers[name]
          return answer
        },
      )
      if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body)
    } catch {
      response.destroy()
    }
  })
  return {
    url: await listening(server),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answerOf(url: string, init: RequestInit): Promise<RelayedResponse> {
  const response = await fetch(url, init)
  const body = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}
