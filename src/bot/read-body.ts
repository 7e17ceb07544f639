// Reads a request's body as it was sent, never more of it than the limit into memory.
import type { Readable } from 'node:stream'

/** The sender's own limit (hosting-service.md §1.4). */
export const bodyLimit = 25 * 1024 * 1024

// What goes on beyond the limit is passed over, so that the sender hears the answer; for ever it is not.
const passedOverLimit = 4 * bodyLimit

/** `broken off`: the connection ended, and nobody waits for an answer; `stopped`: by the signal, with its reason. */
export type ReadBody = { is: 'whole'; bytes: Buffer } | { is: 'too large' } | { is: 'broken off' } | { is: 'stopped' }

export interface ReadBodyOptions {
  /** Told of so many bytes more that are kept. */
  kept?: (bytes: number) => void
  /** Ends the reading; what was read is forgotten at once. */
  stop?: AbortSignal
}

/** Resolves at the body's end, or when it is read no further. */
export function readBody(request: Readable, { kept, stop }: ReadBodyOptions = {}): Promise<ReadBody> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = []
    let size = 0
    const end = (body: ReadBody) => {
      chunks = []
      request.off('data', take)
      resolve(body)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyLimit) {
        chunks.push(chunk)
        kept?.(chunk.length)
      } else chunks = []
      if (size > passedOverLimit) {
        request.pause()
        end({ is: 'too large' })
      }
    }
    stop?.addEventListener('abort', () => {
      request.pause()
      end({ is: 'stopped' })
    })
    request.on('data', take)
    request.once('end', () => {
      const [only] = chunks
      // Most bodies come in one piece, which need not be copied.
      const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size)
      end(size > bodyLimit ? { is: 'too large' } : { is: 'whole', bytes })
    })
    // Its cause (a reset, a time-out) is the sender's affair; `close` comes after `end` as well, and changes nothing then.
    request.once('error', () => end({ is: 'broken off' }))
    request.once('close', () => end({ is: 'broken off' }))
  })
}
