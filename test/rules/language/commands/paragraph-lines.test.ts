// The lines of a note's top-level paragraphs, as plain text.
import { expect, test } from 'vitest'
import { paragraphLines } from '../../../../src/rules/language/commands/comment-commands.ts'

test.each([
  ['', []],
  ['one\ntwo\r\nthree\rfour', ['one', 'two', 'three', 'four']],
  ['one  \n  two\\\nthree', ['one', 'two', 'three']],
  ['one\n\n\ttwo\n\nthree', ['one', 'three']],
  ['one\n        two', ['one', 'two']],
  ['# one\ntwo', ['two']],
  ['one\n***\ntwo', ['one', 'two']],
])('of %j', (markdown, lines) => {
  expect(paragraphLines(markdown)).toEqual(lines)
})

test.each([
  ['code', 'a `b` c', 'a \uFFFC c'],
  ['an escape', '\\@b', '\uFFFCb'],
  ['an entity', '&amp;b', '\uFFFCb'],
  ['a link', '[b](c)d', '\uFFFC\uFFFC\uFFFCd'],
  ['emphasis', 'a *b*', 'a \uFFFC\uFFFC\uFFFC'],
])('%s is no plain text', (_, markdown, line) => {
  expect(paragraphLines(markdown)).toEqual([line])
})
