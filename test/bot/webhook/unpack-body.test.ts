// What a body's Content-Encoding says, undone within the limit.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { unpackBody } from '../../../src/bot/webhook/read-body.ts'

const TEXT = '{"a":"é"}'

test.each([
  ['nothing', undefined, Buffer.from(TEXT)],
  ['an empty one', '', Buffer.from(TEXT)],
  ['identity', 'identity', Buffer.from(TEXT)],
  ['gzip', 'gzip', gzipSync(TEXT)],
  ['x-gzip, in capitals', 'X-GZIP', gzipSync(TEXT)],
  ['deflate', 'deflate', deflateSync(TEXT)],
  ['br', 'br', brotliCompressSync(TEXT)],
])('%s is undone', async (_name, encoding, bytes) => {
  expect(await unpackBody(bytes, encoding)).toEqual({ ok: true, bytes: Buffer.from(TEXT) })
})

const bomb = Buffer.alloc(26 * 1024 * 1024)
test.each([
  ['gzip', gzipSync(bomb)],
  ['deflate', deflateSync(bomb)],
  ['br', brotliCompressSync(bomb)],
])('a bomb in %s is not unpacked beyond the limit', async (encoding, bytes) => {
  expect(await unpackBody(bytes, encoding)).toEqual({ ok: false, reason: 'The body unpacks to more than 25 MB.' })
})

test('an unknown packing, several at once, and a broken one are unreadable', async () => {
  for (const encoding of ['rot13', 'gzip, gzip', 'constructor'])
    expect(await unpackBody(gzipSync(TEXT), encoding)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('not one of'),
    })
  for (const bytes of [Buffer.from(TEXT), gzipSync(TEXT).subarray(0, 15), Buffer.alloc(0)])
    expect(await unpackBody(bytes, 'gzip')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('not packed as'),
    })
})
