// label: add and remove labels; the labels of all rules become one call that never touches any other label (DESIGN §4).
import { callData } from '../../api/endpoint.ts'
import { api } from '../../api/index.ts'
import { action, type Outcome, type Wish } from '../action.ts'
import { fields, listOf, type Shape, shape } from '../shapes.ts'
import { show } from '../wording.ts'

/** The service takes labels joined by commas: one with a comma inside would become two. */
const label = shape('a label without commas', (value) =>
  typeof value === 'string' && value.length <= 255 && value !== '' && value.trim() === value && !value.includes(',') ? value : undefined,
)
const changes = fields({ add: listOf(label), remove: listOf(label) })
type Args = NonNullable<ReturnType<typeof changes.read>>

const args: Shape<Args> = {
  expected: changes.expected,
  read(value, path, issues) {
    const read = changes.read(value, path, issues)
    if (read === undefined) return undefined
    const both = read.add?.filter((name) => read.remove?.includes(name)) ?? []
    if (read.add === undefined && read.remove === undefined)
      issues.push({ path, at: 'value', expected: 'add, remove or both', found: 'neither' })
    else if (both.length > 0)
      issues.push({ path: [...path, 'remove'], at: 'value', expected: 'labels that are not added as well', found: show(both) })
    else return read
    return undefined
  },
}

interface Change {
  name: string
  kind: 'add' | 'remove'
}

const changesOf = (wish: { args: Args }): Change[] => [
  ...(wish.args.add ?? []).map((name) => ({ name, kind: 'add' as const })),
  ...(wish.args.remove ?? []).map((name) => ({ name, kind: 'remove' as const })),
]

/** Which way each label goes: the first rule that names it decides, also where it did so before. */
function claims(wishes: readonly (Wish & { args: Args })[]): Map<string, Change['kind']> {
  const first = new Map<string, Change['kind']>()
  for (const { name, kind } of wishes.flatMap(changesOf)) if (!first.has(name)) first.set(name, kind)
  return first
}

const names = (list: readonly Change[], kind: Change['kind']) => list.filter((each) => each.kind === kind).map((each) => each.name)

function say(list: readonly Change[]): string {
  return (['add', 'remove'] as const)
    .flatMap((kind) => (names(list, kind).length === 0 ? [] : [`${kind} ${show(names(list, kind))}`]))
    .join(', ')
}

function outcomeOf(
  wish: Wish & { args: Args },
  first: Map<string, Change['kind']>,
  labels: readonly string[],
): { outcome: Outcome; changes: Change[] } {
  if (wish.doneBefore) return { outcome: { result: 'done before', detail: 'done when the rule became true' }, changes: [] }
  const wished = changesOf(wish)
  const won = wished.filter(({ name, kind }) => first.get(name) === kind)
  const lost = wished.filter((change) => !won.includes(change))
  const missing = won.filter(({ name, kind }) => labels.includes(name) !== (kind === 'add'))
  const also = lost.length === 0 ? '' : `; an earlier rule decides otherwise about ${show(lost.map((each) => each.name))}`
  if (missing.length > 0) return { outcome: { result: 'call', detail: `${say(missing)}${also}`, calls: [] }, changes: missing }
  if (won.length === 0) return { outcome: { result: 'lost', detail: also.slice(2) }, changes: [] }
  return { outcome: { result: 'nothing to do', detail: `the labels are so already${also}` }, changes: [] }
}

export default action({
  name: 'label',
  doc: 'Add and remove labels. Other labels are left alone; a label that a person took off again stays off while the rule stays true.',
  example: 'label: { add: documentation, remove: "needs triage" }',
  args,
  needs: ['labels'],
  oneWay: true,
  calls: () => ({ result: 'nothing to do', detail: 'labels are joined' }),
  join(wishes, { facts, mr }) {
    const first = claims(wishes)
    const judged = wishes.map((wish) => outcomeOf(wish, first, facts.labels))
    const all = judged.flatMap((each) => each.changes)
    const joined = (kind: Change['kind']) => [...new Set(names(all, kind))].join(',')
    const [add, remove] = [joined('add'), joined('remove')]
    const outcomes = judged.map((each) => each.outcome)
    if (all.length === 0) return { outcomes, calls: [] }
    const call = callData(api.mergeRequests.update, {
      ...mr,
      ...(add === '' ? {} : { add_labels: add }),
      ...(remove === '' ? {} : { remove_labels: remove }),
    })
    return { outcomes, calls: [{ call, wishes: judged.flatMap((each, index) => (each.changes.length > 0 ? [index] : [])) }] }
  },
})
