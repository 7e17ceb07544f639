// What calls change in the state that a rule test speaks of: so far as rules can see it.
import { parseDuration } from './durations.ts'
import { items } from './items.ts'
import { bot } from './rule-test-ordinary.ts'
import type { People, Scene } from './rule-test-types.ts'
import { isMap } from './shapes.ts'
import { instanceOf } from './sources.ts'
import type { SupposedValue } from './suppose-value.ts'
import type { Call, Decision, Json, SourceAnswer } from './types.ts'

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

type Effect = (params: Record<string, unknown>, scene: Scene) => Record<string, Json>

const listed = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? value.split(',') : [])
const seconds = (value: unknown) => (typeof value === 'string' ? (parseDuration(value, 'working') ?? 0) : 0)

function saidOf({ facts }: Scene, name: string): Json | undefined {
  const value = facts[name]
  return value?.is === 'known' ? value.value : undefined
}

/** Fields of an update and the facts that they are. */
const fields: Record<string, string> = {
  title: 'title',
  description: 'description',
  target_branch: 'target_branch',
  discussion_locked: 'discussion_locked',
  squash: 'squash',
}

function updated(params: Record<string, unknown>, scene: Scene): Record<string, Json> {
  const labels = saidOf(scene, 'labels')
  const before = Array.isArray(labels) ? labels.map(String) : []
  const removed = listed(params.remove_labels)
  const changesLabels = params.add_labels !== undefined || params.remove_labels !== undefined
  const plain = Object.entries(fields).flatMap(([field, fact]) =>
    params[field] === undefined ? [] : [[fact, params[field] as Json] as const],
  )
  const person = params.assignee_id === undefined ? undefined : scene.people.named(params.assignee_id)
  return {
    ...Object.fromEntries(plain),
    ...(changesLabels ? { labels: [...new Set([...before, ...listed(params.add_labels)])].filter((name) => !removed.includes(name)) } : {}),
    ...(params.state_event === undefined ? {} : { state: params.state_event === 'close' ? 'closed' : 'opened' }),
    ...(person === undefined ? {} : { assignee: person, assigned: person !== null, assignees: person === null ? [] : [person] }),
    ...(params.milestone_id === undefined ? {} : { milestone: scene.people.named(params.milestone_id) }),
  }
}

const effects: Record<string, Effect> = {
  'mergeRequests.update': updated,
  'mergeRequests.approve': () => ({ approved_by_bot: true }),
  'mergeRequests.unapprove': () => ({ approved_by_bot: false }),
  'mergeRequests.subscribe': () => ({ subscribed: true }),
  'mergeRequests.unsubscribe': () => ({ subscribed: false }),
  'mergeRequests.cancelMergeWhenPipelineSucceeds': () => ({ merge_when_pipeline_succeeds: false }),
  'mergeRequests.accept': ({ merge_when_pipeline_succeeds }): Record<string, Json> =>
    merge_when_pipeline_succeeds === true ? { merge_when_pipeline_succeeds: true } : { state: 'merged' },
  'mergeRequests.timeEstimate': ({ duration }) => ({ time_estimate: seconds(duration) }),
  'mergeRequests.addSpentTime': ({ duration }, scene) => ({ time_spent: Number(saidOf(scene, 'time_spent') ?? 0) + seconds(duration) }),
}

/** Bellhop's own notes, newest first. */
function notesAfter(notes: SourceAnswer | undefined, { endpoint, params }: Call): SourceAnswer | undefined {
  const list = (notes?.ok === true && Array.isArray(notes.body) ? (items(notes.body as unknown[]) ?? []) : []).filter(isMap)
  const answer = (body: unknown): SourceAnswer => ({ ok: true, complete: true, body })
  const { note_id, body } = params
  switch (endpoint) {
    case 'mergeRequests.notes.create':
      return answer([{ id: 1 + Math.max(0, ...list.map(({ id }) => Number(id))), body, author: bot, system: false }, ...list])
    case 'mergeRequests.notes.update':
      return answer(list.map((note) => (note.id === note_id ? { ...note, body } : note)))
    case 'mergeRequests.notes.delete':
      return answer(list.filter((note) => note.id !== note_id))
    default:
      return notes
  }
}

function afterCall(scene: Scene, call: Call): Scene {
  const changed = effects[call.endpoint]?.(call.params, scene) ?? {}
  const known = Object.entries(changed).map(([name, value]): [string, SupposedValue] => [name, { is: 'known', value, complete: true }])
  const notes = notesAfter(scene.answers.notes, call)
  return {
    ...scene,
    facts: { ...scene.facts, ...Object.fromEntries(known) },
    answers: { ...scene.answers, ...(notes === undefined ? {} : { notes }) },
  }
}

/** The state after every call of the decision. */
export function afterCalls(scene: Scene, decision: Decision): Scene {
  return decision.calls.reduce(afterCall, scene)
}
