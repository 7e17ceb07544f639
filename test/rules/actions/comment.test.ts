// comment: one note for each rule, its own alone, kept up to date; a person who deletes it wins.
import { emptyMemory, remember } from '../../../src/rules/engine/update-memory.ts'
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import {
  answers,
  came,
  decidedBy,
  decideRule,
  outcomes,
  problemsIn,
  refused,
  rememberAs,
  rule,
  rules,
  sent,
} from '../world.ts'

interface Note {
  id: number
  body: string
  author: { id: number }
  system: boolean
}
const thanks = whileOn('{ comment: "Thank you, {{ author }}: {{ title }}" }')
const held = whileOn('{ comment: { while: "On hold." } }')
const mark = /<!-- bellhop:[0-9a-f]{16} -->$/
const notesOf = (mr: ReturnType<typeof overTime>) => mr.says<Note[]>('notes')
const texts = (mr: ReturnType<typeof overTime>) => notesOf(mr).map(({ body }) => body.replace(mark, '').trim())
const written = () => {
  const mr = overTime({ labels: ['on'] }).after([thanks])
  return mr
}
/** The service's notes after somebody did something to the only one. */
const change = (mr: ReturnType<typeof overTime>, edit: (note: Note) => Note[]) =>
  mr.source('notes', notesOf(mr).flatMap(edit))

