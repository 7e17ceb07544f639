// Sends deliveries over plain sockets, so that the sender costs little beside what it measures.
import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { hookSecret } from './bot.ts'
import type { Count } from './turns.ts'

/** As long as a usual delivery of a merge request. */
const bytes = 6_700
const moonrise = JSON.stringify({
  object_kind: 'moonrise',
  project: { id: 7, path_with_namespace: 'bench/app' },
  changes: Array.from({ length: 100 }, (_, n) => ({
    field: `labels-${n}`,
    before: `before ${n}`,
    after: `after ${n}`,
  })),
})
const idAt = requestOf('', '').indexOf('idempotency-key: ') + 'idempotency-key: '.length
const template = Buffer.from(requestOf('0'.repeat(16), moonrise))
let sent = 0

/** A POST of 6.7 KB; none is a double of another whose id differs. `more` are further headers. */
export function requestOf(id: string, body: string, more: readonly string[] = []): string {
  const padded = body.padEnd(bytes, ' ')
  return [
    'POST /hooks HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    'x-gitlab-event: Bench Hook',
    `x-gitlab-token: ${hookSecret}`,
    `idempotency-key: ${id}`,
    ...more,
    `content-length: ${padded.length}`,
    '',
    padded,
  ].join('\r\n')
}

/** Gives the next request; the one before on the same connection, which was answered, may become it. */
type NextRequest = (before: Buffer | undefined) => Buffer

/** What concerns nobody. Each has an id of its own, as the service gives it. */
export function moonriseRequest(before: Buffer | undefined): Buffer {
  sent += 1
  const request = before ?? Buffer.from(template)
  request.write(`${process.pid}-${sent}`.padStart(16, '0'), idAt, 'latin1')
  return request
}

/** As the bots of GitHub get it: signed, and each the same. */
export function githubRequest(secret: string): NextRequest {
  const body = moonrise.padEnd(bytes, ' ')
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const request = Buffer.from(
    requestOf('0', body, ['x-github-event: push', 'x-github-delivery: 0', `x-hub-signature-256: sha256=${signature}`]),
  )
  return () => request
}

interface Line {
  socket: Socket
  before?: Buffer
}

export class Sender {
  readonly #lines: Line[]
  readonly #next: NextRequest
  private constructor(sockets: Socket[], next: NextRequest) {
    this.#lines = sockets.map((socket) => ({ socket }))
    this.#next = next
  }

  static async open(port: number, connections: number, next: NextRequest): Promise<Sender> {
    const opening = Array.from({ length: connections }, () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      return new Promise<Socket>((resolve, reject) =>
        socket.once('connect', () => resolve(socket)).once('error', reject),
      )
    })
    return new Sender(await Promise.all(opening), next)
  }

  close(): void {
    for (const { socket } of this.#lines) socket.destroy()
  }

  /** As many as are taken in so many milliseconds, one at a time on each connection. */
  async flood(forMs: number): Promise<Count> {
    const started = performance.now()
    let done = 0
    await Promise.all(
      this.#lines.map(async (line) => {
        while (performance.now() - started < forMs) {
          await this.#post(line)
          done += 1
        }
      }),
    )
    return { done, seconds: (performance.now() - started) / 1000 }
  }

  /** So many, as fast as they are taken, one at a time on each connection; gives the seconds. */
  async send(count: number): Promise<number> {
    const started = performance.now()
    let next = 0
    const one = async (line: Line) => {
      while (next++ < count) await this.#post(line)
    }
    await Promise.all(this.#lines.map(one))
    return (performance.now() - started) / 1000
  }

  /** Sends `perSecond` evenly, whatever the answers take. Returns the ms from when each was due to its answer. */
  async evenly(perSecond: number, forMs: number): Promise<number[]> {
    const started = performance.now()
    const times: number[] = []
    const all = Math.floor((perSecond * forMs) / 1000)
    let next = 0
    await Promise.all(
      this.#lines.map(async (line) => {
        for (let n = next++; n < all; n = next++) {
          const due = started + (n * 1000) / perSecond
          const early = due - performance.now()
          if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
          await this.#post(line)
          times.push(performance.now() - due)
        }
      }),
    )
    return times
  }

  #post(line: Line): Promise<void> {
    line.before = this.#next(line.before)
    return post(line.socket, line.before)
  }
}

/** Resolves at the end of a 202, or of a 200 as others answer; throws for any other answer. */
function post(socket: Socket, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new Error('the connection ended before'))
    let text = ''
    const read = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head + 2))?.[1])
      if (Number.isNaN(length)) return end(new Error(`an answer without a length: ${text}`))
      if (text.length < head + 4 + length) return
      end(/^HTTP\/1\.1 20[02] /.test(text) ? undefined : new Error(`not taken: ${text}`))
    }
    const closed = () => end(new Error('the connection ended'))
    const end = (error?: Error) => {
      socket.off('data', read).off('close', closed)
      if (error === undefined) resolve()
      else reject(error)
    }
    socket.on('data', read).once('close', closed)
    socket.write(request)
  })
}
