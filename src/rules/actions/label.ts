// label: add and remove labels; the labels of all rules become one call that never touches any other label (DESIGN §4).
import { callData } from '../../api/endpoint.ts'
import { api } from '../../api/index.ts'
import { action, type Outcome, type PlannedCall, type Wish } from '../action.ts'
import { fields, listOf, type Shape, shape } from '../shapes.ts'
import type { Memory } from '../types.ts'
import { show } from '../wording.ts'

/** The service takes labels joined by commas: one with a comma inside would become two. */
const label = shape('a label without commas', (value) =>
  typeof value === 'string' && value.length <= 255 && value !== '' && value.trim() === value && !value.includes(',') ? value : undefined,
)
const labels = listOf(label)
const changes = fields({ add: labels, remove: labels, set: labels, while: labels })
type Args = NonNullable<ReturnType<typeof changes.read>>
const ways = Object.keys({ add: 0, remove: 0, set: 0, while: 0 } satisfies Record<keyof Pick<Args, 'add' | 'remove' | 'set' | 'while'>, 0>)

const args: Shape<Args> = {
  expected: changes.expected,
  read(value, path, issues, context) {
    const read = changes.read(value, path, issues)
    if (read === undefined) return undefined
    const added = [...(read.add ?? []), ...(read.while ?? [])]
    const both = added.filter((name) => read.remove?.includes(name))
    if (Object.keys(read).length === 0) issues.push({ path, at: 'value', expected: ways.join(', '), found: 'an empty mapping' })
    else if (read.set !== undefined && context?.onEvents !== true)
      issues.push({
        path: [...path, 'set'],
        at: 'key',
        expected: 'a rule with on:, which acts once for each event',
        found: 'set in a rule without on:',
      })
    else if (read.set !== undefined && Object.keys(read).length > 1)
      issues.push({ path: [...path, 'set'], at: 'key', expected: 'set alone: it says which labels there are', found: 'set beside others' })
    else if (both.length > 0)
      issues.push({ path: [...path, 'remove'], at: 'value', expected: 'labels that are not added as well', found: show(both) })
    else return read
    return undefined
  },
}

interface Change {
  name: string
  kind: 'add' | 'remove'
  /** Only for as long as the rule holds. */
  held?: boolean
}

function changesOf(
  { args: { add = [], remove = [], set, while: held = [] }, doneBefore }: Wish & { args: Args },
  present: readonly string[],
): Change[] {
  const setting: Change[] =
    set === undefined
      ? []
      : [
          ...set.map((name) => ({ name, kind: 'add' as const })),
          ...present.filter((name) => !set.includes(name)).map((name) => ({ name, kind: 'remove' as const })),
        ]
  const once: Change[] = [
    ...add.map((name) => ({ name, kind: 'add' as const })),
    ...remove.map((name) => ({ name, kind: 'remove' as const })),
    ...setting,
  ]
  return [...held.map((name) => ({ name, kind: 'add' as const, held: true })), ...(doneBefore ? [] : once)]
}

/** Which way each label goes: taking it off goes before putting it on, whichever rule comes first. */
function claims(wishes: readonly (Wish & { args: Args })[], present: readonly string[]): Map<string, Change['kind']> {
  const claimed = new Map<string, Change['kind']>()
  for (const { name, kind } of wishes.flatMap((wish) => changesOf(wish, present)))
    if (kind === 'remove' || !claimed.has(name)) claimed.set(name, kind)
  return claimed
}

const names = (list: readonly Change[], kind: Change['kind']) => [
  ...new Set(list.filter((each) => each.kind === kind).map((each) => each.name)),
]

function say(list: readonly Change[]): string {
  return (['add', 'remove'] as const)
    .flatMap((kind) => (names(list, kind).length === 0 ? [] : [`${kind} ${show(names(list, kind))}`]))
    .join(', ')
}

