// milestone: put the merge request into a milestone, or into none (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { items } from '../facts/definition/list-items.ts'
import { isMap, shape, textSchema } from '../language/values/shapes.ts'
import { action, blockedBy, nothingToDo, oneCall } from './definition/action.ts'

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

export default action({
  name: 'milestone',
  doc: 'Put it into the project’s milestone of this title; `null` is none.',
  example: 'milestone: "17.0"',
  args: titleOrNull,
  needs: ['milestone'],
  oneWay: true,
  effects: (name) => [{ fact: 'milestone', value: name }],
  reads: (args) => (args === null ? [] : [`milestone@${args}`]),
  calls({ args, facts, mr, body }) {
    if (facts.milestone === args)
      return nothingToDo(args === null ? 'it is in no milestone' : `it is in ${args} already`)
    const milestones = args === null ? [] : body(`milestone@${args}`)
    if (milestones === undefined) return blockedBy('the milestones cannot be read')
    const id = args === null ? 0 : idOf(milestones, args)
    if (id === undefined) return blockedBy(`there is no milestone ${args}`)
    const call = callData('mergeRequests.update', { ...mr, milestone_id: id })
    return oneCall(args === null ? 'put it into no milestone' : `put it into ${args}`, call)
  },
})
