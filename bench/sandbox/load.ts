// Sends requests and counts how many a server answers in a while.
import { Agent, request } from 'node:http'
import type { Count } from '../turns.ts'

export interface Call {
  method: 'GET' | 'PUT'
  url: string
  token: string
}

const agent = new Agent({ keepAlive: true })

/** Sends one request; gives the body, and throws for anything but success. */
export function send({ method, url, token }: Call, body?: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'PRIVATE-TOKEN': token, ...(body !== undefined && { 'Content-Length': body.length }) }
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks)
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Counts answers, with some requests under way at all times, for a while or until the calls run out. */
export async function count(
  next: () => Call | undefined,
  { atOnce, forMs }: { atOnce: number; forMs: number },
): Promise<Count> {
  let done = 0
  const begun = performance.now()
  async function worker(): Promise<void> {
    while (performance.now() - begun < forMs) {
      const call = next()
      if (call === undefined) return
      await send(call)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { done, seconds: (performance.now() - begun) / 1_000 }
}

export function endConnections(): void {
  agent.destroy()
}
