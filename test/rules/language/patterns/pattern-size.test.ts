// The size of a pattern from its source: never much less than what it compiles to, so that nothing large is compiled.
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { estimateInstructions, requiredText } from '../../../../src/rules/language/patterns/pattern-size.ts'

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

it.each([
  ['^(feat|fix)\\(part-7\\): ', '(part-7): '],
  ['release', 'release'],
  ['ab+c', 'ab'],
  ['abc*d', 'ab'],
  ['abc{0,2}defg', 'defg'],
  ['^v1\\.2\\.', 'v1.2.'],
  ['(abc)', ''],
  ['abc|def', ''],
  ['a{|b}cd', ''],
  ['(?i)abc', ''],
  ['[a|b]cd', ''],
  ['\\Qa|b\\Ecd', ''],
  ['grüße', ''],
])('of %s is %j', (source, expected) => {
  expect(requiredText(source)).toBe(expected)
})

it('stands in every text in which the expression is found', () => {
  const piece = fc.constantFrom(...'ab(){}|*+?.^$\\[]1,-', ...'ab (a|b) a{0,1} b{2} \\( \\. \\d (?i) (?:a)?'.split(' '))
  const source = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
  const text = fc
    .array(fc.constantFrom(...'ab(){}|.1,-\\', 'A', 'ab'), { maxLength: 8 })
    .map((pieces) => pieces.join(''))
  let [found, told] = [0, 0]
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (expression, texts) => {
      let compiled: RE2JS
      try {
        compiled = RE2JS.compile(expression)
      } catch {
        return
      }
      const needed = requiredText(expression)
      for (const each of texts.filter((one) => compiled.test(one))) {
        expect(each).toContain(needed)
        found += 1
        if (needed !== '') told += 1
      }
    }),
    { numRuns: 1500 },
  )
  expect([found > 100, told > 20]).toEqual([true, true])
})
