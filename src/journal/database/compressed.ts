// JSON as compressed bytes.
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib'

// In threads of their own: a body of 25 MB takes a second. For a short text, to pass it there costs more.
const shortLength = 64 * 1024
const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Raw deflate of the JSON of a value. */
export async function compressed(value: unknown): Promise<Buffer> {
  const text = JSON.stringify(value)
  return text.length < shortLength ? deflateRawSync(text) : deflate(text)
}

/** The value that `compressed` was given. Throws for damaged bytes. */
export async function decompressed<T>(bytes: Uint8Array): Promise<T> {
  return JSON.parse((await inflate(bytes)).toString()) as T
}
