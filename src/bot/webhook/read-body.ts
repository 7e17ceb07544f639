// Reads a request's body as it was sent, and keeps no more than the limit in memory.
import type { Readable } from 'node:stream'

/** The service's own limit (hosting-service.md §1.4). */
export const bodyLimit = 25 * 1024 * 1024

// Reads on beyond the limit, so that the sender gets the response; stops here.
const discardLimit = 4 * bodyLimit

/** `aborted`: the connection ended; `stopped`: by the signal. */
export type ReadBody = { is: 'complete'; bytes: Buffer } | { is: 'too_large' } | { is: 'aborted' } | { is: 'stopped' }

export interface ReadBodyOptions {
  /** Called with the size of each chunk that is kept. */
  onKept?: (bytes: number) => void
  /** Stops the reading and frees what was read. */
  signal?: AbortSignal
}

/** Resolves at the body's end, or when it is read no further. */
export function readBody(request: Readable, { onKept, signal }: ReadBodyOptions = {}): Promise<ReadBody> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = []
    let size = 0
    const end = (body: ReadBody) => {
      chunks = []
      request.off('data', onData)
      resolve(body)
    }
    const stop = (is: 'too_large' | 'stopped') => {
      request.pause()
      end({ is })
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyLimit) {
        chunks.push(chunk)
        onKept?.(chunk.length)
      } else chunks = []
      if (size > discardLimit) stop('too_large')
    }
    signal?.addEventListener('abort', () => stop('stopped'))
    request.on('data', onData)
    request.once('end', () => end(size > bodyLimit ? { is: 'too_large' } : { is: 'complete', bytes: join(chunks) }))
    request.once('error', () => end({ is: 'aborted' }))
    // Also follows `end`, and changes nothing then.
    request.once('close', () => end({ is: 'aborted' }))
  })
}

/** Most bodies arrive in one chunk, which need not be copied. */
function join(chunks: Buffer[]): Buffer {
  const [only] = chunks
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
}
