// A body is kept up to its limit, however it is cut into chunks; all bodies together within the one of the memory.
import { Readable } from 'node:stream'
import fc from 'fast-check'
import {
  type BodyShare,
  bodyLimit,
  createBodyMemory,
  type ReadBodyOptions,
  readBody,
} from '../../../src/bot/webhook/read-body.ts'

const chunk = Buffer.alloc(1024 * 1024, 'a')
const chunksOf = (bytes: number) => [
  ...Array<Buffer>(Math.floor(bytes / chunk.length)).fill(chunk),
  chunk.subarray(0, bytes % chunk.length),
]

async function readBytes(bytes: number, options: ReadBodyOptions = {}) {
  let kept = 0
  const body = await readBody(Readable.from(chunksOf(bytes), { objectMode: false }), {
    ...options,
    onChunk: (size) => {
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

describe('the memory for bodies', () => {
  function make() {
    const memory = createBodyMemory(10)
    const givenUp: string[] = []
    return { begin: (name: string) => memory(() => givenUp.push(name)), givenUp }
  }

  test('gives up the body that began first, and no more than is needed', () => {
    const { begin, givenUp } = make()
    const [old, young, next] = [begin('old'), begin('young'), begin('next')]
    young.take(4)
    old.take(6)
    expect(givenUp).toEqual([])
    next.take(1)
    expect(givenUp).toEqual(['old'])
    next.take(5)
    expect(givenUp).toEqual(['old'])
  })

  test('gives up a body that alone is more than all', () => {
    const { begin, givenUp } = make()
    begin('greedy').take(11)
    expect(givenUp).toEqual(['greedy'])
    expect(begin('next').take(10)).toBe(true)
  })

  test('keeps a body that has arrived: the others share the rest until it is freed', () => {
    const { begin, givenUp } = make()
    const arrived = begin('arrived')
    arrived.take(8)
    arrived.arrived()
    begin('next').take(3)
    expect(givenUp).toEqual(['next'])
    expect(arrived.take(3)).toBe(false)
    arrived.free()
    arrived.free()
    begin('last').take(10)
    expect(givenUp).toEqual(['next'])
  })

  test('never holds more than the limit', () => {
    const steps = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom('take', 'arrived', 'free'), fc.nat({ max: 12 })),
    )
    fc.assert(
      fc.property(steps, (list) => {
        const memory = createBodyMemory(10)
        const held = new Map<number, { bytes: number; share: BodyShare }>()
        for (const [who, step, bytes] of list) {
          const one = held.get(who) ?? { bytes: 0, share: memory(() => void held.delete(who)) }
          held.set(who, one)
          if (step === 'arrived') one.share.arrived()
          one.bytes += step === 'take' ? bytes : 0
          if (step === 'free' || (step === 'take' && !one.share.take(bytes))) {
            one.share.free()
            held.delete(who)
          }
          expect([...held.values()].reduce((sum, each) => sum + each.bytes, 0)).toBeLessThanOrEqual(10)
        }
      }),
    )
  })
})
