// members_of: how many of the people in a fact are members of a group of the service.
import type { Json, Verdict } from '../values/rule-types.ts'
import { choice, described, isMap, nearTo, refuse, type Shape, whole } from '../values/shapes.ts'
import { type FactType, level, type TypeName } from './fact-types.ts'

/** The members of a group that count. */
export interface GroupMembers {
  group: string
  /** The lowest level; absent if any counts. */
  access?: string
}

const GROUP_PATH = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_.][A-Za-z0-9_.-]*){0,20}$/
const LONGEST_PATH = 255

const isPath = (text: string) => text.length <= LONGEST_PATH && GROUP_PATH.test(text)

export const groupPath: Shape<string> = {
  expected: 'the full path of a group, such as team/security',
  schema: () => ({ type: 'string', maxLength: LONGEST_PATH, pattern: GROUP_PATH.source }),
  read(value, path, issues) {
    if (typeof value === 'string' && isPath(value)) return value
    const bare = typeof value === 'string' ? value.replace(/^@/, '').replace(/^\/+|\/+$/g, '') : ''
    return refuse(issues, { path, expected: this.expected, ...nearTo(isPath(bare) ? bare : undefined) })
  },
}

const MOST = 100

export const lowestAccess: Shape<string> = described(
  'Only members with this level or a higher one.',
  choice(level.values ?? []),
)

function groupIn(expected: Json): GroupMembers | undefined {
  if (!isMap(expected) || typeof expected.members_of !== 'string') return undefined
  return { group: expected.members_of, access: typeof expected.access === 'string' ? expected.access : undefined }
}

const leastOf = (expected: Json) => (isMap(expected) && typeof expected.at_least === 'number' ? expected.at_least : 1)

/** `2 members of team/security` */
function say(expected: Json): string {
  const { group = '', access } = groupIn(expected) ?? {}
  const who = access === undefined ? group : `${group} with ${access} or above`
  const least = leastOf(expected)
  return least === 1 ? `a member of ${who}` : `${least} members of ${who}`
}

export const membersOf = {
  doc: 'Only for user names: at least one of these people, or `at_least` as many, is an active member of this group of the service, direct or inherited.',
  for: ['list', 'text'] as readonly TypeName[],
  ofUsers: true as const,
  from: ['groupMembers'],
  expected: () => groupPath,
  with: ({ name }: FactType): Record<string, Shape> => ({
    access: lowestAccess,
    ...(name === 'list'
      ? { at_least: described('How many of them at least; 1 if it is not said.', whole(1, MOST)) }
      : {}),
  }),
  among: groupIn,
  say,
  /** The value has only the people that are members. */
  test:
    (expected: Json) =>
    ({ value, complete }: { value: Json; complete: boolean }): Verdict => {
      const found = Array.isArray(value) ? value.length : 0
      if (found >= leastOf(expected)) return 'true'
      return complete ? 'false' : 'unknown'
    },
}
