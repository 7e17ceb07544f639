// One merge request over time: turn by turn, rules are evaluated, their calls take effect, and people change things.
import { emptyMemory } from '../../src/rules/engine/update-memory.ts'
import type { Event, Occurrence } from '../../src/rules/event-types.ts'
import type { DecideInput, Decision, Memory, SourceAnswers } from '../../src/rules/types.ts'
import { answer, answers, applied, decidedBy, mergeRequest, rememberDone, rule, rules, sent } from './world.ts'

type Fields = Record<string, unknown>

/** A state rule that holds while the merge request has the label `on`. */
export const whileOn = (actions: string, name = 'the rule', label = 'on') =>
  rule(`{ labels: { any: ${label} } }`, actions, name)

/** A rule for events of a kind. */
export const onEvent = (kind: string, actions: string, name = 'the event rule') =>
  `  - name: ${JSON.stringify(name)}\n    on: ${kind}\n    then: ${actions}\n`

export const alice = { id: 2, username: 'alice' }
export const mallory = { id: 5, username: 'mallory' }
export const happened = (kind: string, id = 'd1', more: Partial<Event> = {}): Occurrence => ({
  id,
  event: { kind, actor: alice, at: '2026-01-11T00:00:00Z', project: 1, iid: 7, ...more },
})

/** The event of the note 17. */
export const note = (id = 'd1', more: Partial<Event> = {}) => happened('note.create', id, { note: { id: 17 }, ...more })
/** What the service says of that note, and of the access of who wrote it. */
export const noted = (body: string, access = 40, author = alice): SourceAnswers => ({
  'note@17': answer({ id: 17, body, author, system: false }),
  [`actorAccess@${author.id}`]: answer({ id: author.id, access_level: access }),
})

export function overTime(fields: Fields = {}, other: SourceAnswers = {}) {
  let state = answers(fields, other)
  let memory = emptyMemory()
  const turn = (texts: string[], changes: Partial<DecideInput> = {}): Decision => {
    const decision = decidedBy(rules(...texts), { answers: state, memory, ...changes })
    state = applied(state, decision)
    memory = rememberDone(memory, decision)
    return decision
  }
  return {
    /** Decides, sends and remembers once. */
    turn,
    /** The same after one turn. */
    after(...given: Parameters<typeof turn>) {
      turn(...given)
      return this
    },
    /** What one turn sends. */
    sends: (texts: string[], changes: Partial<DecideInput> = {}) => sent(turn(texts, changes)),
    /** Somebody else changes the merge request. */
    person(changed: Fields) {
      const before = state.mergeRequest?.ok ? (state.mergeRequest.body as Fields) : mergeRequest()
      const after = { ...before, ...changed }
      const { changes, commits, versions } = answers(after)
      // What is read of each version follows a push and another target.
      state = {
        ...state,
        mergeRequest: answer(after),
        ...('sha' in changed || 'target_branch' in changed ? { changes, commits, versions } : {}),
      }
      return this
    },
    /** Another answer of the service changes. */
    source(name: string, body: unknown, complete = true) {
      state = { ...state, [name]: answer(body, complete) }
      return this
    },
    get memory(): Memory {
      return memory
    },
    /** What a source says now. */
    says<T>(name: string): T {
      const now = state[name]
      if (now?.ok !== true) throw new Error(`${name} cannot be read`)
      return now.body as T
    },
    get labels(): string[] {
      return [...((this.says<Fields>('mergeRequest').labels as string[]) ?? [])].sort()
    },
  }
}