describe('comment', () => {
  it('writes one note with a hidden mark, and no second', () => {
    const mr = overTime({ labels: ['on'] })
    const [[endpoint, params] = ['', {}]] = mr.sends([thanks])
    expect(endpoint).toBe('mergeRequests.notes.create')
    expect(params.body).toMatch(/^Thank you, alice: Add a door\n\n<!-- bellhop:[0-9a-f]{16} -->$/)
    expect([mr.sends([thanks]), notesOf(mr).length]).toEqual([[], 1])
  })
  it('finds its note where its memory is lost', () => {
    const mr = written()
    expect(
      decidedBy(rules(thanks), {
        answers: { ...answers({ labels: ['on'] }), notes: { ok: true, complete: true, body: notesOf(mr) } },
      }).calls,
    ).toEqual([])
  })
  it('becomes one update when its text changes', () => {
    const mr = written()
    mr.person({ title: 'Add a window' })
    expect(mr.sends([thanks])).toMatchObject([['mergeRequests.notes.update', { note_id: 1 }]])
    expect(texts(mr)).toEqual(['Thank you, alice: Add a window'])
    expect(mr.sends([thanks])).toEqual([])
  })
  it('is made right again after somebody changed its words', () => {
    const mr = written()
    change(mr, (note) => [{ ...note, body: note.body.replace('Thank', 'Damn') }])
    mr.turn([thanks])
    expect(texts(mr)).toEqual(['Thank you, alice: Add a door'])
  })
  it.each([
    ['ends lines in its own way', (body: string) => body.replaceAll('\n', '\r\n')],
    ['cuts space at the ends', (body: string) => body.trim()],
    ['adds a line at the end', (body: string) => `${body}\n`],
  ])('is not sent again where the service %s', (_what, store) => {
    const text = whileOn('{ comment: "  two\\n\\nlines \\n" }')
    const mr = overTime({ labels: ['on'] }).after([text])
    change(mr, (note) => [{ ...note, body: store(note.body) }])
    expect(mr.sends([text])).toEqual([])
  })
  it('stays away after a person deleted it, whatever its text would be', () => {
    const mr = written()
    mr.source('notes', [])
    mr.person({ title: 'Add a window' })
    const decision = mr.turn([thanks])
    expect(decision.calls).toEqual([])
    expect(outcomes(decision)).toEqual(['done_before: written when the rule became true, and deleted since'])
  })
  it('is written again when the rule becomes true again', () => {
    const mr = written()
    mr.source('notes', [])
    mr.person({ labels: [] })
    mr.turn([thanks])
    mr.person({ labels: ['on'] })
    expect(mr.sends([thanks]).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.notes.create'])
  })
  it('stays where its rule does not match any more', () => {
    const mr = written()
    mr.person({ labels: [] })
    expect([mr.sends([thanks]), texts(mr).length]).toEqual([[], 1])
  })
  it('of two rules is two notes', () => {
    const two = [thanks, whileOn('{ comment: "Thank you, {{ author }}: {{ title }}" }', 'another')]
    const mr = overTime({ labels: ['on'] }).after(two)
    expect(notesOf(mr).length).toBe(2)
    expect(new Set(notesOf(mr).map(({ body }) => body)).size).toBe(2)
    mr.person({ title: 'Add a window' })
    expect(mr.sends(two).map(([, { note_id }]) => note_id)).toEqual([1, 2])
    expect(mr.sends(two)).toEqual([])
  })
  it('is of no rule by name: files may be private', () => {
    const mr = overTime({ labels: ['on'] })
    expect(JSON.stringify(mr.sends([whileOn('{ comment: hello }', 'secret plan')]))).not.toMatch(/secret|test\.yml/)
  })
  it('that would be empty is not written', () => {
    const decision = decideRule('{ state: opened }', '{ comment: "{{ description }}" }', {
      answers: answers({ description: '' }),
    })
    expect(outcomes(decision)).toEqual(['blocked: its text is empty'])
  })
  it('of enormous values is still a note that the service takes', () => {
    const places = '{{ description }}'.repeat(500)
    const decision = decideRule('{ state: opened }', `{ comment: "${places}" }`, {
      answers: answers({ description: '🚪'.repeat(50_000) }),
    })
    const body = String(decision.calls[0]?.params.body)
    expect(body.length).toBeLessThan(101_000)
    expect(body).toMatch(mark)
  })
})

describe('a note is not its own', () => {
  const own = notesOf(written())[0] as Note
  it.each<[string, Partial<Note>]>([
    ['that somebody else wrote, with Bellhop’s mark', { author: { id: 2 } }],
    ['of the service itself', { system: true }],
    ['with the mark in the middle', { body: `${own.body}\nand more` }],
    ['with the mark of another rule', { body: own.body.replace(/[0-9a-f]{16}/, '0123456789abcdef') }],
    ['without an author', { author: undefined as unknown as Note['author'] }],
  ])('%s: it is left alone', (_what, fields) => {
    const mr = overTime({ labels: ['on'], title: 'Add a window' }).source('notes', [{ ...own, ...fields }])
    expect(mr.sends([thanks]).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.notes.create'])
    const over = { ...emptyMemory(), of: { comment: ['rules/test.yml#the rule'] } }
    const state = {
      ...answers({ labels: [] }),
      notes: { ok: true as const, complete: true, body: [{ ...own, ...fields }] },
    }
    expect(decidedBy(rules(thanks), { memory: over, answers: state }).calls).toEqual([])
  })
  it('although a title forges the mark', () => {
    const forged = own.body.slice(own.body.indexOf('<!--'))
    const mr = overTime({ labels: ['on'], title: `x ${forged}` })
    mr.turn([whileOn('{ comment: "{{ title }}" }', 'another')])
    expect(notesOf(mr)[0]?.body.match(/<!--/g)?.length).toBe(1)
    expect(mr.sends([thanks]).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.notes.create'])
  })
})

it.each([
  ['where the list of notes was cut', { ok: true as const, complete: false, body: [] }],
  ['where the notes cannot be read', refused(403)],
])('comment is blocked %s: one of its own may be there already', (_what, notes) => {
  const decision = decideRule('{ state: opened }', '{ comment: hello }', { answers: answers({}, { notes }) })
  expect(decision.rules[0]?.actions[0]).toMatchObject({ result: 'blocked' })
  expect(decision.calls).toEqual([])
})

describe('comment: while', () => {
  it('is removed when the rule no longer matches, and only then', () => {
    const mr = overTime({ labels: ['on'] }).after([held])
    expect(mr.sends([held])).toEqual([])
    mr.person({ labels: [] })
    const last = mr.turn([held])
    expect(sent(last)).toEqual([['mergeRequests.notes.delete', { note_id: 1 }]])
    expect(outcomes(last)).toEqual(['call: remove the note: its rule no longer matches'])
    expect([mr.sends([held]), mr.memory.of?.comment]).toEqual([[], undefined])
  })
  it('is removed when its rule is gone, and no other rule’s note with it', () => {
    const mr = overTime({ labels: ['on'] })
    mr.turn([held, whileOn('{ comment: { while: Other. } }', 'another'), thanks.replace('the rule', 'thanks')])
    expect(mr.sends([whileOn('{ comment: { while: Other. } }', 'another')])).toEqual([
      ['mergeRequests.notes.delete', { note_id: 1 }],
    ])
    expect(mr.memory.of?.comment).toEqual(['rules/test.yml#another'])
  })
  it('is not removed where the notes cannot be read, but later', () => {
    const mr = overTime({ labels: ['on'] }).after([held])
    const notes = notesOf(mr)
    mr.person({ labels: [] })
    mr.source('notes', notes, false)
    expect([mr.sends([held]), mr.memory.of?.comment]).toEqual([[], ['rules/test.yml#the rule']])
    mr.source('notes', notes)
    expect(mr.sends([held]).length).toBe(1)
  })
  it('that a person deleted is forgotten when the rule no longer matches', () => {
    const mr = overTime({ labels: ['on'] })
      .after([held])
      .source('notes', [])
    expect(mr.sends([held])).toEqual([])
    mr.person({ labels: [] })
    expect([mr.sends([held]), mr.memory.of?.comment]).toEqual([[], undefined])
  })
  it('is remembered where it may have been written, and where it may still be there', () => {
    const decision = decidedBy(rules(held), { answers: answers({ labels: ['on'] }) })
    const memory = rememberAs('ambiguous', decision)
    expect(memory.of?.comment).toEqual(['rules/test.yml#the rule'])
    expect(rememberAs('refused', decision).of?.comment).toBeUndefined()
    const mr = overTime({ labels: ['on'] }).after([held])
    const state = { ...answers({ labels: [] }), notes: { ok: true as const, complete: true, body: notesOf(mr) } }
    const removal = decidedBy(rules(held), { memory: mr.memory, answers: state })
    const [call] = removal.calls
    expect(call && remember(mr.memory, { ...removal, responses: [came(call, 'ambiguous')] }).of?.comment).toEqual(
      memory.of?.comment,
    )
  })
})

describe('comment for events', () => {
  const tells = onEvent('push', '{ comment: "{{ actor }} pushed" }')
  const bob = happened('push', 'd2', { actor: { id: 3, username: 'bob' } })
  it('is one note of the newest of them', () => {
    const mr = overTime()
    const decision = mr.turn([tells], { events: [happened('push'), bob] })
    expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['overruled', 'call'])
    expect(texts(mr)).toEqual(['bob pushed'])
    expect(mr.sends([tells], { events: [happened('push'), bob] })).toEqual([])
  })
  it('is updated by the next', () => {
    const mr = overTime()
      .after([tells], { events: [happened('push')] })
      .after([tells], { events: [bob] })
    expect(texts(mr)).toEqual(['bob pushed'])
  })
  it('is not for a while: an event is over at once', () => {
    expect(problemsIn(rules(onEvent('push', '{ comment: { while: x } }')))).toEqual([
      'f.yml:5:24: rules[0].then.comment.while: expected a rule without on:, which matches for some time, found while in a rule with on:',
    ])
  })
  it('is text, where the rule is a state rule', () => {
    expect(problemsIn(rules(rule('{ state: opened }', '{ comment: { until: x } }')))).toEqual([
      expect.stringContaining('expected a text, with {{ fact }} where a fact is to stand, or { while: text }'),
    ])
  })
})
