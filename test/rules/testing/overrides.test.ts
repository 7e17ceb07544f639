// Several overrides at once: all of them are read, or every line that cannot be is named.
import { expect, test } from 'vitest'
import { commentOverrides, readOverrides } from '../../../src/rules/testing/overrides.ts'

test('facts, a time and an event are kept apart', () => {
  const read = readOverrides([
    'labels+=ready',
    'draft=false',
    'now=2026-11-22T10:00Z',
    'event=note.create by ann: @bellhop merge',
  ])
  expect(read).toEqual({
    ok: true,
    overrides: {
      facts: [expect.objectContaining({ fact: 'labels' }), expect.objectContaining({ fact: 'draft' })],
      now: expect.stringMatching(/^2026-11-22T10:00/),
      events: [expect.objectContaining({ kind: 'note.create', by: 'ann', comment: '@bellhop merge' })],
    },
  })
})

test('every line that cannot be read is named, and more than one event is refused', () => {
  const read = readOverrides(['labls+=ready', 'draft=perhaps', 'event=note.create', 'event=note.create'])
  expect(read).toEqual({
    ok: false,
    problems: [
      expect.stringMatching(/^"labls\+=ready": /),
      expect.stringMatching(/^"draft=perhaps": /),
      'expected at most one event',
    ],
  })
})

test('an overriding comment has its commands for that bot', () => {
  expect(commentOverrides('@bellhop merge\n@other why', 'bellhop')).toEqual([
    { fact: 'comment', is: { is: 'known', value: '@bellhop merge\n@other why', complete: true, remark: 'overridden' } },
    { fact: 'command', is: { is: 'known', value: ['merge'], complete: true, remark: 'overridden' } },
  ])
})
