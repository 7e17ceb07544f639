// The arguments of review that let Bellhop pick: how many, from whom, and in which order.
import { age } from '../../language/operators/fact-types.ts'
import { type GroupMembers, groupIn, groupMembers, scalar } from '../../language/operators/operator-shapes.ts'
import type { Json } from '../../language/values/rule-types.ts'
import {
  choice,
  described,
  fields,
  isMap,
  refuse,
  refuseKeyOf,
  type Shape,
  whole,
} from '../../language/values/shapes.ts'
import { people } from '../definition/people.ts'

/** The word for the owners of the changed files, by CODEOWNERS. */
export const CODE_OWNERS = 'code_owners'
const MOST_PICKED = 10

/** People by name, the members of a group, or the owners of the changed files. */
type PickFrom = string[] | { members_of: string; access?: string; inherited?: boolean } | typeof CODE_OWNERS

export type PickArgs = {
  pick: number
  from: PickFrom
  by: 'turn' | 'fewest_open'
  /** Seconds; 0 means never. */
  replace_after: number
}

export const isPick = (args: Json): args is PickArgs => isMap(args) && typeof args.pick === 'number'

/** The group that people are picked from. */
export const groupOfPick = ({ from }: PickArgs): GroupMembers | undefined => groupIn(from)

const group = groupMembers('The active direct members of this group.')
const FROM = `user names, { members_of: group }, or ${CODE_OWNERS}`
const from: Shape<PickFrom> = {
  expected: FROM,
  schema: (context) => ({ anyOf: [{ const: CODE_OWNERS }, people.schema(context), group.schema(context)] }),
  read(value, path, issues, context) {
    if (value === CODE_OWNERS) return CODE_OWNERS
    if (isMap(value)) return group.read(value, path, issues, context) as PickFrom | undefined
    if (typeof value !== 'string' && !Array.isArray(value)) return refuse(issues, { path, expected: FROM })
    return people.read(value, path, issues, context)
  },
}
const declared = fields(
  {
    pick: described('How many of them review; 1 if it is not said. GitLab Free keeps one.', whole(1, MOST_PICKED)),
    from: described(
      'Whom Bellhop picks from: user names, the members of a group, or the owners of the changed files by CODEOWNERS.',
      from,
    ),
    by: described(
      '`turn` (the default): by name, beginning with another one for each merge request. `fewest_open`: who reviews the fewest open merge requests.',
      choice(['turn', 'fewest_open']),
    ),
    replace_after: described(
      'Another one takes the place of a reviewer that Bellhop picked and who has neither approved, reviewed nor commented for so long.',
      scalar(age),
    ),
  },
  ['from'],
)

export const pickArgs: Shape<PickArgs> = {
  expected: declared.expected,
  schema: (context) => declared.schema(context),
  read(value, path, issues, context) {
    const read = declared.read(value, path, issues, context)
    if (read === undefined) return undefined
    const { pick = 1, by = 'turn', replace_after: after } = read
    if (Array.isArray(read.from) && read.from.length < pick)
      return refuse(issues, {
        path: [...path, 'pick'],
        expected: `at most ${read.from.length}, as many as from names`,
        found: String(pick),
      })
    if (after !== undefined && context?.onEvents === true)
      return refuseKeyOf('state', issues, [...path, 'replace_after'])
    return { pick, from: read.from, by, replace_after: typeof after === 'number' ? after : 0 }
  },
}
