// Reads a request's body as it was sent, never more of it than the limit into memory.
import type { Readable } from 'node:stream'

/** The sender's own limit (hosting-service.md §1.4). */
export const bodyLimit = 25 * 1024 * 1024

// What goes on beyond the limit is passed over, so that the sender hears the answer; for ever it is not.
const passedOverLimit = 4 * bodyLimit

export type ReadBody = { is: 'whole'; bytes: Buffer } | { is: 'too large' } | { is: 'broken off' }

/** Resolves at the body's end; `broken off` when the connection ends before it, and nobody waits for an answer. */
export function readBody(request: Readable): Promise<ReadBody> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyLimit) chunks.push(chunk)
      else chunks = []
      if (size > passedOverLimit) {
        request.pause()
        resolve({ is: 'too large' })
      }
    })
    request.once('end', () => resolve(size > bodyLimit ? { is: 'too large' } : { is: 'whole', bytes: Buffer.concat(chunks, size) }))
    // Its cause (a reset, a time-out) is the sender's affair; `close` comes after `end` as well, and changes nothing then.
    request.once('error', () => resolve({ is: 'broken off' }))
    request.once('close', () => resolve({ is: 'broken off' }))
  })
}
