// Ages, the clock, and how long ago things happened: by versions, system notes, approvals and label events.
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { actualOf, unsaid } from '../actual.ts'
import {
  answer,
  answers,
  bot,
  decideIssue,
  decideRule,
  head,
  ofIssue,
  problemsIn,
  refused,
  rule,
  rules,
  verdictOf,
} from '../world.ts'

describe('updated', () => {
  it.each([
    ['{ older_than: 23h }', 'true'],
    ['{ older_than: 1d }', 'false'],
    ['{ newer_than: 25h }', 'true'],
  ])('%s after a day is %s', (condition, verdict) => {
    expect(verdictOf(`{ updated: ${condition} }`)).toBe(verdict)
  })
  it('is unknown where the service does not say', () => {
    expect(verdictOf('{ updated: { newer_than: 1d } }', { answers: answers({ updated_at: undefined }) })).toBe(
      'unknown',
    )
  })
})

it('clock is the time of the decision', () => {
  const actual = (now: string) => actualOf('clock: { days: sun }', {}, {}, { now })
  expect(actual('2026-03-29T01:00:00Z')).toBe('Sun 29 Mar 01:00 UTC')
  expect(actual('soon')).toBe(unsaid)
})

describe('age', () => {
  it.each([
    ['{ older_than: 9d }', 'true'],
    ['{ older_than: 10d }', 'false'],
    ['{ newer_than: 10d }', 'false'],
    ['{ newer_than: 1w4d }', 'true'],
  ])('%s after ten days is %s', (condition, verdict) => {
    expect(verdictOf(`{ age: ${condition} }`)).toBe(verdict)
  })
  it('is unknown where the service or the clock makes no sense', () => {
    expect(verdictOf('{ age: { older_than: 1d } }', { answers: answers({ created_at: 'long ago' }) })).toBe('unknown')
    expect(verdictOf('{ age: { older_than: 1d } }', { now: 'now' })).toBe('unknown')
  })
  it('of a clock that is behind is none', () => {
    expect(verdictOf('{ age: { newer_than: 1m } }', { now: '2025-01-01T00:00:00Z' })).toBe('true')
  })
})

// The world's time is 2026-01-11; the merge request was opened on 2026-01-01.
const on = (day: string) => `2026-01-${day}T00:00:00Z`
const sha = (digit: string) => digit.repeat(40)
const version = (day: string, id = head) => ({ head_commit_sha: id, created_at: on(day) })
const note = (day: string, body: string, more: object = {}) => ({
  ...{ body, created_at: on(day), system: true, author: { id: 3 } },
  ...more,
})
const notes = (...list: object[]): SourceAnswers => ({ notes: answer(list) })
const actual = (key: string, other: SourceAnswers, fields: object = {}, changes: object = {}) =>
  actualOf(`since: { ${key}: { older_than: 1h } }`, { ...fields }, other, changes)

describe('since: { pushed }', () => {
  const pushed = (versions: object[], pushes: object[] = []) =>
    actual('pushed', { versions: answer(versions) }, {}, { memory: { ...emptyMemory(), pushes } })
  const by = (user: object, to = head) => ({ from: sha('b'), to, by: user })

  it('is the time of the newest version, of the evaluated head alone', () => {
    expect(pushed([version('09'), version('01', sha('b'))])).toBe('2d')
    expect(pushed([version('09', sha('b')), version('01')])).toMatch(/^unknown: it is of another head commit/)
  })
  it('leaves out what Bellhop pushed itself, where it saw the push', () => {
    const versions = [version('10'), version('08', sha('b')), version('01', sha('c'))]
    expect(pushed(versions, [by({ id: bot.id })])).toBe('3d')
    expect(pushed(versions, [by({ id: 2 })])).toBe('1d')
    expect(pushed(versions)).toBe('1d')
  })
  it('is the time of the first version where Bellhop pushed all', () => {
    expect(pushed([version('10'), version('09')], [by({ id: bot.id })])).toBe('2d')
  })
  it('is unknown, and not true, where the list is cut, refused or says no time', () => {
    const versions = (given: SourceAnswers[string]) => actual('pushed', { versions: given })
    expect(versions(answer([version('01')], false))).toBe('unknown: it has more versions than are read')
    expect(versions(refused(403))).toBe('unknown: 403')
    expect(versions(answer([{ head_commit_sha: head }]))).toBe(unsaid)
  })
  it.each([
    ['9d', 'true'],
    ['10d', 'false'],
  ])('older than %s after ten days is %s', (length, verdict) => {
    expect(verdictOf(`{ since: { pushed: { older_than: ${length} } } }`)).toBe(verdict)
  })
  it('is evaluated again when it turns true, and reads nothing but the versions', () => {
    const decision = decideRule('{ since: { pushed: { older_than: 24h } } }', '{ subscribe: true }', {
      answers: answers({}, { versions: answer([version('10')]), notes: refused(500), labelEvents: refused(500) }),
    })
    expect([decision.rules[0]?.verdict, decision.changesAt]).toEqual(['false', '2026-01-11T00:00:00.001Z'])
  })
})

