// What calls change in the state that a rule test speaks of: so far as rules can see it.

import { callEffects } from '../engine/call-effects.ts'
import { items } from '../facts/definition/list-items.ts'
import { instanceOf } from '../facts/definition/sources.ts'
import { parseDuration } from '../language/values/durations.ts'
import type { Json } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import type { Call, Decision, Override, SourceAnswer } from '../types.ts'
import { bot } from './ordinary-merge-request.ts'
import type { People, Scene } from './test-types.ts'

/** Gives each name an id of its own, the same one every time. */
export function createPeople(): People {
  const names: string[] = []
  return {
    answer(source) {
      const name = instanceOf(source)
      if (name === undefined) return { ok: false, reason: 'a rule test does not say it' }
      if (!names.includes(name)) names.push(name)
      return { ok: true, complete: true, body: [{ id: 1001 + names.indexOf(name), username: name, title: name }] }
    },
    named: (id) => (typeof id === 'number' ? (names[id - 1001] ?? null) : null),
  }
}

const seconds = (value: unknown) => (typeof value === 'string' ? (parseDuration(value, 'working') ?? 0) : 0)

/** The value that is said last of a fact. */
export function saidOf({ overrides }: Scene, name: string): Json | undefined {
  const said = overrides.findLast((each) => each.fact === name && 'is' in each)
  return said !== undefined && 'is' in said && said.is.is === 'known' ? said.is.value : undefined
}

/** What only a test can know: whose id it is, and how much there was before. */
function ownEffects({ endpoint, params }: Call, scene: Scene): Record<string, Json> {
  if (endpoint === 'mergeRequests.timeEstimate') return { time_estimate: seconds(params.duration) }
  if (endpoint === 'mergeRequests.addSpentTime')
    return { time_spent: Number(saidOf(scene, 'time_spent') ?? 0) + seconds(params.duration) }
  const person = params.assignee_id === undefined ? undefined : scene.people.named(params.assignee_id)
  return {
    ...(person === undefined
      ? {}
      : { assignee: person, assigned: person !== null, assignees: person === null ? [] : [person] }),
    ...(params.milestone_id === undefined ? {} : { milestone: scene.people.named(params.milestone_id) }),
  }
}

/** Bellhop's own notes, newest first. */
function notesAfter(notes: SourceAnswer | undefined, { endpoint, params }: Call): SourceAnswer | undefined {
  const list = (notes?.ok === true && Array.isArray(notes.body) ? (items(notes.body as unknown[]) ?? []) : []).filter(
    isMap,
  )
  const answer = (body: unknown): SourceAnswer => ({ ok: true, complete: true, body })
  const { note_id, body } = params
  switch (endpoint) {
    case 'mergeRequests.notes.create':
      return answer([
        { id: 1 + Math.max(0, ...list.map(({ id }) => Number(id))), body, author: bot, system: false },
        ...list,
      ])
    case 'mergeRequests.notes.update':
      return answer(list.map((note) => (note.id === note_id ? { ...note, body } : note)))
    case 'mergeRequests.notes.delete':
      return answer(list.filter((note) => note.id !== note_id))
    default:
      return notes
  }
}

function afterCall(scene: Scene, call: Call): Scene {
  const own = Object.entries(ownEffects(call, scene)).map(
    ([fact, value]): Override => ({ fact, is: { is: 'known', value, complete: true } }),
  )
  const notes = notesAfter(scene.answers.notes, call)
  return {
    ...scene,
    overrides: [...scene.overrides, ...callEffects(call, bot), ...own],
    answers: { ...scene.answers, ...(notes === undefined ? {} : { notes }) },
  }
}

/** The state after every call of the decision. */
export function afterCalls(scene: Scene, decision: Decision): Scene {
  return decision.calls.reduce(afterCall, scene)
}
