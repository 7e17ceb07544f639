// Bellhop's own notes are found by their mark. Which notes are not its own: actions/comment.test.ts.
import { findBotNote, withMark } from '../../../../src/rules/actions/definition/bot-note.ts'

const bot = { id: 9 }
const marked = withMark('Hello', 'a rule') ?? ''
const note = (id: number, body: string, more: object = {}) => ({ id, body, author: bot, system: false, ...more })

it('is found by its mark, whatever the service did to its ends', () => {
  expect(findBotNote([note(2, 'other'), note(1, ` ${marked.replaceAll('\n', '\r\n')} `)], 'a rule', bot)).toEqual({
    id: 1,
    body: marked,
  })
})

it('the newest counts, and what is no list has none', () => {
  expect(findBotNote([note(5, marked), note(4, marked)], 'a rule', bot)?.id).toBe(5)
  expect(findBotNote({ message: 'no' }, 'a rule', bot)).toBeUndefined()
})

it('does not name the rule, and an empty text is none', () => {
  expect(marked).not.toContain('a rule')
  expect(withMark(' \n ', 'a rule')).toBeUndefined()
})