describe('since: { ready }', () => {
  const ready = 'marked this merge request as **ready**'
  const draft = 'marked this merge request as **draft**'

  it.each([
    ['the opening, where it never was a draft', [], '10d'],
    ['the last mark', [note('09', ready), note('08', draft), note('05', ready)], '2d'],
    ['the last mark in any order', [note('05', ready), note('09', ready)], '2d'],
    ['no note of a person', [note('09', ready, { system: false })], '10d'],
    ['no text that only contains the words', [note('09', `changed title from **x** to **${ready}**`)], '10d'],
    ['no note with more text', [note('04', ready), note('09', `${ready} at last`)], unsaid],
  ])('is counted from %s', (_what, list, expected) => {
    expect(actual('ready', notes(...list))).toBe(expected)
  })
  it('is unknown of a draft, and where the notes end with one or are cut', () => {
    expect(actual('ready', notes(note('09', ready)), { work_in_progress: true })).toBe('unknown: it is a draft')
    expect(actual('ready', notes(note('09', `${draft} from 0123abc`), note('08', ready)))).toBe(unsaid)
    expect(actual('ready', notes(note('09', ready), note('08', draft, { created_at: 'then' })))).toBe(unsaid)
    expect(actual('ready', { notes: answer([note('09', ready)], false) })).toBe(
      'unknown: it has more notes than are read',
    )
  })
})

describe('since: { approved }', () => {
  const by = (id: number, approved_at?: string) => ({ user: { id, username: `u${id}` }, approved_at })
  const approved = (list: object[], ...written: object[]) =>
    actual('approved', { approvals: answer({ approved: true, approved_by: list }), ...notes(...written) })
  const approval = (day: string, id: number, more: object = {}) =>
    note(day, 'approved this merge request', { author: { id }, ...more })

  it('is the last time that the approvals say, without a read of the notes', () => {
    const approvals = answer({ approved_by: [by(3, on('07')), by(4, on('09')), by(bot.id, on('10'))] })
    expect(actual('approved', { approvals, notes: refused(500) })).toBe('2d')
  })
  it.each([
    ['the last note of those who approve it now', [by(3), by(4)], [approval('09', 4), approval('06', 3)], '2d'],
    ['no approval that was taken back', [by(3)], [approval('09', 4), approval('06', 3)], '5d'],
    ['an approval that was given again', [by(3)], [approval('06', 3), approval('08', 3)], '3d'],
    ['no note of a person', [by(3)], [approval('09', 3, { system: false }), approval('06', 3)], '5d'],
    ['no other text', [by(3)], [note('09', 'approved this merge request, really'), approval('06', 3)], '5d'],
    ['no approval of Bellhop’s', [by(3), by(bot.id)], [approval('09', bot.id), approval('06', 3)], '5d'],
  ])('is counted from %s', (_what, list, written, expected) => {
    expect(approved(list, ...written)).toBe(expected)
  })
  it('is unknown while nobody approves it, or nobody says when', () => {
    expect(approved([])).toBe('unknown: nobody has approved it')
    expect(approved([by(bot.id)])).toBe('unknown: nobody has approved it')
    expect(approved([by(3), by(4)], approval('06', 3))).toBe('unknown: the service does not say when somebody approved')
    expect(approved([by(3, 'then')])).toBe('unknown: the service does not say when somebody approved')
    expect(approved([{ user: null }], note('06', 'approved this merge request', { author: null }))).toMatch(/^unknown/)
    expect(actual('approved', { approvals: refused(403) })).toBe('unknown: 403')
  })
})

describe('since: { review_requested }', () => {
  const requested = (fields: object, ...list: object[]) => actual('review_requested', notes(...list), fields)
  const reviewers = [{ id: 3, username: 'bob' }]

  it.each([
    ['the last request', [note('09', 'requested review from @bob'), note('05', 'requested review from @eve')], '2d'],
    ['a change', [note('08', 'requested review from @bob and removed review request for @eve')], '3d'],
    ['no removal', [note('09', 'removed review request for @eve'), note('06', 'requested review from @bob')], '5d'],
    ['no note of a person', [note('09', 'requested review from @bob', { system: false })], '10d'],
    ['the opening, without a note', [], '10d'],
  ])('is counted from %s', (_what, list, expected) => {
    expect(requested({ reviewers }, ...list)).toBe(expected)
  })
  it('is unknown without a reviewer', () => {
    expect(requested({ reviewers: [] }, note('09', 'requested review from @bob'))).toBe('unknown: it has no reviewer')
    expect(requested({ reviewers: undefined })).toBe(unsaid)
  })
})

