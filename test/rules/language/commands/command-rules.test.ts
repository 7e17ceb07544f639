// `command:` of a rule. How a comment becomes a command is tested in events.test.ts.
import { expect, test } from 'vitest'
import { readCommand } from '../../../../src/rules/language/commands/comment-commands.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'

test('a word of small letters, digits, - and _ is a command', () => {
  const issues: Issue[] = []
  expect([readCommand('release-notes_2', [], issues), issues]).toEqual(['release-notes_2', []])
})

test.each(['why', 'Merge', 'two words', '', '9lives', 'a'.repeat(41), 7, null])(
  '%j is refused at its place',
  (value) => {
    const issues: Issue[] = []
    expect(readCommand(value, ['command'], issues)).toBeUndefined()
    expect(issues).toMatchObject([{ path: ['command'] }])
  },
)
