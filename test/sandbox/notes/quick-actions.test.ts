// Quick actions in the text of a note.
import { expect, test } from 'vitest'
import { readQuickActions } from '../../../src/sandbox/notes/quick-actions.ts'

const read = (...lines: string[]) => readQuickActions(lines.join('\n'), (name) => ['label', 'close'].includes(name))

test('a line with a known name is read with its argument', () => {
  expect(read('Look', '/label ~a ~"b c" ', 'there', '/close')).toEqual({
    text: 'Look\nthere',
    actions: [
      { name: 'label', argument: '~a ~"b c"' },
      { name: 'close', argument: '' },
    ],
  })
})

test('nothing but quick actions leaves no text', () => {
  expect(read('', '/close', '  ')).toEqual({ text: '', actions: [{ name: 'close', argument: '' }] })
})

test('names may be in capitals, and lines may end as on Windows', () => {
  expect(readQuickActions('/CLOSE\r\nDone\r\n', () => true)).toEqual({
    text: 'Done',
    actions: [{ name: 'close', argument: '' }],
  })
})

test.each([
  ['an unknown name', ['/unknown thing']],
  ['a known name in the middle of a line', ['please /close']],
  ['a known name behind a blank', [' /close']],
  ['a longer name', ['/closed', '/close-it', '/close/it']],
  ['a constructor', ['/constructor', '/__proto__']],
  ['a fence', ['```', '/close', '```']],
  ['a fence with a language', ['```sh', '/close', '```']],
  ['a longer fence around a shorter one', ['````', '```', '/close', '````']],
  ['a fence of tildes', ['~~~', '/close', '~~~']],
  ['a fence that nothing closes', ['```', '/close']],
  ['a quote block', ['>>>', '/close', '>>>']],
  ['inline code over lines', ['`', '/close', '`']],
  ['an HTML block', ['<details open>', '/close', '</details>']],
  ['an HTML comment', ['<!-- hidden', '/close', '-->']],
])('%s stays as it is', (_name, lines) => {
  expect(read(...lines)).toEqual({ text: lines.join('\n'), actions: [] })
})

test.each([
  ['a closed fence', ['```', 'x', '```'], '```\nx\n```'],
  ['a comment of one line', ['<!-- x -->'], '<!-- x -->'],
  ['code that begins and ends on a line', ['```x```'], '```x```'],
  ['a quote block that nothing closes', ['>>>', 'x'], '>>>\nx'],
  ['a tag that nothing closes', ['<br>'], '<br>'],
])('behind %s quick actions are read again', (_name, lines, text) => {
  expect(read(...lines, '/close')).toEqual({ text, actions: [{ name: 'close', argument: '' }] })
})

test.each([
  ['tags that nothing closes', Array.from({ length: 150_000 }, (_, at) => `<a${at}>`).join('\n')],
  ['a fence of a million signs', '`'.repeat(1_000_000)],
  ['quotes', '>>>\n'.repeat(250_000)],
  ['blanks', `/label ${' '.repeat(500_000)}x${' '.repeat(500_000)}y`],
])('a megabyte of %s is read', (_name, text) => {
  expect(readQuickActions(`/close\n${text}`, (name) => name === 'close').actions).toEqual([
    { name: 'close', argument: '' },
  ])
})
