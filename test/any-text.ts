// Strings of any code points. The unit `binary` of fast-check gives the same ones, but first lists all of them, which
// takes seconds and 100 MB of each process.
import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogates = 0x800

const character = fc.nat({ max: 0x10ffff - surrogates }).map(
  (place) => String.fromCodePoint(place < firstSurrogate ? place : place + surrogates),
  (given) => {
    const [only = '', ...more] = typeof given === 'string' ? given : []
    const code = only.codePointAt(0)
    if (code === undefined || more.length > 0 || !only.isWellFormed()) throw new Error('it is no character')
    return code < firstSurrogate ? code : code - surrogates
  },
)

export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character })
