// Text from outside cannot control the terminal or turn the direction of a line.
import { plain } from '../../../src/cli/output/terminal-text.ts'

test.each(['\u001b', '\n', '\u009b', '\u2028', '\u202e', '\u2066'])('%j becomes a space', (control) => {
  expect(plain(`one${control}two`)).toBe('one two')
})
