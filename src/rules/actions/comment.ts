// comment: one note for each rule, found by a hidden mark and the bot's own user, kept up to date (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { template } from '../language/templates.ts'
import { isMap, refuse, type Shape } from '../language/values/shapes.ts'
import type { Memory } from '../types.ts'
import { action } from './definition/action.ts'
import { findBotNote, withMark } from './definition/bot-note.ts'

const text = template(10_000)

interface Args {
  [key: string]: string | boolean
  text: string
  /** Removed when the rule no longer holds. */
  held: boolean
}

const args: Shape<Args> = {
  expected: `${text.expected}, or { while: text }`,
  schema(context) {
    const plain = text.schema(context)
    const description = 'The note is removed when the rule no longer holds.'
    const held = {
      type: 'object',
      properties: { while: { description, ...plain } },
      required: ['while'],
      additionalProperties: false,
    }
    return context.onEvents ? plain : { anyOf: [plain, held] }
  },
  read(value, path, issues, context) {
    const held = isMap(value) && Object.keys(value).join() === 'while'
    if (isMap(value) && !held) return refuse(issues, { path, expected: this.expected })
    if (held && context?.onEvents === true)
      return refuse(issues, {
        path: [...path, 'while'],
        at: 'key',
        expected: 'a rule without on:, which holds for a while',
        found: 'while in a rule with on:',
      })
    const read = text.read(held ? value.while : value, held ? [...path, 'while'] : path, issues, context)
    return read === undefined ? undefined : { text: read, held }
  },
}

export default action({
  name: 'comment',
  doc: 'Write one note, kept up to date while the rule holds. `{{ fact }}` stands for a fact. One that a person deleted stays away while the rule stays true. With `while` it is removed when the rule no longer holds.',
  example: 'comment: "Thank you, {{ author }}."',
  args,
  needs: ['state'],
  oneWay: true,
  limitedWhenNew: true,
  keptUpToDate: true,
  perRule: 'the newest',
  reads: () => ['notes'],
  texts: ({ text: each }) => [each],
  calls({ args: { text: expected, held }, mr, bot, body, rule, doneBefore, fill }) {
    const notes = body('notes')
    if (notes === undefined)
      return { result: 'blocked', detail: 'the notes cannot be read, so one of its own may be there already' }
    const note = findBotNote(notes, rule, bot)
    const full = withMark(fill(expected), rule)
    if (full === undefined) return { result: 'blocked', detail: 'its text is empty' }
    const memo = held ? { memo: { holdNote: rule } } : {}
    if (note?.body === full) return { result: 'nothing_to_do', detail: 'the note says so already' }
    if (note !== undefined) {
      const call = callData('mergeRequests.notes.update', { ...mr, note_id: note.id, body: full })
      return { result: 'call', detail: 'change the note', calls: [{ call, ...memo }] }
    }
    if (doneBefore) return { result: 'done_before', detail: 'written when the rule became true; it is gone since' }
    const call = callData('mergeRequests.notes.create', { ...mr, body: full })
    return { result: 'call', detail: 'write a note', calls: [{ call, ...memo, before: rule }] }
  },
  reconcile: {
    reads: ['notes'],
    outcome({ before }, { body, bot }) {
      const notes = body('notes')
      if (notes === undefined || typeof before !== 'string') return 'unknown'
      return findBotNote(notes, before, bot) === undefined ? 'not_done' : 'done'
    },
  },
  withdraw: {
    isInEffect: ({ heldNotes = [] }, asking) => heldNotes.some((rule) => !asking.includes(rule)),
    reads: ['notes'],
    calls({ mr, memory: { heldNotes = [] }, bot, body }, asking) {
      const over = heldNotes.filter((rule) => !asking.includes(rule))
      const notes = body('notes')
      if (notes === undefined) return { result: 'blocked', detail: 'the notes cannot be read' }
      const calls = over.flatMap((rule) => {
        const note = findBotNote(notes, rule, bot)
        if (note === undefined) return []
        return [
          { call: callData('mergeRequests.notes.delete', { ...mr, note_id: note.id }), memo: { releaseNote: rule } },
        ]
      })
      if (calls.length === 0) return { result: 'nothing_to_do', detail: 'the notes are gone already', noted: over }
      return { result: 'call', detail: 'remove the note: its rule does not match any more', calls }
    },
  },
  // Fails closed: what may still be there is remembered, so that it can be removed.
  remember(memory, { memo }, certain) {
    if (!isMap(memo)) return memory
    if (typeof memo.holdNote === 'string') return holding(memory, [...(memory.heldNotes ?? []), memo.holdNote])
    return certain
      ? holding(
          memory,
          (memory.heldNotes ?? []).filter((rule) => rule !== memo.releaseNote),
        )
      : memory
  },
  notice: (memory, over) =>
    holding(
      memory,
      (memory.heldNotes ?? []).filter((rule) => !(Array.isArray(over) && over.includes(rule))),
    ),
})

function holding({ heldNotes: _before, ...memory }: Memory, rules: readonly string[]): Memory {
  return rules.length === 0 ? memory : { ...memory, heldNotes: [...new Set(rules)] }
}
