// Fingerprints: equal for equal values, different for others.
import fc from 'fast-check'
import { fingerprint } from '../../../../src/rules/language/values/fingerprint.ts'
import type { Json } from '../../../../src/rules/language/values/rule-types.ts'

describe('a fingerprint', () => {
  it('does not see the order of keys, but that of lists', () => {
    expect(fingerprint({ a: 1, b: [1, 2] })).toBe(fingerprint({ b: [1, 2], a: 1 }))
    expect(fingerprint([1, 2])).not.toBe(fingerprint([2, 1]))
    expect(fingerprint({ a: '1' })).not.toBe(fingerprint({ a: 1 }))
  })
  it('is 16 hexadecimal digits, the same each time', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const mark = fingerprint(value as Json)
        expect(mark).toMatch(/^[0-9a-f]{16}$/)
        expect(fingerprint(structuredClone(value) as Json)).toBe(mark)
      }),
    )
  })
})
