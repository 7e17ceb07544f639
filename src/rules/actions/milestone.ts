// milestone: put the merge request or issue into a milestone, or into none (DESIGN §4).
import { items } from '../facts/definition/list-items.ts'
import { isMap, shape, textSchema } from '../language/values/shapes.ts'
import { action, blockedBy, nothingToDo, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-subject.ts'

const titleOrNull = shape<string | null>(
  'the title of a milestone, or null for none',
  (value) =>
    value === null || (typeof value === 'string' && value.trim() !== '' && value.length <= 255) ? value : undefined,
  { ...textSchema(255), type: ['string', 'null'] },
)

function idOf(milestones: unknown, title: string): number | undefined {
  const found = items(Array.isArray(milestones) ? milestones : undefined)?.find(
    (each) => isMap(each) && each.title === title,
  )
  return isMap(found) && typeof found.id === 'number' ? found.id : undefined
}

/** A project in the namespace of a user has no group. */
function isOfUser(project: unknown): boolean {
  return isMap(project) && isMap(project.namespace) && project.namespace.kind === 'user'
}

/** The id of the milestone of that title in the answers, or why there is none. */
function findMilestone(title: string, body: (name: string) => unknown): number | { missing: string } {
  const own = body(`milestone@${title}`)
  if (own === undefined) return { missing: 'the milestones cannot be read' }
  const found = idOf(own, title)
  if (found !== undefined) return found
  const ofGroup = body(`groupMilestone@${title}`)
  if (ofGroup === undefined && !isOfUser(body('project')))
    return { missing: 'the milestones of the project’s group cannot be read' }
  return idOf(ofGroup, title) ?? { missing: `there is no milestone ${title}` }
}

export default action({
  name: 'milestone',
  doc: 'Put it into the milestone of this title, of the project or of a group above it; `null` is none.',
  example: 'milestone: "17.0"',
  args: titleOrNull,
  needs: ['milestone'],
  ofIssues: true,
  oneWay: true,
  effects: (name) => [{ fact: 'milestone', value: name }],
  reads(args, body) {
    if (args === null) return []
    const own = body?.(`milestone@${args}`)
    // An older service lists the milestones of groups only for the group itself.
    const isElsewhere = own !== undefined && idOf(own, args) === undefined
    return [`milestone@${args}`, ...(isElsewhere ? ['project', `groupMilestone@${args}`] : [])]
  },
  calls({ args, facts, target, body }) {
    if (facts.milestone === args)
      return nothingToDo(args === null ? 'it is in no milestone' : `it is in ${args} already`)
    const id = args === null ? 0 : findMilestone(args, body)
    if (typeof id === 'object') return blockedBy(id.missing)
    const call = callOn(target, 'update', { milestone_id: id })
    return oneCall(args === null ? 'put it into no milestone' : `put it into ${args}`, call)
  },
})
