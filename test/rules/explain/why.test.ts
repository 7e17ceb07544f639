// `@bellhop why`: one note that says what each rule came to, for whoever asks.
import { decide } from '../../../src/rules/engine/decide.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Event } from '../../../src/rules/event-types.ts'
import { answerNotes, heardCommands } from '../../../src/rules/explain/why.ts'
import type { DecideInput } from '../../../src/rules/types.ts'
import { alice, mallory, noted, note as noteEvent } from '../over-time.ts'
import {
  answer,
  answers,
  applied,
  bot,
  decided,
  decidedBy,
  file,
  input,
  ofIssue,
  refused,
  rememberDone,
  rule,
  rules,
  sent,
} from '../world.ts'

const asked = (id = 'd1', more: Partial<Event> = {}) => noteEvent(id, { actor: mallory, ...more })
const note = (body: string, author = mallory, access = 10) => noted(body, access, author)
const files = [
  file(
    rules(
      rule('{ labels: [ready], draft: false }', '{ accept: true }', 'merge what is ready'),
      rule('{ author: alice }', '{ subscribe: true }', 'watch alice'),
    ),
    { trust: 'repository' },
  ),
]
const why = (changes: Partial<DecideInput> = {}) =>
  input(files, { events: [asked()], answers: answers({}, note('@bellhop why')), ...changes })
const bodyOf = (given: DecideInput) =>
  String(sent(decided(given)).find(([endpoint]) => endpoint.startsWith('mergeRequests.notes.'))?.[1].body)

describe('why', () => {
  it('names for each rule what it came to, or the first thing in its way and what would help', () => {
    const text = bodyOf(why())
    expect(text).toContain(
      '- does not act: **merge what is ready** (.bellhop.yml:3): labels must be any of "ready", it is none. To fix: labels with any of "ready".',
    )
    expect(text).toMatch(/^\*\*Not merged: labels is none \(needs any of \\?"ready\\?"\); then it merges by rule/)
    expect(text).toContain(
      '<details><summary>1 other rule</summary>\n\n- matches: **watch alice** (.bellhop.yml:6): subscribe: subscribe.\n\n</details>',
    )
    expect(text).toContain('Evaluated at aaaaaaaa by `.bellhop.yml`.')
  })
  it('is answered once for a note, though it is evaluated again', () => {
    const first = decided(why())
    const memory = rememberDone(emptyMemory(), first)
    expect(decided(why({ memory })).calls.map(({ endpoint }) => endpoint)).not.toContain('mergeRequests.notes.create')
  })
  it('is written before the merge, which stays the last call', () => {
    const { calls } = decided(why({ answers: answers({ labels: ['ready'] }, note('@bellhop why')) }))
    expect(calls.map(({ action }) => action)).toEqual(['subscribe', 'comment', 'accept'])
  })
  it('is one note: asked again, it is brought up to date', () => {
    const first = decided(why())
    const state = applied(answers({ labels: ['ready'] }, note('@bellhop why')), {
      ...first,
      calls: first.calls.filter(({ action }) => action === 'comment'),
    })
    const again = decided(why({ events: [asked('d2')], answers: state }))
    expect(again.calls.map(({ endpoint }) => endpoint)).toContain('mergeRequests.notes.update')
  })
  it('two who ask at once get one answer', () => {
    const calls = decided(why({ events: [asked('d1'), asked('d2')] })).calls.filter(
      ({ action }) => action === 'comment',
    )
    expect(calls.map(({ rules: keys }) => keys)).toEqual([['(built in)#why@d1', '(built in)#why@d2']])
  })
  it('works where Bellhop is turned off, and says so', () => {
    const given = why({ offLabel: 'off', answers: answers({ labels: ['off'] }, note('@bellhop why')) })
    expect(decided(given).calls).toHaveLength(1)
    expect(bodyOf(given)).toMatch(/^\*\*Not merged: the label off is on it\.\*\*\n/)
  })
  it('on an issue, which has no verdict, says that Bellhop is turned off or that a file is broken', () => {
    const asking = { events: [asked()] }
    const off = input(files, { ...ofIssue({ labels: ['off'] }, note('@bellhop why')), ...asking, offLabel: 'off' })
    const text = (given: DecideInput) => String(sent(decided(given))[0]?.[1].body)
    expect(text(off)).toMatch(/^\*\*Paused: the label off is on it\.\*\*\n/)
    const broken = files.map((each) => ({ ...each, broken: true }))
    const inIssue = input(broken, { ...ofIssue({}, note('@bellhop why')), ...asking })
    expect(text(inIssue)).toMatch(/^\*\*Note:\*\* \.bellhop\.yml is broken: /)
  })
  it('says that the label that turns Bellhop off does not count', () => {
    const labelEvents = answer([{ action: 'add', label: { name: 'off' }, user: { id: 6, username: 'guest' } }])
    const state = answers(
      { labels: ['off'] },
      { ...note('@bellhop why'), labelEvents, 'actorAccess@6': answer({ access_level: 10 }) },
    )
    expect(bodyOf(why({ offLabel: 'off', answers: state }))).toMatch(
      /\n\*\*Note:\*\* the label off does not count: guest set it, and/,
    )
  })
  it('says what may have been done or not, after the rules', () => {
    const detail =
      'spend (mergeRequests.addSpentTime) at 2026-01-10T00:00:00Z: nothing tells whether it was done: it is not repeated'
    const text = bodyOf(why({ memory: { ...emptyMemory(), uncertain: [{ at: '2026-01-10T00:00:00Z', detail }] } }))
    expect(text).toMatch(
      /matches: \*\*watch alice\*\*.*\n\n<\/details>\n\n\*\*Not certain:\*\* spend .* it is not repeated\. A person must check whether it was done\./,
    )
    expect(bodyOf(why())).not.toContain('Not certain')
  })
  it('says first which limit holds back new rules, and until when', () => {
    const until = '2026-01-11T00:20:00Z'
    const approving = file(rules(rule('{ author: alice }', '{ approve: true }', 'trust alice')), {
      trust: 'repository',
    })
    const newRuleLimit = { perHour: 1, newRules: ['.bellhop.yml#trust alice'], full: { approve: until } }
    const given = { ...why({ newRuleLimit }), files: [approving] }
    expect(bodyOf(given)).toMatch(
      /\n\*\*Note:\*\* New rules of this project reached their limit of calls an hour: no approve until Sun 11 Jan 00:20 UTC\.\n/,
    )
    expect(bodyOf({ ...given, newRuleLimit: { ...newRuleLimit, newRules: [] } })).not.toContain('limit')
  })
  it('says first that a rule file is broken, and names no file that the readers may not see', () => {
    const broken = file(rules(rule('{ author: alice }', '{ subscribe: true }')), { trust: 'repository', broken: true })
    const included = { ...broken, path: 'hotel/secret:merge.yml', origin: { project: 8, path: 'merge.yml' } }
    const text = bodyOf({ ...why(), files: [broken] })
    expect(text).toMatch(
      /^\*\*Not merged: \.bellhop\.yml is broken: only its last good version is in force, and nothing/,
    )
    const both = bodyOf({ ...why(), files: [broken, included] })
    expect(both).toMatch(
      /^\*\*Not merged: \.bellhop\.yml, a rule file are broken: only their last good versions are in force, and nothing/,
    )
    expect(both).not.toContain('secret')
  })
  it('works without any rule', () => {
    expect(bodyOf({ ...why(), files: [] })).toContain('No rules are in force.')
  })
  it.each([
    ['what Bellhop wrote itself', [asked('d1', { actor: bot })], note('@bellhop why', bot)],
    ['a note that asks for something else', [asked()], note('@bellhop merge')],
    ['a quote', [asked()], note('> @bellhop why')],
    ['a note that was edited', [asked('d1', { kind: 'note.update' })], note('@bellhop why')],
  ])('%s is not answered', (_what, events, other) => {
    expect(
      decided(why({ events, answers: answers({}, other) })).rules.filter(({ key }) =>
        key.startsWith('(built in)#why@'),
      ),
    ).toEqual([])
  })
  it.each([
    ['a guest', note('@bellhop why', mallory, 10), 1],
    ['somebody who is no member', { ...note('@bellhop why'), 'actorAccess@5': refused() }, 0],
    ['somebody whose access is unknown', { ...note('@bellhop why'), 'actorAccess@5': refused(403) }, 0],
    ['somebody whose level is none', note('@bellhop why', mallory, 0), 0],
  ])('by %s has the answer that they may have', (_who, other, notes) => {
    const given = why({ answers: answers({}, other) })
    expect(decided(given).calls.filter(({ action }) => action === 'comment')).toHaveLength(notes)
  })
  it('by the author is answered, member or not', () => {
    const given = why({
      answers: answers({ author: mallory }, { ...note('@bellhop why'), 'actorAccess@5': refused() }),
    })
    expect(decided(given).calls.filter(({ action }) => action === 'comment')).toHaveLength(1)
  })
  it('reads nothing for a note without a mention', () => {
    const { 'note@17': _note, notes: _notes, ...rest } = answers({}, note('hello'))
    const result = decide(why({ events: [asked('d1', { note: { id: 17, mentions: false } })], answers: rest }))
    expect('decision' in result).toBe(true)
  })
  it('cannot be made to act by a hostile title', () => {
    const hostile = file(rules(rule('{ title: { matches: "^x" } }', '{ subscribe: true }', 'titles')), {
      trust: 'repository',
    })
    const state = answers({ title: '@everyone\n/merge\n<!-- bellhop:00 -->' }, note('@bellhop why'))
    const text = bodyOf(input([hostile], { events: [asked()], answers: state }))
    expect(text).not.toMatch(/@everyone|^\/merge/m)
    expect(text.match(/<!--/g)).toHaveLength(1)
  })
})

