// comment: one note for each rule, found by a hidden mark and the bot's own user, kept up to date.
import { fill, template } from '../language/templates.ts'
import { described, fields, isMap, refuse, refuseKeyOf, type Shape } from '../language/values/shapes.ts'
import type { Memory } from '../types.ts'
import { action, actionMemory, blockedBy, nothingToDo, oneCall } from './definition/action.ts'
import { callOn, findBotNote, withMark } from './definition/action-calls.ts'

const noteText = template(10_000)
const inFull = fields({ while: described('The note is removed when the rule no longer matches.', noteText) }, ['while'])

/** `held`: the note is removed when the rule no longer matches. */
type Args = { text: string; held: boolean }

const args: Shape<Args> = {
  expected: `${noteText.expected}, or { while: text }`,
  schema: (context) =>
    context.onEvents ? noteText.schema(context) : { anyOf: [noteText.schema(context), inFull.schema(context)] },
  read(value, path, issues, context) {
    const held = isMap(value) && Object.keys(value).join() === 'while'
    if (isMap(value) && !held) return refuse(issues, { path, expected: this.expected })
    if (held && context?.onEvents === true) return refuseKeyOf('state', issues, [...path, 'while'])
    const read = noteText.read(held ? value.while : value, held ? [...path, 'while'] : path, issues, context)
    return read === undefined ? undefined : { text: read, held }
  },
}

/** Rules with a note that was written with `while`. */
const heldNotes = actionMemory<string[]>('comment')
const heldIn = (memory: Memory) => heldNotes.of(memory) ?? []

export default action({
  name: 'comment',
  doc: 'Write one note and keep it up to date while the rule matches. `{{ fact }}` is replaced with a fact. If a person deletes the note, it stays away while the rule matches. With `while` it is removed when the rule no longer matches.',
  synonyms: ['note', 'message'],
  example: 'comment: "Thank you, {{ author }}."',
  args,
  needs: ['state'],
  on: 'issues',
  when: 'fresh',
  limited: 'new_rules',
  per: 'newest_event',
  reads: { answers: () => ['notes'] },
  template: { texts: ({ text }) => [text], mentions: true },
  calls({ args: { text, held }, target, bot, body, rule, doneBefore, texts }) {
    const notes = body('notes')
    if (notes === undefined) return blockedBy('the notes cannot be read, so its own note may exist already')
    const note = findBotNote(notes, rule, bot)
    const full = withMark(fill(text, texts), rule)
    if (full === undefined) return blockedBy('its text is empty')
    const memo = held ? { holdNote: rule } : undefined
    if (note?.body === full) return nothingToDo('the note is up to date')
    if (note !== undefined) {
      const call = callOn(target, 'notes.update', { note_id: note.id, body: full })
      return oneCall('change the note', call, { memo })
    }
    if (doneBefore) return { result: 'done_before', detail: 'written when the rule became true, and deleted since' }
    const call = callOn(target, 'notes.create', { body: full })
    return oneCall('write a note', call, { memo, before: rule })
  },
  reconcile({ before }, { body, bot }) {
    const notes = body('notes')
    if (notes === undefined || typeof before !== 'string') return 'unknown'
    return findBotNote(notes, before, bot) === undefined ? 'not_done' : 'done'
  },
  withdraw: {
    isInEffect: (memory, requesting) => heldIn(memory).some((rule) => !requesting.includes(rule)),
    calls({ target, memory, bot, body }, requesting) {
      const unrequested = heldIn(memory).filter((rule) => !requesting.includes(rule))
      const notes = body('notes')
      if (notes === undefined) return blockedBy('the notes cannot be read')
      const calls = unrequested.flatMap((rule) => {
        const note = findBotNote(notes, rule, bot)
        if (note === undefined) return []
        return [{ call: callOn(target, 'notes.delete', { note_id: note.id }), memo: { releaseNote: rule } }]
      })
      if (calls.length === 0)
        return { result: 'nothing_to_do', detail: 'the notes are gone already', noticed: unrequested }
      return { result: 'call', detail: 'remove the note: its rule no longer matches', calls }
    },
  },
  // Fails closed: a note that may exist is remembered, so that it can be removed.
  remember(memory, { memo }, certain) {
    if (!isMap(memo)) return memory
    if (typeof memo.holdNote === 'string') return holding(memory, [...heldIn(memory), memo.holdNote])
    return certain ? releasing(memory, [memo.releaseNote]) : memory
  },
  notice: (memory, gone) => releasing(memory, Array.isArray(gone) ? gone : []),
})

const holding = (memory: Memory, rules: readonly string[]) =>
  heldNotes.put(memory, rules.length === 0 ? undefined : [...new Set(rules)])

const releasing = (memory: Memory, gone: readonly unknown[]) =>
  holding(
    memory,
    heldIn(memory).filter((rule) => !gone.includes(rule)),
  )
