// Sends deliveries over plain sockets, so that the sender costs little beside what it measures.
import { connect, type Socket } from 'node:net'
import { hookSecret } from '../bot.ts'
import type { Count } from '../turns.ts'

/** As long as a usual delivery of a merge request: 6.7 KB. */
const body = JSON.stringify({
  object_kind: 'moonrise',
  project: { id: 7, path_with_namespace: 'bench/app' },
  changes: Array.from({ length: 100 }, (_, n) => ({ field: `labels-${n}`, before: `before ${n}`, after: `after ${n}` })),
}).padEnd(6_700, ' ')

const blankId = '0'.repeat(16)
const template = Buffer.from(
  [
    'POST /hooks HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    'x-gitlab-event: Moonrise Hook',
    `x-gitlab-token: ${hookSecret}`,
    `idempotency-key: ${blankId}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n'),
)
const idAt = template.indexOf(blankId)
let sent = 0

/** Each delivery has an id of its own, as the service gives it: none is a double of another. */
function delivery(): Buffer {
  sent += 1
  const request = Buffer.from(template)
  request.write(`${process.pid}-${sent}`.padStart(blankId.length, '0'), idAt, 'latin1')
  return request
}

export class Sender {
  readonly #sockets: Socket[]
  private constructor(sockets: Socket[]) {
    this.#sockets = sockets
  }

  static async open(port: number, connections: number): Promise<Sender> {
    const opening = Array.from({ length: connections }, () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      return new Promise<Socket>((resolve, reject) => socket.once('connect', () => resolve(socket)).once('error', reject))
    })
    return new Sender(await Promise.all(opening))
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** As many as are taken in so many milliseconds, one at a time on each connection. */
  async flood(forMs: number): Promise<Count> {
    const started = performance.now()
    let done = 0
    await Promise.all(
      this.#sockets.map(async (socket) => {
        while (performance.now() - started < forMs) {
          await post(socket)
          done += 1
        }
      }),
    )
    return { done, seconds: (performance.now() - started) / 1000 }
  }

  /** So many a second, evenly, whatever the answers take; gives the milliseconds from when each was due to its answer. */
  async evenly(perSecond: number, forMs: number): Promise<number[]> {
    const started = performance.now()
    const times: number[] = []
    const all = Math.floor((perSecond * forMs) / 1000)
    let next = 0
    await Promise.all(
      this.#sockets.map(async (socket) => {
        for (let n = next++; n < all; n = next++) {
          const due = started + (n * 1000) / perSecond
          const early = due - performance.now()
          if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
          await post(socket)
          times.push(performance.now() - due)
        }
      }),
    )
    return times
  }
}

/** Resolves at the end of a 202; throws for any other answer. */
function post(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head + 2))?.[1])
      if (Number.isNaN(length)) return end(new Error(`an answer without a length: ${text}`))
      if (text.length < head + 4 + length) return
      end(text.startsWith('HTTP/1.1 202') ? undefined : new Error(`not taken: ${text}`))
    }
    const closed = () => end(new Error('the connection ended'))
    const end = (error?: Error) => {
      socket.off('data', read).off('close', closed)
      if (error === undefined) resolve()
      else reject(error)
    }
    socket.on('data', read).once('close', closed)
    socket.write(delivery())
  })
}