describe('since: { labelled }', () => {
  const event = (day: string, action: string, name = 'ready', more: object = {}) => ({
    ...{ action, created_at: on(day), label: { name } },
    ...more,
  })
  const condition = '{ since: { labelled: { label: ready, older_than: 24h } } }'
  const found = (list: object[], labels = ['ready'], complete = true) =>
    decideRule(condition, '{ subscribe: true }', {
      answers: answers({ labels }, { labelEvents: answer(list, complete) }),
    }).rules[0]?.conditions

  it.each([
    ['the last time that it was set', [event('02', 'add'), event('05', 'remove'), event('08', 'add')], '3d'],
    ['no other label', [event('06', 'add'), event('09', 'add', 'Ready')], '5d'],
    ['the later one of one time', [event('06', 'remove'), event('06', 'add')], '5d'],
    ['no deleted label', [event('06', 'add'), event('09', 'add', '', { label: null })], '5d'],
  ])('is counted from %s', (_what, list, expected) => {
    expect(found(list)).toMatchObject({ condition: 'since_labelled ready', verdict: 'true', actual: expected })
  })
  it('is unknown, and not true, without the label or its event, or where the events are cut', () => {
    expect(found([event('02', 'add')], ['Ready'])?.actual).toBe('unknown: it does not have the label')
    expect(found([event('02', 'add'), event('03', 'remove')])?.actual).toBe(unsaid)
    expect(found([])?.actual).toBe(unsaid)
    expect(found([event('02', 'add')], ['ready'], false)?.actual).toBe(
      'unknown: it has more label events than are read',
    )
  })
  it('is evaluated again when it turns true', () => {
    const decision = decideRule(condition, '{ subscribe: true }', {
      answers: answers({ labels: ['ready'] }, { labelEvents: answer([event('10', 'add')]) }),
    })
    expect(decision.changesAt).toBe('2026-01-11T00:00:00.001Z')
  })
  it('is a fact of issues too', () => {
    const given = ofIssue({ labels: ['ready'] }, { labelEvents: answer([event('02', 'add')]) })
    expect(decideIssue(condition, '{ subscribe: true }', given).rules[0]?.verdict).toBe('true')
  })
  it('takes any name of a label', () => {
    const label = 'two words @all'
    const other = { labelEvents: answer([event('06', 'add', label)]) }
    expect(actualOf(`since: { labelled: { label: "${label}", older_than: 1h } }`, { labels: [label] }, other)).toBe(
      '5d',
    )
  })
})

const keys = 'approved, labelled, pushed, ready, review_requested'
const withLabel = 'expected a mapping with label and older_than or newer_than'

it.each([
  ['24h', `since: expected a mapping with ${keys}, found "24h"`],
  ['{}', `since: expected a mapping with ${keys}, found a mapping`],
  ['{ older_than: 1d }', `since.older_than: expected one of the keys ${keys}, found the unknown key "older_than"`],
  ['{ pushed: 24h }', 'since.pushed: expected a mapping with older_than, newer_than, not, found "24h"'],
  ['{ pushed: { older_than: 24 } }', 'since.pushed.older_than: expected a duration such as 15m, 3h30m or 2d, found 24'],
  ['{ labelled: ready }', `since.labelled: ${withLabel}, found "ready"`],
  ['{ labelled: { label: ready } }', `since.labelled: ${withLabel}, found a mapping`],
  ['{ labelled: { older_than: 1h } }', `since.labelled: ${withLabel}, found a mapping`],
  ['{ labelled: { label: 7, older_than: 1h } }', 'since.labelled.label: expected the name of a label, found 7'],
])('since: %s is refused with what is expected', (value, problem) => {
  const [found, ...more] = problemsIn(rules(rule(`{ since: ${value} }`, '{ subscribe: true }')))
  expect([found?.replace(/^.*?rules\[0\]\.if\./, ''), more]).toEqual([problem, []])
})

it('the name of a fact, as explanations show it, leads to the word that holds it', () => {
  const [found] = problemsIn(rules(rule('{ since_pushed: { older_than: 1d } }', '{ subscribe: true }')))
  expect(found).toContain('did you mean "since"?')
})
