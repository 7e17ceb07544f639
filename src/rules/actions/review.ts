// review: request reviews, in addition to the present reviewers (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { userNamed } from '../facts/definition/users.ts'
import { isMap, listOf, shape } from '../language/values/shapes.ts'
import { show } from '../language/values/wording.ts'
import { USER_NAME } from './assign.ts'
import { action, blockedBy, nothingToDo, oneCall } from './definition/action.ts'

const person = shape<string>(
  'a user name',
  (value) => (typeof value === 'string' && USER_NAME.test(value) ? value : undefined),
  {
    type: 'string',
    pattern: USER_NAME.source,
  },
)
const people = listOf(person, 20)

/** The ids of the present reviewers: the call replaces all. */
function idsOf(mergeRequest: unknown): number[] | undefined {
  const listed = isMap(mergeRequest) ? mergeRequest.reviewers : undefined
  if (!Array.isArray(listed)) return undefined
  const ids = listed.flatMap((each: unknown) => (isMap(each) && typeof each.id === 'number' ? [each.id] : []))
  return ids.length === listed.length ? ids : undefined
}

export default action({
  name: 'review',
  doc: 'Request reviews; the present reviewers stay. Blocked on services without reviewers.',
  example: 'review: carol',
  args: people,
  needs: ['reviewers'],
  oneWay: true,
  effects: (names) => [{ fact: 'reviewers', add: names }],
  perRule: 'each',
  reads: (args) => args.map((name) => `user@${name}`),
  calls({ args, facts, mr, body }) {
    const missing = args.filter((name) => !facts.reviewers.some((each) => each.toLowerCase() === name.toLowerCase()))
    if (missing.length === 0) return nothingToDo('they are reviewers already')
    const present = idsOf(body('mergeRequest'))
    const found = missing.map((name) => ({ name, id: userNamed(body(`user@${name}`), name) }))
    const unknown = found.filter(({ id }) => id === undefined).map(({ name }) => name)
    if (unknown.length > 0) return blockedBy(`there is no user ${unknown.join(', ')}`)
    if (present === undefined) return blockedBy('the reviewers cannot be read')
    const ids = found.flatMap(({ id }) => (id === undefined ? [] : [id]))
    const call = callData('mergeRequests.update', { ...mr, reviewer_ids: [...present, ...ids] })
    return oneCall(`request a review by ${show(missing)}`, call)
  },
})
