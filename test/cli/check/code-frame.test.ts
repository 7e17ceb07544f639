// Code frames: the caret is under the place, whatever the line is made of.
import { codeFrame } from '../../../src/cli/commands/check.ts'

// Tests run without a terminal, and so without colours.
test('the line before, the line, and the caret', () => {
  expect(codeFrame('a: 1\nbc: 2\n', { line: 2, column: 5 })).toEqual(['  1 │ a: 1', '  2 │ bc: 2', '    │     ^'])
})

test('the first line has none before it', () => {
  expect(codeFrame('a: 1', { line: 1, column: 1 })).toEqual(['  1 │ a: 1', '    │ ^'])
})

test('tabs and control characters take one column', () => {
  expect(codeFrame('\ta: \u001b[31mx', { line: 1, column: 5 })).toEqual(['  1 │  a:  [31mx', '    │     ^'])
})

test('a long line is shown around the place', () => {
  const [line = '', caret = ''] = codeFrame(`${'a'.repeat(500)}!${'b'.repeat(500)}`, { line: 1, column: 501 })
  expect(line.length).toBeLessThan(140)
  expect(line[caret.indexOf('^')]).toBe('!')
})

test('a place after the end is shown', () => {
  expect(codeFrame('a:\n', { line: 2, column: 1 })).toEqual(['  1 │ a:', '  2 │ ', '    │ ^'])
})
