// The progress line: on terminals only.
import { createProgress } from '../../../src/cli/output/terminal-text.ts'

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
