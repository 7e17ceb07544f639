// User names as arguments, the ids of users that a merge request names, and those that the service dropped.
import type { Json } from '../../language/values/rule-types.ts'
import { isMap, listOf, nearTo, onlyTrue, refuse, type Shape } from '../../language/values/shapes.ts'
import { show } from '../../language/values/wording.ts'
import type { Call } from '../../types.ts'

const USER_NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,254}$/
const isName = (value: unknown): value is string => typeof value === 'string' && USER_NAME.test(value)
export const person: Shape<string> = {
  expected: 'a user name',
  schema: () => ({ type: 'string', pattern: USER_NAME.source }),
  read(value, path, issues) {
    if (isName(value)) return value
    const named = typeof value === 'string' && value.startsWith('@') ? value.slice(1) : undefined
    return refuse(issues, { path, expected: this.expected, ...nearTo(isName(named) ? named : undefined) })
  },
}
export const people = listOf(person, 20)

/** `true`, for what the service lets users do only for themselves. */
export const onlyBotUser: Shape<true> = {
  ...onlyTrue,
  read(value, path, issues, context) {
    if (typeof value === 'boolean' || value === null) return onlyTrue.read(value, path, issues, context)
    const hint = 'the service lets users do this only for themselves: tell others by comment: "@alice"'
    return refuse(issues, { path, expected: `${onlyTrue.expected}, for Bellhop’s own user`, hint })
  },
}

/** The ids of a list of users; undefined if one is missing, so that nobody is taken off by mistake. */
export function userIds(listed: unknown): number[] | undefined {
  if (!Array.isArray(listed)) return undefined
  const ids = listed.flatMap((each: unknown) => (isMap(each) && typeof each.id === 'number' ? [each.id] : []))
  return ids.length === listed.length ? ids : undefined
}

/** The names of users, to explain the response to the call. Combined calls have the names of all. */
export function namesById(users: readonly { id: number; name: string }[]): Record<string, Json> {
  return Object.fromEntries(users.map(({ id, name }) => [`user ${id}`, name]))
}

/** One name as it is, or a list of names. */
export const sayNames = (names: readonly string[]) => (names.length === 1 ? String(names[0]) : show([...names]))

/** The people who are missing in the response to the call: GitLab Free stores one assignee and one reviewer. */
export function peopleLeftOut(
  role: 'assignee' | 'reviewer',
  { params, memo }: Call,
  answer: unknown,
): string | undefined {
  const requested = params[`${role}_ids`]
  const kept = isMap(answer) ? userIds(answer[`${role}s`]) : undefined
  if (!Array.isArray(requested) || kept === undefined) return undefined
  const missing = (requested as unknown[]).filter((id) => id !== 0 && !kept.includes(Number(id)))
  if (missing.length === 0) return undefined
  const names = missing.map((id) => (isMap(memo) ? memo[`user ${String(id)}`] : undefined) ?? `user ${String(id)}`)
  return `the service dropped ${show(names as Json)}: it keeps one ${role}, or they may not see the merge request`
}
