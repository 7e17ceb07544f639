// The text that every match contains: never more than the expression requires.
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { requiredText } from '../../../../src/rules/language/patterns/pattern-size.ts'

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
