// What calls change in the state of a rule test, as far as rules can see it.

import { isCallOn } from '../actions/definition/action-subject.ts'
import { isBackportBranch } from '../actions/definition/backport-commits.ts'
import { overridesAfter } from '../engine/observe-mode.ts'
import { items } from '../facts/definition/list-items.ts'
import { instanceOf, sourceNamed, sources } from '../facts/definition/sources.ts'
import type { Json } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import type { Call, Decision, SourceAnswer } from '../types.ts'
import { idOf } from './given-service.ts'
import { answer, base, bot, head } from './ordinary-merge-request.ts'
import type { Scene } from './test-types.ts'

/**
 * What the service answers to a look-up by name: everyone and everything that a rule names exists, each name with its
 * own id, but no branch that Bellhop makes. What was merged landed as one commit. Nobody set a status.
 */
export function answerOfName(source: string): SourceAnswer {
  const name = instanceOf(source) ?? ''
  switch (sourceNamed(source)?.name) {
    case sources.user.name:
    case sources.milestone.name:
      return answer([{ id: idOf(name), username: name, title: name, state: 'active' }])
    case sources.mergeRequestsFrom.name:
    case sources.statuses.name:
      return answer([])
    case sources.branch.name:
      if (isBackportBranch(name)) return { ok: false, status: 404, reason: 'There is no such branch.' }
      return answer({ name, commit: { id: head, message: '' } })
    case sources.commonWithTarget.name:
      return answer({ id: name })
    case sources.history.name:
      return answer([{ id: name, parent_ids: [base] }])
    default:
      return { ok: false, reason: 'a rule test does not say it' }
  }
}

/** The last value that was given for a fact. */
export function saidOf({ overrides }: Scene, name: string): Json | undefined {
  const said = overrides.findLast((each) => each.fact === name && 'is' in each)
  return said !== undefined && 'is' in said && said.is.is === 'known' ? said.is.value : undefined
}

/** Bellhop's own notes, newest first. */
function notesAfter(notes: SourceAnswer | undefined, call: Call): SourceAnswer | undefined {
  const list = (notes?.ok === true ? (items(notes.body as unknown[]) ?? []) : []).filter(isMap)
  const { note_id, body } = call.params
  if (isCallOn(call, 'notes.create'))
    return answer([
      { id: 1 + Math.max(0, ...list.map(({ id }) => Number(id))), body, author: bot, system: false },
      ...list,
    ])
  if (isCallOn(call, 'notes.update'))
    return answer(list.map((note) => (note.id === note_id ? { ...note, body } : note)))
  return isCallOn(call, 'notes.delete') ? answer(list.filter((note) => note.id !== note_id)) : notes
}

/** The state after every call of the decision. */
export function afterCalls(scene: Scene, { calls }: Decision): Scene {
  const notes = calls.reduce(notesAfter, scene.answers.notes)
  return {
    ...scene,
    overrides: [...scene.overrides, ...overridesAfter(calls)],
    answers: { ...scene.answers, ...(notes === undefined ? {} : { notes }) },
  }
}
