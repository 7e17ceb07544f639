// What is compressed reads back as it was.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compressed, decompressed } from '../../../src/journal/stores/compressed-text.ts'

/** As Redis gives it back. */
const stored = async (text: string) => Buffer.from(await compressed(text))

const oddTexts = [
  ...['', 'a', '\0', '\0'.repeat(600), '\u00ff', '\u00ff'.repeat(600), '\ufffd'.repeat(600), '\ufeffbom'],
  ...['{"a":"\\ud800"}'.repeat(100), 'é😀'.repeat(100_000), ' '.repeat(499), ' '.repeat(500)],
]

test.each(oddTexts)('an odd text reads back: %#', async (text) => {
  expect(await decompressed(await stored(text))).toBe(text)
})

test('any text reads back, also one that looks like a compressed one', async () => {
  const wellFormed = fc.string({ unit: 'binary', maxLength: 2_000 })
  const looksCompressed = wellFormed.map((text) => `\u00ff${text}`)
  const long = fc.tuple(wellFormed, fc.nat(40)).map(([text, times]) => text.repeat(times))
  await fc.assert(
    fc.asyncProperty(fc.oneof(wellFormed, looksCompressed, long), async (text) => {
      expect((await decompressed(await stored(text))) === text).toBe(true)
    }),
  )
})

test('what was compressed before, read as the text of a body, reads back', async () => {
  const packed = await stored('a'.repeat(5_000))
  const body = packed.toString('latin1').repeat(60)
  expect(await decompressed(await stored(body))).toBe(body)
})

test('a lone surrogate becomes what a database makes of it, in short and in long texts', async () => {
  for (const times of [1, 1_000])
    expect(await decompressed(await stored('\ud800'.repeat(times)))).toBe('\ufffd'.repeat(times))
})

test('a long text takes a fraction of its bytes, and none takes more than before', async () => {
  const body = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, username: `user-${id}`, state: 'active' })))
  expect((await stored(body)).length).toBeLessThan(body.length / 4)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 2_000 }), async (text) => {
      expect((await stored(text)).length).toBeLessThanOrEqual(Buffer.byteLength(text))
    }),
  )
})

test('a damaged text is an error, not another text', async () => {
  const packed = await stored('a long text '.repeat(1_000))
  await expect(decompressed(packed.subarray(0, packed.length - 4))).rejects.toThrow()
})
