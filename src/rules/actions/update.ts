// update: change title, description, target branch or the lock of the discussion. Only for events: once for each.
import { callData } from '../../api/call-data.ts'
import { fillWhole, type TextFacts, template, withoutQuickActions } from '../language/templates.ts'
import { bool, described, fields, isMap, refuse, type Shape, text } from '../language/values/shapes.ts'
import { cut, show } from '../language/values/wording.ts'
import { action, blockedBy, type FactEffect, nothingToDo, oneCall } from './definition/action.ts'
import { plainText } from './definition/action-calls.ts'

const changes = fields({
  title: described('The new title; `{{ fact }}` stands for a fact.', template(255)),
  description: described('The new description; `{{ fact }}` stands for a fact.', template(20_000)),
  target_branch: described('The branch to merge into.', text(255, 'the name of a branch')),
  lock_discussion: described('Whether only members may write in the discussion.', bool),
})
type Args = NonNullable<ReturnType<typeof changes.read>>

const args: Shape<Args> = {
  expected: changes.expected,
  schema: (context) => ({ ...changes.schema(context), minProperties: 1 }),
  read(value, path, issues, context) {
    const read = changes.read(value, path, issues, context)
    if (read === undefined || Object.keys(read).length > 0) return read
    return refuse(issues, { path, expected: changes.expected, found: 'an empty mapping' })
  },
}

const LONGEST_TITLE = 255
const LONGEST_DESCRIPTION = 1_000_000

/** The title and description to write, or why they cannot replace the present ones. */
function textsOf(
  { title: titleTemplate, description: descriptionTemplate }: Args,
  view: TextFacts,
): { title?: string; description?: string } | { refused: string } {
  const title = titleTemplate === undefined ? undefined : fillWhole(titleTemplate, 'title', view)
  const description =
    descriptionTemplate === undefined ? undefined : fillWhole(descriptionTemplate, 'description', view)
  const unknown = [title, description].flatMap((each) => (each !== undefined && 'unknown' in each ? each.unknown : []))
  if (unknown.length > 0) return { refused: `${unknown.join(', ')} is unknown, so the text would lack it` }
  const line = title !== undefined && 'text' in title ? title.text.replace(/\s+/g, ' ').trim() : undefined
  if (line === '') return { refused: 'the title would be empty' }
  const block = description !== undefined && 'text' in description ? withoutQuickActions(description.text) : undefined
  if (block !== undefined && block.length > LONGEST_DESCRIPTION) return { refused: 'the description would be too long' }
  const isLong = line !== undefined && line.length > LONGEST_TITLE
  return { title: isLong ? cut(line, LONGEST_TITLE - 1) : line, description: block }
}

const factOf = {
  title: 'title',
  description: 'description',
  target_branch: 'target_branch',
  lock_discussion: 'discussion_locked',
} as const

const plain = (value: unknown) => (typeof value === 'string' ? plainText(value) : (value ?? null))

export default action({
  name: 'update',
  doc: 'Change the title, the description, the target branch, or whether the discussion is locked; once for each event. Lines of a description that begin with `/` are not quick actions.',
  example: 'update: { title: "Draft: {{ title }}" }',
  args,
  needs: [],
  reads: {
    facts: (args) => Object.entries(factOf).flatMap(([key, fact]) => (args[key] === undefined ? [] : [fact])),
  },
  when: 'on_events',
  per: 'field',
  template: { texts: ({ title, description }) => [title ?? '', description ?? ''] },
  calls({ args, fact, mr, texts: view }) {
    const texts = textsOf(args, view)
    if ('refused' in texts) return blockedBy(texts.refused)
    const next = { ...texts, target_branch: args.target_branch, discussion_locked: args.lock_discussion }
    const differing = Object.entries(next).flatMap(([key, value]) => {
      const name = key as keyof typeof next
      return value === undefined || fact(name) === value ? [] : [[name, value] as const]
    })
    if (differing.length === 0) return nothingToDo('it is already as requested')
    const call = callData('mergeRequests.update', { ...mr, ...Object.fromEntries(differing) })
    const before = Object.fromEntries(differing.map(([name]) => [name, fact(name) ?? null]))
    const detail = `set ${differing.map(([name, value]) => `${name} to ${show(value)}`).join(', ')}`
    const effects = differing.map(([name, value]): FactEffect => ({ fact: name, value }))
    return oneCall(detail, call, { before, effects })
  },
  reconcile({ before, params }, { fact }) {
    const earlier = isMap(before) ? before : {}
    const changed = Object.values(factOf).filter((name) => Object.hasOwn(earlier, name))
    const isAs = (state: Record<string, unknown>) => changed.every((name) => plain(fact(name)) === plain(state[name]))
    if (isAs(params)) return 'done'
    return isAs(earlier) ? 'not_done' : 'unknown'
  },
})
