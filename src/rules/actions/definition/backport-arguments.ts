// The arguments of backport: target branches by name, or by labels that members of a group set.
import { type GroupMembers, groupPath, lowestAccess } from '../../language/operators/members-of.ts'
import { described, fields, listOf, refuse, type Shape, shape } from '../../language/values/shapes.ts'

/** Each target costs some calls in every evaluation after the merge. */
export const MOST_TARGETS = 5

export type BackportArgs = { to: string[]; labels: string[]; from_labels: FromLabels | null }

/** A label that fits `label` names a branch: what its `*` stands for takes the place of the `*` of `branch`. */
export type FromLabels = { label: string; branch: string; set_by: { members_of: string; access?: string } }

export function groupOf({ set_by: { members_of: group, access } }: FromLabels): GroupMembers {
  return { group, access }
}

/** The name of a branch. It becomes part of commands that people copy. */
const BRANCH = /^[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}$/
export const isBranchName = (value: unknown): value is string => typeof value === 'string' && BRANCH.test(value)

const target = shape('the name of a branch', (value) => (isBranchName(value) ? value : undefined), {
  type: 'string',
  pattern: BRANCH.source,
})
const label = shape(
  'a label without commas',
  (value) => (typeof value === 'string' && /^[^\s,{](?:[^,{]{0,253}[^\s,{])?$/.test(value) ? value : undefined),
  { type: 'string', maxLength: 255, pattern: '^[^\\s,{](?:[^,{]*[^\\s,{])?$' },
)

/** A text with one `*`, and no other sign that a glob may have. */
function withStar(expected: string, pattern: RegExp): Shape<string> {
  const accept = (value: unknown) => (typeof value === 'string' && pattern.test(value) ? value : undefined)
  return shape(expected, accept, { type: 'string', pattern: pattern.source })
}

const setBy = fields(
  {
    members_of: described('A label counts that an active member of this group set, direct or inherited.', groupPath),
    access: lowestAccess,
  },
  ['members_of'],
)
const fromLabels = fields(
  {
    label: described(
      'The labels that name a branch, with one `*`.',
      withStar('a label with one *', /^(?=.{1,255}$)(?!\s)[^*,{}?[\]\\]*\*[^*,{}?[\]\\]*$/),
    ),
    branch: described(
      'The branch: its `*` is what that of the label stands for.',
      withStar(
        'the name of a branch with one *',
        /^(?=.{1,200}$)(?:[A-Za-z0-9][A-Za-z0-9._/+-]*)?\*[A-Za-z0-9._/+-]*$/,
      ),
    ),
    set_by: described('Who may set these labels. What counts is the user who added the label last.', setBy),
  },
  ['label', 'branch', 'set_by'],
)

const declared = fields({
  to: described('The target branches.', listOf(target, MOST_TARGETS)),
  from_labels: described('Labels that name further target branches, set by members of a group.', fromLabels),
  labels: described('Labels of the new merge request.', listOf(label, 20)),
})

export const backportArgs: Shape<BackportArgs> = {
  expected: declared.expected,
  schema: (context) => ({ ...declared.schema(context), anyOf: [{ required: ['to'] }, { required: ['from_labels'] }] }),
  read(value, path, issues, context) {
    const before = issues.length
    const read = declared.read(value, path, issues, context)
    if (read === undefined || issues.length > before) return undefined
    const { to = [], labels = [], from_labels: named = null } = read
    if (to.length === 0 && named === null)
      return refuse(issues, { path, expected: 'the key "to" or "from_labels"', found: 'a mapping without them' })
    return { to, labels, from_labels: named as FromLabels | null }
  },
}
