// Long texts, compressed for a store that keeps them in memory.
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

/** Shorter ones gain nothing that counts. */
const SHORTEST = 500
/** In no text, as no UTF-8 contains it. */
const MARK = Buffer.of(0xff)

// In threads of their own: a body of 25 MB takes a second.
const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** The text as it is, or compressed where that is shorter. */
export async function compressed(text: string): Promise<string | Buffer> {
  if (Buffer.byteLength(text) < SHORTEST) return text
  const bytes = Buffer.from(text)
  const packed = Buffer.concat([MARK, await deflate(bytes)])
  return packed.length < bytes.length ? packed : text
}

/** The text that `compressed` was given. Throws for a damaged one. */
export async function decompressed(stored: Buffer): Promise<string> {
  return (stored[0] === MARK[0] ? await inflate(stored.subarray(1)) : stored).toString()
}
