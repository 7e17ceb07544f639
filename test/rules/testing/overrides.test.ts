// Overrides as `--what-if` takes them: each in one line, and several at once.
import fc from 'fast-check'
import { factNamed } from '../../../src/rules/facts/index.ts'
import type { Issue } from '../../../src/rules/language/values/shapes.ts'
import {
  commentOverrides,
  readMoment,
  readOverride,
  readOverrides,
  readValue,
} from '../../../src/rules/testing/overrides.ts'

const is = (value: unknown) => ({ is: 'known', value, complete: true, remark: 'overridden' })

it.each<[string, object]>([
  ['pipeline=success', { override: { fact: 'pipeline', is: is('success') } }],
  [' draft = true ', { override: { fact: 'draft', is: is(true) } }],
  ['age=30d', { override: { fact: 'age', is: is(2_592_000) } }],
  ['milestone=null', { override: { fact: 'milestone', is: is(null) } }],
  ['title=Draft: a = b', { override: { fact: 'title', is: is('Draft: a = b') } }],
  ['labels=a, b,,c', { override: { fact: 'labels', is: is(['a', 'b', 'c']) } }],
  ...['true', '3', 'null'].map((title): [string, object] => [
    `title=${title}`,
    { override: { fact: 'title', is: is(title) } },
  ]),
  ['upvotes=-3', { override: { fact: 'upvotes', is: is(-3) } }],
  ['labels=[]', { override: { fact: 'labels', is: is([]) } }],
  ['labels+=ready,now', { override: { fact: 'labels', add: ['ready', 'now'] } }],
  ['labels-=hold', { override: { fact: 'labels', remove: ['hold'] } }],
  ['author=unknown', { override: { fact: 'author', is: { is: 'absent', reason: 'it is overridden' } } }],
  ['now=2026-12-24T10:00Z', { now: '2026-12-24T10:00:00.000Z' }],
  ['now=2026-12-24T10:00:30+02:00', { now: '2026-12-24T08:00:30.000Z' }],
  ['event=push', { event: { kind: 'push' } }],
  [
    'event=note.create by alice: @bellhop merge',
    { event: { kind: 'note.create', by: 'alice', comment: '@bellhop merge' } },
  ],
  ['event=note.create: hello by bob', { event: { kind: 'note.create', comment: 'hello by bob' } }],
])('an override %s', (text, expected) => {
  expect(readOverride(text)).toEqual(expected)
})

it.each([
  ['pipline=success', 'there is no fact "pipline"; did you mean "pipeline"?'],
  ['pipeline=sucess', /^pipeline: expected one of none, .*, or unknown, found "sucess"; did you mean "success"\?$/],
  ['draft=yes', 'draft: expected true or false, or unknown, found "yes"'],
  ['approvals_left=two', 'approvals_left: expected a whole number, or unknown, found "two"'],
  ['pipeline+=success', '+= is for lists, and pipeline is none: expected pipeline=VALUE'],
  ['labels+=', 'expected at least one entry behind labels+='],
  ['pipeline', /^expected FACT=VALUE/],
  ['', /^expected FACT=VALUE/],
  ['__proto__=1', 'there is no fact "__proto__"'],
  ['clock=2026-12-24T10:00Z', 'the time is overridden with now=, found clock'],
  ['now=2026-12-24T10:00', /^expected now=a time with its zone/],
  ['event=note.creat', /did you mean "note.create"\?$/],
  ['event=note.*', /^expected event=KIND/],
  ['event=push: hello', 'expected a comment only for a note, found one for push'],
])('what cannot be overridden is said in a sentence %s', (text, problem) => {
  const expected = typeof problem === 'string' ? problem : expect.stringMatching(problem)
  expect(readOverride(text)).toEqual({ problem: expected })
})

it('whatever is written, it is read or refused in a sentence', () => {
  const name = fc.constantFrom('labels', 'pipeline', 'age', 'now', 'event', 'clock', '__proto__', 'toString')
  const text = fc.oneof(
    fc.string(),
    fc.tuple(name, fc.constantFrom('=', '+=', '-='), fc.string()).map((parts) => parts.join('')),
  )
  fc.assert(fc.property(text, (each) => Object.keys(readOverride(each)).length === 1))
})

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
    { fact: 'command_line', is: { is: 'known', value: 'merge', complete: true, remark: 'overridden' } },
  ])
})

function read(name: string, value: unknown) {
  const fact = factNamed(name)
  if (fact === undefined) throw new Error(`there is no fact ${name}`)
  const issues: Issue[] = []
  return { value: readValue(fact, value, [name], issues), issues }
}
const known = (value: unknown, complete = true) => ({ is: 'known', value, complete })

describe('a value', () => {
  it.each([
    ['draft', true, true],
    ['assignee', null, null],
    ['age', '2d', 172_800],
    ['time_estimate', '1d', 28_800],
    ['labels', [], []],
    ['author_access', 'developer', 'developer'],
    ['clock', '2026-01-01T00:00Z', Date.parse('2026-01-01T00:00:00Z')],
  ])('%s: %j', (name, written, value) => {
    expect(read(name, written)).toEqual({ value: known(value), issues: [] })
  })
  it('may be unknown, or a list or a count that the service cut', () => {
    expect(read('labels', 'unknown').value).toMatchObject({ is: 'absent' })
    expect(read('labels', { value: ['a'], complete: false }).value).toEqual(known(['a'], false))
    expect(read('changed_files_count', { value: 1000, complete: false }).value).toEqual(known(1000, false))
  })
  it.each([
    ['draft', 'yes'],
    ['title', null],
    ['labels', 'a'],
    ['labels', { value: ['a'], complete: true }],
    ['changed_files_count', '3'],
    ['age', 3],
  ])('%s: %j is none, and says what is expected', (name, written) => {
    const { value, issues } = read(name, written)
    expect([value, issues.length, issues[0]?.expected]).toEqual([undefined, 1, expect.any(String)])
  })
})

it('a moment has a zone, and at least minutes', () => {
  expect(readMoment('2026-12-24 10:00+01:00')).toBe('2026-12-24T09:00:00.000Z')
  for (const text of ['2026-12-24', '2026-12-24T10:00', '10:00Z', '2026-02-30T99:00Z', 5, null])
    expect(readMoment(text)).toBeUndefined()
})
