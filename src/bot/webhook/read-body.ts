// Reads a request's body as it was sent, within its own limit and the one of all bodies in memory, and unpacks it.
// Not with express.raw: it unpacks before a signature over the bytes as sent is verified, and cannot give up a body
// that a sender without a secret leaves unfinished.
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** The service's own limit. */
export const bodyLimit = 25 * 1024 * 1024

// Reads on beyond the limit, so that the sender gets the response; stops here.
const discardLimit = 4 * bodyLimit

/** `aborted`: the connection ended; `stopped`: by the signal. */
export type ReadBody = { is: 'complete'; bytes: Buffer } | { is: 'too_large' } | { is: 'aborted' } | { is: 'stopped' }

export interface ReadBodyOptions {
  /** Called with the size of each chunk that is stored. */
  onChunk?: (bytes: number) => void
  /** Stops the reading and frees what was read. */
  signal?: AbortSignal
}

/** The part of the memory that one body takes. */
export interface BodyShare {
  /** Counts bytes; false when they do not fit. */
  take(bytes: number): boolean
  /** The body is read to its end, and is not given up. */
  arrived(): void
  /** Frees all bytes; a second call does nothing. */
  free(): void
}

/** `giveUp` is called at most once, while the body arrives. */
export type BodyMemory = (giveUp: () => void) => BodyShare

/** A body of n bytes takes about six times that, as bytes, text and job. */
const memoryLimit = 64 * 2 ** 20

/**
 * Counts bytes as they arrive, not as headers declare them. Over the limit, the body that began first is given up: so a
 * sender who stalls keeps nobody out.
 */
export function createBodyMemory(limit = memoryLimit): BodyMemory {
  const arriving = new Map<BodyShare, () => void>()
  let used = 0
  return (giveUp) => {
    let own = 0
    const share: BodyShare = {
      take(bytes) {
        own += bytes
        used += bytes
        for (const [oldest, end] of arriving) {
          if (used <= limit) break
          oldest.free()
          end()
        }
        return used <= limit
      },
      arrived: () => void arriving.delete(share),
      free() {
        arriving.delete(share)
        used -= own
        own = 0
      },
    }
    arriving.set(share, giveUp)
    return share
  }
}

/** Resolves at the body's end, or when it is read no further. */
export function readBody(request: Readable, { onChunk, signal }: ReadBodyOptions = {}): Promise<ReadBody> {
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
        onChunk?.(chunk.length)
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

export type UnpackResult = { ok: true; bytes: Buffer } | { ok: false; reason: string }

const unpackers = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** True when the body may be larger than it was sent. */
export function isPacked(encoding: string | undefined): boolean {
  return encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity'
}

/** The unpacked body, or `reason` in a sentence. */
export async function unpackBody(bytes: Buffer, encoding: string | undefined): Promise<UnpackResult> {
  if (!isPacked(encoding)) return { ok: true, bytes }
  const unpack = unpackers.get(String(encoding).trim().toLowerCase())
  if (unpack === undefined)
    return { ok: false, reason: 'The body’s Content-Encoding is not one of gzip, deflate and br.' }
  try {
    return { ok: true, bytes: await unpack(bytes, { maxOutputLength: bodyLimit }) }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, reason: 'The body unpacks to more than 25 MB.' }
    return { ok: false, reason: 'The body is not packed as its Content-Encoding says.' }
  }
}
