// Reading along which refs a push names, however it is cut into pieces.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPushReader } from '../../../src/sandbox/git/push-commands.ts'

const line = (text: string) => `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`
const [zero, one] = ['0'.repeat(40), '1'.repeat(40)]
const push = Buffer.from(
  `${line(`${zero} ${one} refs/heads/ü\0report-status side-band-64k`)}${line(`${one} ${zero} refs/tags/v1\n`)}0000PACK and the rest`,
)

test('the refs are found however the push is split into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: push.length }), { maxLength: 8 }), (cuts) => {
      const reader = createPushReader()
      const ends = [...new Set(cuts), push.length].sort((a, b) => a - b)
      for (const [index, end] of ends.entries()) reader.take(push.subarray(ends[index - 1] ?? 0, end))
      expect(reader.refs()).toEqual(['refs/heads/ü', 'refs/tags/v1'])
    }),
  )
})

test.each([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.from('zzzz'), Buffer.from('00'), Buffer.alloc(0)])(
  '%o is not read',
  (bytes) => {
    const reader = createPushReader()
    reader.take(bytes)
    expect(reader.refs()).toBeUndefined()
  },
)
