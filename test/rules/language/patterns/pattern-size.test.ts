// The size of a pattern from its source: never much less than what it compiles to, so that nothing large is compiled.
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { estimateInstructions } from '../../../../src/rules/language/patterns/pattern-size.ts'

it.each([
  ['^(feat|fix)(\\(.+\\))?!?: .{1,72}$', 167],
  ['.{0,900}', 1802],
  ['(?:[a-m].{0,900}x)?(?:[a-m].{0,900}y)?(?:[e-m].{0,900}z)?[!-/]$', 5413],
  ['((a{10}){10}){10}', 1222],
  ['a{1000}'.repeat(71), 71_002],
  ['[]a]{90}[[:alpha:]]{90}[\\]a]{90}', 272],
  ['(?i)a{90}(?i:b){90}', 182],
])('of %s is about %i', (source, size) => {
  expect(estimateInstructions(source)).toBeGreaterThan(0.9 * size)
  expect(estimateInstructions(source)).toBeLessThan(1.6 * size)
})

it.each([
  ['repeated Unicode classes', '^\\pL{0,200}$', 8000],
  ['many Unicode classes', '\\pL'.repeat(166), 6000],
  ['a repetition of a repetition, behind flags', '(?:abcdefghij){9}?(?i){0,100}', 9000],
  ['a repetition of a repetition, behind no flags', 'a{0,90}(?){0,90}', 7000],
  ['a wide class whose case is folded', '(?i)[é-\u{1e942}]', 1500],
])('counts %s for what compiling them takes', (_what, source, least) => {
  expect(estimateInstructions(source)).toBeGreaterThan(least)
})

it('is never far below the size of the compiled program', () => {
  const piece = fc.constantFrom(
    ...'a b . ( ) (?: (?i) | * + ? {3} {2,9} {0,20} {4,} { } [ab] [^a-z] []] [ ]'.split(' '),
    ...'\\d \\b \\Qa{9}\\E \\x{61} ^ $ , 1 [[:digit:]] \\. \\] \\('.split(' '),
  )
  let compiled = 0
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const source = pieces.join('')
      let size: number
      try {
        size = RE2JS.compile(source).programSize()
      } catch {
        return
      }
      compiled += 1
      expect(estimateInstructions(source) * 2 + 20).toBeGreaterThan(size)
    }),
    { numRuns: 1500 },
  )
  expect(compiled).toBeGreaterThan(150)
})
