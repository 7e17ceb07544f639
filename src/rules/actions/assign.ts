// assign: make people the assignees, add some, or assign nobody.
import { userNamed } from '../facts/definition/service-values.ts'
import { described, fields, isMap, refuse, type Shape } from '../language/values/shapes.ts'
import { type ActionOutcome, action, blockedBy, nothingToDo, oneCall } from './definition/action.ts'
import { callOn } from './definition/action-calls.ts'
import { namesById, people, peopleLeftOut, sayNames, userIds } from './definition/people.ts'

const mapping = fields({
  add: described('Who is assigned in addition to the present assignees.', people),
  replace: described('Who is assigned, and nobody else.', people),
})

/** `isAddition`: the present assignees stay. */
type Args = { names: string[]; isAddition: boolean }

const args: Shape<Args> = {
  expected: `${people.expected}, add, replace, or null for nobody`,
  schema: (context) => ({
    anyOf: [
      { type: 'null' },
      people.schema(context),
      { ...mapping.schema(context), minProperties: 1, maxProperties: 1 },
    ],
  }),
  read(value, path, issues, context) {
    if (value === null) return { names: [], isAddition: false }
    if (isMap(value)) {
      const read = mapping.read(value, path, issues, context)
      if (read === undefined) return undefined
      const { add, replace } = read
      const names = add ?? replace
      if (names === undefined || (add !== undefined && replace !== undefined))
        return refuse(issues, { path, expected: 'either add or replace' })
      return { names, isAddition: add !== undefined }
    }
    if (typeof value !== 'string' && !Array.isArray(value)) return refuse(issues, { path, expected: this.expected })
    const names = people.read(value, path, issues, context)
    return names === undefined ? undefined : { names, isAddition: false }
  },
}

const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase())

/** Who is assigned after the call, with user names as the rule writes them. */
function assigneesAfter({ names, isAddition }: Args, present: readonly string[]): string[] {
  // User names are the same in any case.
  return isAddition ? [...present, ...names.filter((name) => !lower(present).includes(name.toLowerCase()))] : names
}

export default action({
  name: 'assign',
  doc: 'Make people the assignees; `null` is nobody, and `add` keeps the present ones. If a person changes it, that stays while the rule matches. GitLab Free keeps one; the others are shown as dropped.',
  synonyms: ['assignee', 'assignees'],
  example: 'assign: carol',
  args,
  needs: ['assignees'],
  on: 'issues',
  when: 'one_way',
  effects({ names, isAddition }, given) {
    const after = assigneesAfter({ names, isAddition }, given?.facts.assignees ?? [])
    return [
      ...(isAddition && (given === undefined || given.facts.assignees.length > 0)
        ? []
        : [{ fact: 'assignee' as const, value: after[0] ?? null }]),
      { fact: 'assigned', value: after.length > 0 },
      isAddition ? { fact: 'assignees', add: names } : { fact: 'assignees', value: names },
    ]
  },
  reads: { answers: ({ names }) => names.map((name) => `user@${name}`) },
  calls({ args: { names, isAddition }, facts, target, body }): ActionOutcome {
    const before = lower(facts.assignees)
    const after = lower(assigneesAfter({ names, isAddition }, facts.assignees))
    if (before.length === after.length && after.every((name) => before.includes(name)))
      return nothingToDo(names.length === 0 ? 'nobody is assigned' : `${sayNames(names)} is assigned already`)
    if (names.some((name) => body(`user@${name}`) === undefined)) return blockedBy('the users cannot be read')
    const found = names.map((name) => ({ name, id: userNamed(body(`user@${name}`), name) }))
    const unknown = found.filter(({ id }) => id === undefined).map(({ name }) => name)
    if (unknown.length > 0) return blockedBy(`there is no user ${unknown.join(', ')}`)
    const assigned = found.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }]))
    const mergeRequest = body('mergeRequest')
    const shown = isMap(mergeRequest) ? mergeRequest : {}
    const single = shown.assignee === null ? [] : [shown.assignee]
    const present = isAddition ? userIds(shown.assignees ?? single) : []
    if (present === undefined) return blockedBy('the assignees cannot be read')
    const ids = [...new Set([...present, ...assigned.map(({ id }) => id)])]
    // A service that shows no `assignees` allows one.
    const isOld = shown.assignees === undefined
    if (isOld && ids.length > 1) return blockedBy('this service keeps one assignee')
    const [assignee_id = 0] = ids
    const params = isOld ? { assignee_id } : { assignee_ids: ids.length === 0 ? [0] : ids }
    const call = callOn(target, 'update', params)
    const detail = names.length === 0 ? 'assign nobody' : `assign ${sayNames(names)}`
    return oneCall(detail, call, { memo: namesById(assigned) })
  },
  answered: (call, answer) => ({ dropped: peopleLeftOut('assignee', call, answer) }),
})