const given = (body: string, events = [noteEvent()], author = alice) =>
  input([file(rules())], { events, answers: answers({}, noted(body, 40, author)) })

describe('the commands of new notes', () => {
  it('are their words, in order', () => {
    expect(heardCommands(given('@bellhop merge\n@bellhop go'))).toMatchObject([{ words: ['merge', 'go'] }])
  })
  it('are none of Bellhop’s own notes', () => {
    expect(heardCommands(given('@bellhop merge', [noteEvent('d1', { actor: bot })], bot))).toEqual([])
  })
  it('need the note', () => {
    const { 'note@17': _note, ...rest } = given('@bellhop merge').answers
    expect(heardCommands({ ...given(''), answers: rest })).toEqual({ needs: ['note@17'] })
  })
})

describe('the answer', () => {
  const command = { expected: 'x', actual: 'x' }
  const answered = (text: string, of = given('@bellhop merge')) =>
    answerNotes(of, of.events, { key: 'k', name: 'k', text, command })
  it('is one note, which is not written again, and is edited', () => {
    const first = answered('Yes.')
    expect(first.calls.map(({ endpoint }) => endpoint)).toEqual(['mergeRequests.notes.create'])
    const decision = { ...decidedBy(rules()), calls: first.calls }
    const after = { ...given('@bellhop merge'), answers: applied(given('@bellhop merge').answers, decision) }
    expect(answered('Yes.', after).calls).toEqual([])
    expect(answered('No.', after).calls.map(({ endpoint }) => endpoint)).toEqual(['mergeRequests.notes.update'])
  })
})
