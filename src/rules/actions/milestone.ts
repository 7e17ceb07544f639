// milestone: put the merge request or issue into a milestone, or into none.
import { items } from '../facts/definition/service-values.ts'
import { isMap, shape, textSchema } from '../language/values/shapes.ts'
import { action, blockedBy, nothingToDo, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'

const titleOrNull = shape<string | null>(
  'the title of a milestone, or null for none',
  (value) =>
    value === null || (typeof value === 'string' && value.trim() !== '' && value.length <= 255) ? value : undefined,
  { ...textSchema(255), type: ['string', 'null'] },
)

function idOf(milestones: unknown, title: string): number | undefined {
  const found = items(milestones as unknown[])?.find((each) => isMap(each) && each.title === title)
  return isMap(found) && typeof found.id === 'number' ? found.id : undefined
}

export default action({
  name: 'milestone',
  doc: 'Put it into the milestone of this title, of the project or of a group above it; `null` is none.',
  example: 'milestone: "17.0"',
  args: titleOrNull,
  needs: ['milestone'],
  on: 'issues',
  when: 'one_way',
  effects: (name) => [{ fact: 'milestone', value: name }],
  reads: { answers: (args) => (args === null ? [] : [`milestone@${args}`]) },
  calls({ args, facts, target, body }) {
    if (facts.milestone === args)
      return nothingToDo(args === null ? 'it is in no milestone' : `it is in ${args} already`)
    if (args === null) return oneCall('put it into no milestone', callOn(target, 'update', { milestone_id: 0 }))
    const listed = body(`milestone@${args}`)
    if (listed === undefined) return blockedBy('the milestones cannot be read')
    const milestone_id = idOf(listed, args)
    if (milestone_id === undefined) return blockedBy(`there is no milestone ${args}`)
    return oneCall(`put it into ${args}`, callOn(target, 'update', { milestone_id }))
  },
})
