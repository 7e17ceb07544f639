// label: add and remove labels; the labels of all rules become one call that never touches any other label (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import type { Json } from '../language/values/rule-types.ts'
import { described, fields, isMap, listOf, type Shape, shape } from '../language/values/shapes.ts'
import { show } from '../language/values/wording.ts'
import type { Memory } from '../types.ts'
import {
  type ActionOutcome,
  type ActionRequest,
  action,
  type FactEffect,
  type JoinInput,
  type PlannedCall,
} from './definition/action.ts'
import { labelCallOutcome, stateBeforeLabels } from './definition/label-reconciliation.ts'

/** The service takes labels joined by commas: one with a comma inside would become two. */
const label = shape(
  'a label without commas',
  (value) =>
    typeof value === 'string' && value.length <= 255 && value !== '' && value.trim() === value && !value.includes(',')
      ? value
      : undefined,
  { type: 'string', maxLength: 255, pattern: '^[^\\s,](?:[^,]*[^\\s,])?$' },
)
const labels = listOf(label)
const ways = {
  add: described('Labels to put on.', labels),
  remove: described('Labels to take off.', labels),
  set: described('The labels that it has then, and no others.', labels),
  while: described('Labels that are on exactly as long as the rule holds.', labels),
}
const changes = fields(ways)
const { set: _set, ...waysOfStates } = ways
const { while: _while, ...waysOfEvents } = ways
type Args = NonNullable<ReturnType<typeof changes.read>>

const args: Shape<Args> = {
  expected: changes.expected,
  schema: (context) => ({
    ...fields(context.onEvents ? waysOfEvents : waysOfStates).schema(context),
    minProperties: 1,
    ...(context.onEvents ? { dependentSchemas: { set: { maxProperties: 1 } } } : {}),
  }),
  read(value, path, issues, context) {
    const read = changes.read(value, path, issues)
    if (read === undefined) return undefined
    const added = [...(read.add ?? []), ...(read.while ?? [])]
    const both = added.filter((name) => read.remove?.includes(name))
    if (Object.keys(read).length === 0)
      issues.push({ path, expected: Object.keys(ways).join(', '), found: 'an empty mapping' })
    else if (read.set !== undefined && context?.onEvents !== true)
      issues.push({
        path: [...path, 'set'],
        at: 'key',
        expected: 'a rule with on:, which acts once for each event',
        found: 'set in a rule without on:',
      })
    else if (read.set !== undefined && Object.keys(read).length > 1)
      issues.push({
        path: [...path, 'set'],
        at: 'key',
        expected: 'set alone: it says which labels there are',
        found: 'set with other keys',
      })
    else if (read.while !== undefined && context?.onEvents === true)
      issues.push({
        path: [...path, 'while'],
        at: 'key',
        expected: 'a rule without on:, which holds for a while',
        found: 'while in a rule with on:',
      })
    else if (both.length > 0)
      issues.push({
        path: [...path, 'remove'],
        expected: 'labels that are not added as well',
        found: show(both),
      })
    else return read
    return undefined
  },
}

interface Change {
  name: string
  kind: 'add' | 'remove'
  /** Still to be done; what was done before only keeps its place against other rules. */
  due: boolean
  /** Only for as long as the rule holds. */
  held?: boolean
}

type LabelRequest = ActionRequest & { args: Args }

function changesOf(
  { args: { add = [], remove = [], set, while: held = [] }, doneBefore }: LabelRequest,
  present: readonly string[],
): Change[] {
  const due = !doneBefore
  const changes: Change[] = []
  for (const name of held) changes.push({ name, kind: 'add', due: true, held: true })
  for (const name of add) changes.push({ name, kind: 'add', due })
  for (const name of set ?? []) changes.push({ name, kind: 'add', due })
  for (const name of remove) changes.push({ name, kind: 'remove', due })
  if (set !== undefined)
    for (const name of present) if (!set.includes(name)) changes.push({ name, kind: 'remove', due })
  return changes
}

/** Which way each label goes: taking it off goes before putting it on, whichever rule comes first. */
function claims(requested: readonly Change[][]): Map<string, Change['kind']> {
  const claimed = new Map<string, Change['kind']>()
  for (const changes of requested)
    for (const { name, kind } of changes) if (kind === 'remove' || !claimed.has(name)) claimed.set(name, kind)
  return claimed
}

function names(list: readonly Change[], kind: Change['kind']): string[] {
  const found = new Set<string>()
  for (const each of list) if (each.kind === kind) found.add(each.name)
  return [...found]
}

function say(list: readonly Change[]): string {
  const [added, removed] = [names(list, 'add'), names(list, 'remove')]
  const add = added.length === 0 ? '' : `add ${show(added)}`
  const remove = removed.length === 0 ? '' : `remove ${show(removed)}`
  return add === '' || remove === '' ? add + remove : `${add}, ${remove}`
}

