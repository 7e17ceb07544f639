// update: change title, description, target branch or the lock of the discussion (DESIGN §4). Only for events: once for each.
import { callData } from '../../api/endpoint.ts'
import { api } from '../../api/index.ts'
import { action } from '../action.ts'
import { bool, fields, type Shape, text } from '../shapes.ts'
import { template } from '../templates.ts'
import { show } from '../wording.ts'

const changes = fields({
  title: template(255),
  description: template(20_000),
  target_branch: text(255, 'the name of a branch'),
  lock_discussion: bool,
})
type Args = NonNullable<ReturnType<typeof changes.read>>

const args: Shape<Args> = {
  expected: changes.expected,
  read(value, path, issues, context) {
    const read = changes.read(value, path, issues, context)
    if (read === undefined || Object.keys(read).length > 0) return read
    issues.push({ path, at: 'value', expected: changes.expected, found: 'an empty mapping' })
    return undefined
  },
}

export default action({
  name: 'update',
  doc: 'Change the title, the description, the target branch, or whether the discussion is locked; once for each event.',
  example: 'update: { title: "Draft: {{ title }}" }',
  args,
  needs: ['title', 'description', 'target_branch', 'discussion_locked'],
  onlyOnEvents: true,
  texts: ({ title, description }) => [title ?? '', description ?? ''],
  calls({ args: wanted, facts, mr, fill }) {
    const next = {
      ...(wanted.title === undefined ? {} : { title: fill(wanted.title).slice(0, 255) }),
      ...(wanted.description === undefined ? {} : { description: fill(wanted.description) }),
      ...(wanted.target_branch === undefined ? {} : { target_branch: wanted.target_branch }),
      ...(wanted.lock_discussion === undefined ? {} : { discussion_locked: wanted.lock_discussion }),
    }
    const differing = Object.entries(next).filter(([key, value]) => facts[key as keyof typeof next] !== value)
    if (differing.length === 0) return { result: 'nothing to do', detail: 'it is so already' }
    const call = callData(api.mergeRequests.update, { ...mr, ...Object.fromEntries(differing) })
    return { result: 'call', detail: `set ${differing.map(([key, value]) => `${key} to ${show(value)}`).join(', ')}`, calls: [{ call }] }
  },
})
