// Receives hooks in front of processes that come and go: passes each to one that is up, and records its outcome.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HookEntry, SoakRecord } from './record.ts'

export interface Relay {
  url: string
  /** Hooks that are not yet through. */
  pending(): number
  close(): Promise<void>
}

export interface RelayOptions {
  record: SoakRecord
  next: () => number
  /** Base address of a process that is up; undefined: none is. */
  target: () => string | undefined
}

// As long as the service would wait.
const answerWithinMs = 10_000

/** Hooks of one address go on one after the other, as they come; each is answered at once. */
export async function startRelay({ record, next, target }: RelayOptions): Promise<Relay> {
  const lines = new Map<string, Promise<void>>()
  let pending = 0
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.end()
      const body = Buffer.concat(chunks)
      const entry: HookEntry = {
        at: next(),
        ...readHook(body),
        id: String(request.headers['webhook-id']),
        fate: 'under way',
      }
      record.hooks.push(entry)
      pending += 1
      const before = lines.get(path) ?? Promise.resolve()
      const passed = before.then(async () => {
        const base = target()
        Object.assign(
          entry,
          base === undefined ? { fate: 'never arrived' } : await pass(`${base}${path}`, request.headers, body),
        )
        pending -= 1
      })
      lines.set(path, passed)
    })
  })
  const url = await listen(server)
  return {
    url,
    pending: () => pending,
    async close() {
      await Promise.all(lines.values())
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function pass(
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Pick<HookEntry, 'fate' | 'taken'>> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
  )
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: Object.fromEntries(kept),
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const text = await response.text()
    if (response.status !== 202) return { fate: 'uncertain' }
    const { id }: { id: string } = JSON.parse(text)
    return { fate: 'acknowledged', taken: id }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const refused = typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ECONNREFUSED'
    return { fate: refused ? 'never arrived' : 'uncertain' }
  }
}

function readHook(body: Buffer): Pick<HookEntry, 'kind' | 'note'> {
  const payload: { object_kind?: string; object_attributes?: { id?: number } } = JSON.parse(body.toString('utf8'))
  const note = payload.object_kind === 'note' ? payload.object_attributes?.id : undefined
  return { kind: payload.object_kind ?? 'unknown', ...(note === undefined ? {} : { note }) }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
