// Text from outside cannot control the terminal or turn the direction of a line.
import { expect, test } from 'vitest'
import { createProgress, plain } from '../../../src/cli/output/terminal-text.ts'

test.each(['\u001b', '\n', '\u009b', '\u2028', '\u202e', '\u2066'])('%j becomes a space', (control) => {
  expect(plain(`one${control}two`)).toBe('one two')
})

function written(isTTY: boolean): string {
  let text = ''
  const progress = createProgress({
    isTTY,
    write: (each) => {
      text += each
    },
  })
  progress.show('1 of 2', 0.5)
  progress.show('2 of 2', 7)
  progress.end()
  return text
}

test('is drawn over itself and taken away', () => {
  expect(written(true)).toBe(
    `\r\u001b[K[${'█'.repeat(12)}${' '.repeat(12)}] 1 of 2\r\u001b[K[${'█'.repeat(24)}] 2 of 2\r\u001b[K`,
  )
})
test('is not written into a log', () => {
  expect(written(false)).toBe('')
})
