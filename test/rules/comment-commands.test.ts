// Commands in notes: only at the start of a line, outside code and quotes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandsIn } from '../../src/rules/comment-commands.ts'

test.each([
  ['@bellhop merge', ['merge']],
  ['@Bellhop MERGE', ['merge']],
  ['Thanks!\n@bellhop merge please', ['merge']],
  ['   @bellhop   why?', ['why']],
  ['@bellhop merge\n@bellhop why\n@bellhop merge', ['merge', 'why']],
  ['@bellhop merge\r\n', ['merge']],
  ['please @bellhop merge', []],
  ['> @bellhop merge', []],
  ['    @bellhop merge', []],
  ['\t@bellhop merge', []],
  ['`@bellhop merge`', []],
  ['```\n@bellhop merge\n```', []],
  ['````\n```\n@bellhop merge\n````\n@bellhop why', ['why']],
  ['~~~ yaml\n@bellhop merge', []],
  ['```\ncode\n```\n@bellhop merge', ['merge']],
  ['@bellhop2 merge', []],
  ['@bellhop', []],
  ['@bellhop merge/now', []],
  ['@bellhop\nmerge', []],
])('%j', (text, commands) => {
  expect(commandsIn(text, 'bellhop')).toEqual(commands)
})

test('any text is read, and never finds a word that is not in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const word of commandsIn(`${text}\n@bellhop merge`, 'bellhop')) expect(`${text} merge`.toLowerCase()).toContain(word)
    }),
  )
})
