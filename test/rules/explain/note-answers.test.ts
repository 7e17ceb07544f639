// Which commands new notes hold, and the one note that answers them.
import { answerNotes, heardCommands } from '../../../src/rules/explain/note-answers.ts'
import { alice, note, noted } from '../over-time.ts'
import { answers, applied, bot, decidedBy, file, input, rules } from '../world.ts'

const files = [file(rules())]
const given = (body: string, events = [note()], author = alice) =>
  input(files, { events, answers: answers({}, noted(body, 40, author)) })

describe('the commands of new notes', () => {
  it('are their words, in order', () => {
    expect(heardCommands(given('@bellhop merge\n@bellhop go'))).toMatchObject([{ words: ['merge', 'go'] }])
  })
  it('are none of Bellhop’s own notes', () => {
    expect(heardCommands(given('@bellhop merge', [note('d1', { actor: bot })], bot))).toEqual([])
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
