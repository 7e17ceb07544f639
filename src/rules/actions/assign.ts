// assign: make someone the assignee, or nobody (DESIGN §4).
import { callData } from '../../api/call-data.ts'
import { userNamed } from '../facts/definition/users.ts'
import { shape } from '../language/values/shapes.ts'
import { action, blockedBy, nothingToDo, oneCall } from './definition/action.ts'

export const USER_NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,254}$/
const person = shape<string | null>(
  'a user name, or null for nobody',
  (value) => (value === null || (typeof value === 'string' && USER_NAME.test(value)) ? value : undefined),
  { type: ['string', 'null'], pattern: USER_NAME.source },
)

export default action({
  name: 'assign',
  doc: 'Make someone the assignee; `null` is nobody. If a person changes it, that stays while the rule matches.',
  example: 'assign: carol',
  args: person,
  needs: ['assignee'],
  oneWay: true,
  effects: (name) => [
    { fact: 'assignee', value: name },
    { fact: 'assigned', value: name !== null },
    { fact: 'assignees', value: name === null ? [] : [name] },
  ],
  reads: (args) => (args === null ? [] : [`user@${args}`]),
  calls({ args, facts, mr, body }) {
    // User names are the same in any case.
    if (facts.assignee?.toLowerCase() === args?.toLowerCase())
      return nothingToDo(args === null ? 'nobody is assigned' : `${args} is assigned already`)
    const users = args === null ? [] : body(`user@${args}`)
    if (users === undefined) return blockedBy('the users cannot be read')
    const id = args === null ? 0 : userNamed(users, args)
    if (id === undefined) return blockedBy(`there is no user ${args}`)
    const call = callData('mergeRequests.update', { ...mr, assignee_id: id })
    return oneCall(args === null ? 'assign nobody' : `assign ${args}`, call)
  },
})
