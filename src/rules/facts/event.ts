// The event that an event rule is evaluated for: what happened, who did it, and what they wrote.

import { commandLines, commandsIn } from '../language/commands/comment-commands.ts'
import { choice, level, names, path, text, userName } from '../language/operators/fact-types.ts'
import type { Json } from '../language/values/rule-types.ts'
import type { Event, FactValue } from '../types.ts'
import { accessIn, GUEST } from './definition/access.ts'
import { type Absent, type Fact, type FactView, known, notShown } from './definition/fact.ts'
import { sources } from './definition/sources.ts'

type EventFact<T extends Json> = Omit<Fact<T>, 'ofEvents' | 'from' | 'read'> & { read(event: Event): Json | undefined }

function eventFact<T extends Json>({ read, ...declared }: EventFact<T>): Fact<T> {
  const noEvent: FactValue = { is: 'absent', reason: 'only a rule with on: has an event' }
  return {
    ...declared,
    ofEvents: true,
    from: [],
    read: ({ event }) => (event === undefined ? noEvent : known(declared.type, read(event))),
  }
}

export const event = eventFact({
  doc: 'What happened, for a rule with `on:`.',
  type: text,
  read: ({ kind }) => kind,
  example: 'event: note.create',
})

export const ref = eventFact({
  doc: 'The branch or tag that was pushed, or that of the pipeline, the release or the deployment, for a rule with `on:`.',
  type: path,
  read: (each) => each.ref,
  example: 'ref: { glob: "v*" }',
})

export const ref_change = eventFact({
  doc: 'What the push did to its branch or tag, for a rule with `on: push` or `on: tag_push`.',
  type: choice(['created', 'updated', 'deleted']),
  read: ({ refChange }) => refChange,
  example: 'ref_change: [created, updated]',
})

export const actor = eventFact({
  doc: 'The user name of who caused the event, for a rule with `on:`.',
  type: userName,
  names: 'user',
  read: ({ actor: { username } }) => username,
  example: 'actor: [alice, bob]',
})

export const changed_fields = eventFact({
  doc: 'The fields that the update changed, for a rule with `on:`.',
  type: names,
  read: ({ changed }) => changed ?? [],
  example: 'changed_fields: [labels]',
})

export const actor_access: Fact<string> = {
  doc: 'The access level of who caused the event, read from the project. Levels compare by their numbers; one without a name here is `level 25`.',
  type: level,
  ofEvents: true,
  from: [sources.actorAccess.name],
  read: (view) => accessIn(view.source(sources.actorAccess)),
  example: 'actor_access: { at_least: maintainer }',
}

/** The note's text, if its author is the user of the event and not the service itself. */
function noteOf(view: FactView): { is: 'read'; body: string; internal: boolean } | Absent {
  const reading = view.source(sources.note)
  if (reading.is === 'absent')
    return { is: 'absent', reason: view.event?.note === undefined ? 'the event has no note' : 'the note is gone' }
  const { body, author, system, internal, confidential } = reading.body
  if (typeof body !== 'string' || system === true) return { is: 'absent', reason: 'the note has no text of a person' }
  if (author?.id === undefined || author.id !== view.event?.actor.id)
    return { is: 'absent', reason: 'the note is not by who caused the event' }
  // A service without these fields has no internal notes.
  return { is: 'read', body, internal: [internal, confidential].some((each) => each !== undefined && each !== false) }
}

/** Only some readers of the merge request may read an internal note. */
function readPublicNote(view: FactView, read: (view: FactView) => FactValue): FactValue {
  const note = noteOf(view)
  return note.is === 'read' && note.internal ? notShown : read(view)
}

function readComment(view: FactView): FactValue {
  const note = noteOf(view)
  return note.is === 'read' ? known(text, note.body) : note
}

export const comment: Fact<string> = {
  doc: 'The text of the note, read back from the service, for a rule with `on: note.create`.',
  type: text,
  ofEvents: true,
  from: [sources.note.name],
  read: readComment,
  readPublic: (view) => readPublicNote(view, readComment),
  ofIssues: true,
  isWritten: true,
  example: 'comment: { matches: "(?i)ship it" }',
  toFix: 'a note that is',
}

/** The merge request's author and project members may give commands. Fails closed: unknown access is no access. */
function mayCommand(view: FactView): boolean {
  const mergeRequest = view.source(sources.mergeRequest)
  const author = mergeRequest.is === 'read' ? mergeRequest.body.author?.id : undefined
  if (author !== undefined && author === view.event?.actor.id) return true
  const member = view.source(sources.actorAccess)
  return member.is === 'read' && Number(member.body.access_level) >= GUEST
}

function readCommand(view: FactView): FactValue {
  return readCommands(view, (text) => known(names, commandsIn(text, view.bot.username)))
}

function readCommandLine(view: FactView): FactValue {
  return readCommands(view, (body) => known(text, commandLines(body, view.bot.username).join('\n')))
}

function readCommands(view: FactView, read: (text: string) => FactValue): FactValue {
  // The delivery itself says that there is none, so no call is needed.
  if (view.event?.note?.mentions === false) return read('')
  const note = noteOf(view)
  if (note.is !== 'read') return note
  if (commandsIn(note.body, view.bot.username).length === 0 || mayCommand(view)) return read(note.body)
  return { is: 'absent', reason: 'who wrote the note is neither a member of the project nor the author' }
}

export const command: Fact<string[]> = {
  doc: 'The commands to the bot in the note of a member or of the author: words behind its name at the start of a line of a top-level paragraph.',
  type: names,
  ofEvents: true,
  from: [sources.note.name, sources.actorAccess.name, sources.mergeRequest.name],
  read: readCommand,
  readPublic: (view) => readPublicNote(view, readCommand),
  ofIssues: true,
  isWritten: true,
  example: 'command: [merge]',
  toFix: 'a note with the command',
}

export const command_line: Fact<string> = {
  doc: 'The commands of the note with the text behind them, a line for each. `command: { word: …, takes: … }` reads it.',
  type: text,
  ofEvents: true,
  from: command.from,
  read: readCommandLine,
  readPublic: (view) => readPublicNote(view, readCommandLine),
  ofIssues: true,
  isWritten: true,
  example: 'command_line: { matches: "^backport stable-" }',
  toFix: 'a note with the command and its arguments',
}
