// milestone: put the merge request into a milestone, or into none (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { items } from '../facts/definition/list-items.ts'
import { shape, textSchema } from '../language/values/shapes.ts'
import { action } from './definition/action.ts'

const title = shape<string | null>(
  'the title of a milestone, or null for none',
  (value) =>
    value === null || (typeof value === 'string' && value.trim() !== '' && value.length <= 255) ? value : undefined,
  { ...textSchema(255), type: ['string', 'null'] },
)

function milestoneTitled(body: unknown, expected: string): number | undefined {
  const found = items(Array.isArray(body) ? body : undefined)?.find(
    (each) => typeof each === 'object' && each !== null && 'title' in each && each.title === expected,
  )
  return typeof found === 'object' && found !== null && 'id' in found && typeof found.id === 'number'
    ? found.id
    : undefined
}

export default action({
  name: 'milestone',
  doc: 'Put it into the project’s milestone of this title; `null` is none.',
  example: 'milestone: "17.0"',
  args: title,
  needs: ['milestone'],
  oneWay: true,
  effects: (name) => [{ fact: 'milestone', value: name }],
  reads: (args) => (args === null ? [] : [`milestone@${args}`]),
  calls({ args, facts, mr, body }) {
    if (facts.milestone === args)
      return { result: 'nothing_to_do', detail: args === null ? 'it is in no milestone' : `it is in ${args} already` }
    const milestones = args === null ? [] : body(`milestone@${args}`)
    if (milestones === undefined) return { result: 'blocked', detail: 'the milestones cannot be read' }
    const id = args === null ? 0 : milestoneTitled(milestones, args)
    if (id === undefined) return { result: 'blocked', detail: `there is no milestone ${args}` }
    const call = callData('mergeRequests.update', { ...mr, milestone_id: id })
    return {
      result: 'call',
      detail: args === null ? 'put it into no milestone' : `put it into ${args}`,
      calls: [{ call }],
    }
  },
})
