// JSON as compressed bytes.
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

// In threads of their own: a body of 25 MB takes a second.
const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Raw deflate of the JSON of a value. */
export const compressed = (value: unknown): Promise<Buffer> => deflate(JSON.stringify(value))

/** The value that `compressed` was given. Throws for damaged bytes. */
export async function decompressed<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await inflate(bytes)).toString()) as T
}