function outcomeOf(
  requested: readonly Change[],
  claimed: ReadonlyMap<string, Change['kind']>,
  present: ReadonlySet<string>,
): { outcome: ActionOutcome; changes: Change[] } {
  const [missing, lost]: [Change[], string[]] = [[], []]
  let due = 0
  for (const change of requested) {
    if (!change.due) continue
    due++
    if (claimed.get(change.name) !== change.kind) lost.push(change.name)
    else if (present.has(change.name) !== (change.kind === 'add')) missing.push(change)
  }
  if (due === 0) return { outcome: { result: 'done_before', detail: 'done when the rule became true' }, changes: [] }
  const also = lost.length === 0 ? '' : `; another rule takes off ${show(lost)}`
  if (missing.length > 0)
    return { outcome: { result: 'call', detail: `${say(missing)}${also}`, calls: [] }, changes: missing }
  if (lost.length === due) return { outcome: { result: 'overruled', detail: also.slice(2) }, changes: [] }
  return { outcome: { result: 'nothing_to_do', detail: `the labels are so already${also}` }, changes: [] }
}

interface Held {
  /** Taken off: Bellhop put them on, and no rule asks for them any longer. */
  gone: string[]
  /** What Bellhop holds afterwards. What a person put on, or a rule added for good, is not Bellhop's to take off. */
  after: string[]
}

function heldBy(
  memory: Memory,
  requests: readonly LabelRequest[],
  changed: readonly Change[],
  present: readonly string[],
): Held {
  const before = memory.heldLabels ?? []
  const added = changed.filter((each) => each.held === true).map((each) => each.name)
  if (before.length + added.length === 0) return { gone: [], after: [] }
  const asked = new Set(requests.flatMap(({ args: { while: list = [] } }) => list))
  const forGood = new Set(requests.flatMap(({ args: { add = [], set = [] } }) => [...add, ...set]))
  const own = (name: string) => asked.has(name) && !forGood.has(name)
  return {
    gone: before.filter((name) => !asked.has(name) && !forGood.has(name) && present.includes(name)),
    after: [...new Set([...before, ...added])].filter(own),
  }
}

const same = (one: readonly string[], other: readonly string[]) => JSON.stringify(one) === JSON.stringify(other)

export default action({
  name: 'label',
  doc: 'Add and remove labels. Other labels are left alone; one that a person took off again stays off while the rule stays true. `while` keeps a label exactly as long as the rule holds. `set` (only with `on:`) leaves no other label.',
  example: 'label: { add: documentation, remove: "needs triage" }',
  args,
  needs: ['labels'],
  oneWay: true,
  effects: ({ add = [], set = [], while: held = [], remove = [] }) => labelEffects([...add, ...set, ...held], remove),
  calls: () => ({ result: 'nothing_to_do', detail: 'labels are joined' }),
  join(requests, given) {
    const { facts, memory } = given
    const present = new Set(facts.labels)
    const requested = requests.map((request) => changesOf(request, facts.labels))
    const claimed = claims(requested)
    const [outcomes, all, served]: [ActionOutcome[], Change[], number[]] = [[], [], []]
    for (const [index, each] of requested.entries()) {
      const { outcome, changes } = outcomeOf(each, claimed, present)
      outcomes.push(outcome)
      if (changes.length > 0) served.push(index)
      for (const change of changes) all.push(change)
    }
    const { gone, after } = heldBy(memory, requests, all, facts.labels)
    if (all.length + gone.length === 0) {
      return { outcomes, calls: [], ...(same(after, memory.heldLabels ?? []) ? {} : { noted: { heldLabels: after } }) }
    }
    const planned = labelCall(given, names(all, 'add'), [...new Set([...names(all, 'remove'), ...gone])], after)
    return { outcomes, calls: [{ ...planned, requests: served }] }
  },
  withdraw: {
    isInEffect: (memory) => (memory.heldLabels ?? []).length > 0,
    calls(given) {
      const { gone } = heldBy(given.memory, [], [], given.facts.labels)
      if (gone.length === 0)
        return { result: 'nothing_to_do', detail: 'the labels are gone already', noted: { heldLabels: [] } }
      return {
        result: 'call',
        detail: `remove ${show(gone)}: no rule holds it any more`,
        calls: [labelCall(given, [], gone, [])],
      }
    },
  },
  reconcile: { reads: ['mergeRequest'], outcome: labelCallOutcome },
  // Fails closed: what may still be on is remembered as ours, so that it can be taken off.
  remember: (memory, { memo }, certain) =>
    holding(memory, certain ? heldIn(memo) : heldIn(memo) && [...(memory.heldLabels ?? []), ...(heldIn(memo) ?? [])]),
  notice: (memory, noted) => holding(memory, heldIn(noted)),
})

function heldIn(memo: Json | undefined): string[] | undefined {
  return isMap(memo) && Array.isArray(memo.heldLabels) ? memo.heldLabels.map(String) : undefined
}

function holding(memory: Memory, held: readonly string[] | undefined): Memory {
  if (held === undefined) return memory
  const { heldLabels: _before, ...rest } = memory
  return held.length === 0 ? rest : { ...rest, heldLabels: [...new Set(held)] }
}

const labelEffects = (add: readonly string[], remove: readonly string[]): FactEffect[] => [
  { fact: 'labels', add: [...add] },
  { fact: 'labels', remove: [...remove] },
]

function labelCall(
  given: JoinInput<'labels'>,
  add: readonly string[],
  remove: readonly string[],
  heldLabels: string[],
): PlannedCall {
  const params: Parameters<typeof callData<'mergeRequests.update'>>[1] = { ...given.mr }
  if (add.length > 0) params.add_labels = add.join(',')
  if (remove.length > 0) params.remove_labels = remove.join(',')
  return {
    call: callData('mergeRequests.update', params),
    before: stateBeforeLabels(given),
    memo: { heldLabels },
    effects: labelEffects(add, remove),
  }
}
