// A body is kept up to its limit, however it is cut into chunks.
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { bodyLimit, type ReadBodyOptions, readBody } from '../../../src/bot/webhook/read-body.ts'

const chunk = Buffer.alloc(1024 * 1024, 'a')
const chunksOf = (bytes: number) => [
  ...Array<Buffer>(Math.floor(bytes / chunk.length)).fill(chunk),
  chunk.subarray(0, bytes % chunk.length),
]

async function readBytes(bytes: number, options: ReadBodyOptions = {}) {
  let kept = 0
  const body = await readBody(Readable.from(chunksOf(bytes), { objectMode: false }), {
    ...options,
    onKept: (size) => {
      kept += size
    },
  })
  return { body, kept }
}

describe('a body', () => {
  test('of the limit is complete', async () => {
    const { body, kept } = await readBytes(bodyLimit)
    expect(body.is === 'complete' && body.bytes.length).toBe(bodyLimit)
    expect(kept).toBe(bodyLimit)
  })

  test('of small chunks that are too much together is too large, and no more than the limit was kept', async () => {
    const { body, kept } = await readBytes(bodyLimit + 1)
    expect(body).toEqual({ is: 'too_large' })
    expect(kept).toBeLessThanOrEqual(bodyLimit)
  })

  test('that goes on without end is read no further than four times the limit', async () => {
    let sent = 0
    function* endless() {
      for (;;) {
        sent += chunk.length
        yield chunk
      }
    }
    const stream = Readable.from(endless(), { objectMode: false })
    expect(await readBody(stream)).toEqual({ is: 'too_large' })
    expect(sent).toBeLessThan(4 * bodyLimit + 10 * chunk.length)
    stream.destroy()
  })

  test('is given up when its reader is stopped', async () => {
    const stop = new AbortController()
    const body = readBody(new Readable({ read: () => undefined }), { signal: stop.signal })
    stop.abort()
    expect(await body).toEqual({ is: 'stopped' })
  })
})
