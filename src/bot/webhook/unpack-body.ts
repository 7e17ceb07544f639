// Decodes a body's Content-Encoding, up to the limit. A body that cannot be decoded is an unreadable delivery.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { bodyLimit } from './read-body.ts'

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