function outcomeOf(
  wish: Wish & { args: Args },
  claimed: Map<string, Change['kind']>,
  present: readonly string[],
): { outcome: Outcome; changes: Change[] } {
  const wished = changesOf(wish, present)
  if (wished.length === 0) return { outcome: { result: 'done before', detail: 'done when the rule became true' }, changes: [] }
  const won = wished.filter(({ name, kind }) => claimed.get(name) === kind)
  const lost = wished.filter((change) => !won.includes(change))
  const missing = won.filter(({ name, kind }) => present.includes(name) !== (kind === 'add'))
  const also = lost.length === 0 ? '' : `; another rule takes off ${show(lost.map((each) => each.name))}`
  if (missing.length > 0) return { outcome: { result: 'call', detail: `${say(missing)}${also}`, calls: [] }, changes: missing }
  if (won.length === 0) return { outcome: { result: 'lost', detail: also.slice(2) }, changes: [] }
  return { outcome: { result: 'nothing to do', detail: `the labels are so already${also}` }, changes: [] }
}

/** Labels of Bellhop's own that no rule holds any longer. */
function released(memory: Memory, wishes: readonly { args: Args }[], present: readonly string[]): string[] {
  const held = new Set(wishes.flatMap(({ args: { while: list = [] } }) => list))
  return (memory.heldLabels ?? []).filter((name) => !held.has(name) && present.includes(name))
}

/** What Bellhop holds after the call: what it puts on now, and what it had put on before and still holds. */
function heldAfter(memory: Memory, changed: readonly Change[], gone: readonly string[]): string[] {
  const before = (memory.heldLabels ?? []).filter((name) => !gone.includes(name))
  return [...new Set([...before, ...changed.flatMap((each) => (each.held === true ? [each.name] : []))])]
}

export default action({
  name: 'label',
  doc: 'Add and remove labels. Other labels are left alone; one that a person took off again stays off while the rule stays true. `while` keeps a label exactly as long as the rule holds. `set` (only with `on:`) leaves no other label.',
  example: 'label: { add: documentation, remove: "needs triage" }',
  args,
  needs: ['labels'],
  oneWay: true,
  calls: () => ({ result: 'nothing to do', detail: 'labels are joined' }),
  join(wishes, { facts, mr, memory }) {
    const claimed = claims(wishes, facts.labels)
    const judged = wishes.map((wish) => outcomeOf(wish, claimed, facts.labels))
    const all = judged.flatMap((each) => each.changes)
    const gone = released(memory, wishes, facts.labels).filter((name) => !names(all, 'add').includes(name))
    const outcomes = judged.map((each) => each.outcome)
    if (all.length + gone.length === 0) return { outcomes, calls: [] }
    const planned = labelCall(mr, names(all, 'add'), [...new Set([...names(all, 'remove'), ...gone])], heldAfter(memory, all, gone))
    return { outcomes, calls: [{ ...planned, wishes: judged.flatMap((each, index) => (each.changes.length > 0 ? [index] : [])) }] }
  },
  withdraw: {
    stands: (memory) => (memory.heldLabels ?? []).length > 0,
    calls({ facts, mr, memory }) {
      const gone = released(memory, [], facts.labels)
      if (gone.length === 0) return { result: 'nothing to do', detail: 'the labels are gone already' }
      return { result: 'call', detail: `remove ${show(gone)}: no rule holds it any more`, calls: [labelCall(mr, [], gone, [])] }
    },
  },
  remember(memory, { memo }) {
    const held =
      typeof memo === 'object' && memo !== null && !Array.isArray(memo) && Array.isArray(memo.heldLabels) ? memo.heldLabels : undefined
    if (held === undefined) return memory
    const { heldLabels: _before, ...rest } = memory
    return held.length === 0 ? rest : { ...rest, heldLabels: held.map(String) }
  },
})

function labelCall(
  mr: { id: number; merge_request_iid: number },
  add: readonly string[],
  remove: readonly string[],
  heldLabels: string[],
): PlannedCall {
  const call = callData(api.mergeRequests.update, {
    ...mr,
    ...(add.length === 0 ? {} : { add_labels: add.join(',') }),
    ...(remove.length === 0 ? {} : { remove_labels: remove.join(',') }),
  })
  return { call, memo: { heldLabels } }
}
