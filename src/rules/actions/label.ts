// label: add and remove labels in one call for all rules, and touch no other label.
import { readPlaces } from '../language/templates.ts'
import type { Json } from '../language/values/rule-types.ts'
import {
  described,
  fields,
  isMap,
  listOf,
  nearTo,
  refuse,
  refuseKey,
  refuseKeyOf,
  type Shape,
} from '../language/values/shapes.ts'
import { show } from '../language/values/wording.ts'
import type { Memory } from '../types.ts'
import {
  type ActionOutcome,
  type ActionRequest,
  action,
  actionMemory,
  type FactEffect,
  type JoinInput,
  nothingToDo,
  type PlannedCall,
} from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'
import { labelCallOutcome } from './definition/label-reconciliation.ts'

/** The fixed beginning before the first group: the author of the title can set only labels that begin with it. */
const BEGINNING = /^[^{]*[\p{L}\p{N}][^{]*[^\p{L}\p{N}{]\{\{/u

/** The service takes labels joined by commas: one with a comma inside would become two. */
const readLabel = (value: unknown) =>
  typeof value === 'string' && value.length <= 255 && value !== '' && value.trim() === value && !value.includes(',')
    ? value
    : undefined

const label: Shape<string> = {
  expected: 'a label without commas or spaces at its ends',
  schema: () => ({ type: 'string', maxLength: 255, pattern: '^[^\\s,](?:[^,]*[^\\s,])?$' }),
  read(value, path, issues, context) {
    const name = readLabel(value)
    if (name === undefined) {
      const trimmed = typeof value === 'string' ? readLabel(value.trim()) : undefined
      return refuse(issues, { path, expected: this.expected, ...nearTo(trimmed) })
    }
    if (!name.includes('{{')) return name
    if (!readPlaces(name, path, issues, context, 'groups')) return undefined
    if (BEGINNING.test(name)) return name
    return refuse(issues, {
      path,
      expected: 'a beginning of the label before the group, with a sign between them, such as type::{{ type }}',
    })
  },
}
const labels = listOf(label)
const stateFields = {
  add: described('Labels to add.', labels),
  remove: described('Labels to remove.', labels),
  while: described('Labels to keep exactly while the rule matches.', labels),
}
const { while: _while, ...bothFields } = stateFields
const eventFields = { ...bothFields, set: described('The labels to have, and no others.', labels) }
const allFields = fields({ ...eventFields, ...stateFields })
type Args = NonNullable<ReturnType<typeof allFields.read>>

const args: Shape<Args> = {
  expected: allFields.expected,
  schema: (context) => ({
    ...fields(context.onEvents ? eventFields : stateFields).schema(context),
    minProperties: 1,
    ...(context.onEvents ? { dependentSchemas: { set: { maxProperties: 1 } } } : {}),
  }),
  read(value, path, issues, context) {
    const read = allFields.read(value, path, issues, context)
    if (read === undefined) return undefined
    if (Object.keys(read).length === 0)
      return refuse(issues, { path, expected: 'add, remove, set, while', found: 'an empty mapping' })
    if (read.set !== undefined && context?.onEvents !== true) return refuseKeyOf('events', issues, [...path, 'set'])
    if (read.set !== undefined && Object.keys(read).length > 1)
      return refuseKey(issues, [...path, 'set'], 'set alone: it names all labels', 'set with other keys')
    if (read.while !== undefined && context?.onEvents === true) return refuseKeyOf('state', issues, [...path, 'while'])
    const both = [...(read.add ?? []), ...(read.while ?? [])].filter((name) => read.remove?.includes(name))
    if (both.length === 0) return read
    return refuse(issues, {
      path: [...path, 'remove'],
      expected: 'labels that are not added as well',
      found: show(both),
    })
  },
}

interface Change {
  name: string
  kind: 'add' | 'remove'
  /** Still to be done. A change that was done before only counts against other rules. */
  due: boolean
  /** The label stays only while the rule matches. */
  held?: boolean
}

type LabelRequest = ActionRequest & { args: Args }

function changesOf({ args, doneBefore }: LabelRequest, present: readonly string[]): Change[] {
  const { add = [], remove = [], set, while: held = [] } = args
  const due = !doneBefore
  const others = set === undefined ? [] : present.filter((name) => !set.includes(name))
  return [
    ...held.map((name): Change => ({ name, kind: 'add', due: true, held: true })),
    ...[...add, ...(set ?? [])].map((name): Change => ({ name, kind: 'add', due })),
    ...[...remove, ...others].map((name): Change => ({ name, kind: 'remove', due })),
  ]
}

/** The change that wins for each label: removing goes before adding, whichever rule comes first. */
function winningKinds(requested: readonly Change[][]): Map<string, Change['kind']> {
  const winning = new Map<string, Change['kind']>()
  for (const { name, kind } of requested.flat()) if (kind === 'remove' || !winning.has(name)) winning.set(name, kind)
  return winning
}

const namesOf = (changes: readonly Change[], kind: Change['kind']) => [
  ...new Set(changes.filter((each) => each.kind === kind).map(({ name }) => name)),
]

function describeChanges(changes: readonly Change[]): string {
  return (['add', 'remove'] as const)
    .map((kind) => ({ kind, names: namesOf(changes, kind) }))
    .flatMap(({ kind, names }) => (names.length === 0 ? [] : [`${kind} ${show(names)}`]))
    .join(', ')
}

function outcomeOf(
  requested: readonly Change[],
  winning: ReadonlyMap<string, Change['kind']>,
  present: ReadonlySet<string>,
): { outcome: ActionOutcome; changes: Change[] } {
  const due = requested.filter((each) => each.due)
  if (due.length === 0)
    return { outcome: { result: 'done_before', detail: 'done when the rule became true' }, changes: [] }
  const overruled = due.filter(({ name, kind }) => winning.get(name) !== kind)
  const changes = due.filter(({ name, kind }) => winning.get(name) === kind && present.has(name) !== (kind === 'add'))
  const also = overruled.length === 0 ? '' : `another rule removes ${show(overruled.map(({ name }) => name))}`
  const details = (first: string) => (also === '' ? first : `${first}; ${also}`)
  if (changes.length > 0)
    return { outcome: { result: 'call', detail: details(describeChanges(changes)), calls: [] }, changes }
  if (overruled.length === due.length) return { outcome: { result: 'overruled', detail: also }, changes }
  return { outcome: nothingToDo(details('the labels are already as requested')), changes }
}

/** Labels that Bellhop added with `while`. */
const heldLabels = actionMemory<string[]>('label')

/**
 * `unrequested`: Bellhop added them, and no rule requests them any more. `after`: those that it holds afterwards; one
 * that a person or an `add` put on is not Bellhop's to remove.
 */
function heldLabelsOf(
  memory: Memory,
  requests: readonly LabelRequest[],
  changes: readonly Change[],
  present: readonly string[],
) {
  const before = heldLabels.of(memory) ?? []
  const added = changes.filter((each) => each.held === true).map((each) => each.name)
  if (before.length + added.length === 0) return { unrequested: [], after: [] }
  const held = new Set(requests.flatMap(({ args: { while: list = [] } }) => list))
  const forGood = new Set(requests.flatMap(({ args: { add = [], set = [] } }) => [...add, ...set]))
  return {
    unrequested: before.filter((name) => !held.has(name) && !forGood.has(name) && present.includes(name)),
    after: [...new Set([...before, ...added])].filter((name) => held.has(name) && !forGood.has(name)),
  }
}

const isSame = (one: readonly string[], other: readonly string[]) => JSON.stringify(one) === JSON.stringify(other)

export default action({
  name: 'label',
  doc: 'Add and remove labels; other labels stay. If a person removes an added label, it stays off while the rule matches. `while` keeps a label exactly while the rule matches. `set` (only with `on:`) leaves no other label.',
  synonyms: ['add_label', 'add_labels'],
  example: 'label: { add: documentation, remove: "needs triage" }',
  args,
  on: 'issues',
  needs: ['labels'],
  reads: { sources: ['labelEvents'] },
  template: {
    fillArgs: (args, fill) =>
      Object.fromEntries(
        Object.entries(args).map(([key, names]) => [
          key,
          (names as string[]).flatMap((name) => fill(name, readLabel, label.expected) ?? []),
        ]),
      ),
  },
  when: 'one_way',
  effects: ({ add = [], set = [], while: held = [], remove = [] }) => labelEffects([...add, ...set, ...held], remove),
  calls: () => nothingToDo('labels are joined'),
  join(requests, given) {
    const { facts, memory } = given
    const present = new Set(facts.labels)
    const requested = requests.map((request) => changesOf(request, facts.labels))
    const winning = winningKinds(requested)
    const [outcomes, all, served]: [ActionOutcome[], Change[], number[]] = [[], [], []]
    for (const [index, each] of requested.entries()) {
      const { outcome, changes } = outcomeOf(each, winning, present)
      outcomes.push(outcome)
      if (changes.length > 0) served.push(index)
      for (const change of changes) all.push(change)
    }
    const { unrequested, after } = heldLabelsOf(memory, requests, all, facts.labels)
    if (all.length + unrequested.length === 0) {
      const noticed = isSame(after, heldLabels.of(memory) ?? []) ? undefined : { heldLabels: after }
      return { outcomes, calls: [], noticed }
    }
    const planned = labelCall(
      given,
      namesOf(all, 'add'),
      [...new Set([...namesOf(all, 'remove'), ...unrequested])],
      after,
    )
    return { outcomes, calls: [{ ...planned, requests: served }] }
  },
  withdraw: {
    isInEffect: (memory) => heldLabels.of(memory) !== undefined,
    calls(given) {
      const { unrequested } = heldLabelsOf(given.memory, [], [], given.facts.labels)
      if (unrequested.length === 0)
        return { result: 'nothing_to_do', detail: 'the labels are gone already', noticed: { heldLabels: [] } }
      return {
        result: 'call',
        detail: `remove ${show(unrequested)}: no rule requests it any more`,
        calls: [labelCall(given, [], unrequested, [])],
      }
    },
  },
  reconcile: labelCallOutcome,
  // Fails closed: a label that may still be on is remembered as ours, so that it can be removed.
  remember: (memory, { memo }, certain) =>
    holding(
      memory,
      certain ? heldIn(memo) : heldIn(memo) && [...(heldLabels.of(memory) ?? []), ...(heldIn(memo) ?? [])],
    ),
  notice: (memory, noticed) => holding(memory, heldIn(noticed)),
})

function heldIn(memo: Json | undefined): string[] | undefined {
  return isMap(memo) && Array.isArray(memo.heldLabels) ? memo.heldLabels.map(String) : undefined
}

function holding(memory: Memory, held: readonly string[] | undefined): Memory {
  if (held === undefined) return memory
  return heldLabels.put(memory, held.length === 0 ? undefined : [...new Set(held)])
}

const labelEffects = (add: readonly string[], remove: readonly string[]): FactEffect[] => [
  { fact: 'labels', add: [...add] },
  { fact: 'labels', remove: [...remove] },
]

function labelCall(
  given: JoinInput<'labels'>,
  add: readonly string[],
  remove: readonly string[],
  after: string[],
): PlannedCall {
  const mergeRequest = given.body('mergeRequest') as { updated_at?: string } | undefined
  const params: Record<string, string> = {}
  if (add.length > 0) params.add_labels = add.join(',')
  if (remove.length > 0) params.remove_labels = remove.join(',')
  return {
    call: callOn(given.target, 'update', params),
    before: { labels: mergeRequest?.updated_at ?? null },
    memo: { heldLabels: after },
    effects: labelEffects(add, remove),
  }
}
