// The arguments of backport, and the branches that labels name. Fails closed: a label counts only if a member set it.
import { readingOf } from '../../facts/definition/fact.ts'
import { membersAmong } from '../../facts/definition/group-members.ts'
import { lastSetter } from '../../facts/definition/service-values.ts'
import type { Source } from '../../facts/definition/source.ts'
import { answerName, sources } from '../../facts/definition/sources.ts'
import type { FillValue } from '../../language/groups.ts'
import { type GroupMembers, groupMembers, sayMembers } from '../../language/operators/operator-shapes.ts'
import { namesIn, readPlaces } from '../../language/templates.ts'
import { described, fields, listOf, matching, refuse, type Shape } from '../../language/values/shapes.ts'
import { cut, show } from '../../language/values/wording.ts'
import type { ActionInput } from './action.ts'

/** `problems`: one text for each label that fits but does not count. */
type BackportTargets = { targets: string[]; problems: string[] }

type TargetInput = Pick<ActionInput, 'answer' | 'anyGroup' | 'bot' | 'fact' | 'now'>

/** What the `*` of a label may stand for: no slash, so that no label leaves the folder that the rule names. */
const PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/

/** What the `*` stands for; undefined if the label does not fit. */
function starOf(label: string, pattern: string): string | undefined {
  const [before = '', after = ''] = pattern.split('*')
  const fits = label.length > before.length + after.length && label.startsWith(before) && label.endsWith(after)
  return fits ? label.slice(before.length, label.length - after.length) : undefined
}

/** The branch; undefined if git allows no branch of this name, or the label is no plain name. */
function branchNamed(part: string, pattern: string): string | undefined {
  // In a replacement text, `$` signs would have a meaning.
  const branch = pattern.replace('*', () => part)
  return PART.test(part) && isSafeBranch(branch) ? branch : undefined
}

const isSafeBranch = (branch: string) =>
  BRANCH.test(branch) && !/\.\.|\/[./]|\.(?:\/|$)|\.lock(?:\/|$)|\/$/.test(branch)

/** The target branches, those of `to` first. */
export function backportTargets({ to, from_labels: named }: BackportArgs, given: TargetInput): BackportTargets {
  if (named === null) return { targets: to, problems: [] }
  const labels = given.fact('labels')
  const fitting = (Array.isArray(labels) ? labels : []).flatMap((label) => {
    const part = typeof label === 'string' ? starOf(label, named.label) : undefined
    return part === undefined || typeof label !== 'string' ? [] : [{ label, branch: branchNamed(part, named.branch) }]
  })
  if (fitting.length === 0) return { targets: to, problems: [] }
  const events = given.answer(sources.labelEvents.name)
  if (events?.ok !== true || !events.complete) return { targets: to, problems: ['who set the labels cannot be read'] }
  const found = fitting.map(({ label, branch }) => ({
    branch,
    refused: refusal(label, branch, events.body, named, given),
  }))
  const problems = found.flatMap(({ refused }) => refused ?? [])
  const branches = found.flatMap(({ branch, refused }) =>
    branch === undefined || refused !== undefined ? [] : [branch],
  )
  const targets = [...new Set([...to, ...branches])]
  if (targets.length <= MOST_TARGETS) return { targets, problems }
  return { targets: to, problems: [...problems, `the labels name more than ${MOST_TARGETS} branches`] }
}

/** Why the label does not count; undefined if it does. */
function refusal(
  label: string,
  branch: string | undefined,
  events: unknown,
  named: FromLabels,
  { answer, anyGroup, bot, now }: TargetInput,
): string | undefined {
  const shown = `the label ${show(cut(label, 60))}`
  if (branch === undefined) return `${shown} names no branch`
  const setter = lastSetter(events, label)
  if (setter === undefined) return `${shown} does not count: the service does not say who set it`
  const group = groupOf(named)
  const source = <B>(read: Source<B>, instance?: string) => {
    return readingOf<B>(answer(answerName(read, undefined, instance) ?? read.name))
  }
  const given = { except: bot.username, anyGroup: anyGroup !== undefined, now, source }
  const among = membersAmong({ is: 'known', value: [setter.name], complete: true }, group, given)
  if (among.is !== 'known') return `${shown} does not count: ${among.is === 'absent' ? among.reason : 'not read'}`
  if (Array.isArray(among.value) && among.value.length > 0) return undefined
  if (!among.complete) return `${shown} does not count: ${among.missing ?? 'the members are not all known'}`
  return `${shown} does not count: ${setter.name} set it, and is not ${sayMembers(group)}`
}

/** Each target costs some calls in every evaluation after the merge. */
const MOST_TARGETS = 5

export type BackportArgs = { to: string[]; labels: string[]; from_labels: FromLabels | null }

type FromLabels = NonNullable<ReturnType<typeof fromLabels.read>>

export function groupOf({ set_by: { members_of: group, access, inherited } }: FromLabels): GroupMembers {
  return { group, access, inherited }
}

/** The name of a branch. It becomes part of commands that people copy. */
const BRANCH = /^[A-Za-z0-9][A-Za-z0-9._/+-]{0,199}$/

const branchName = matching('the name of a branch', BRANCH)
/** A branch, or a text with arguments of the rule's command: the author of a title must not choose it. */
const target: Shape<string> = {
  expected: branchName.expected,
  schema: (context) => ({ anyOf: [branchName.schema(context), { type: 'string', maxLength: 100, pattern: '\\{\\{' }] }),
  read(value, path, issues, context) {
    if (typeof value !== 'string' || !value.includes('{{')) return branchName.read(value, path, issues, context)
    if (!readPlaces(value, path, issues, context, 'groups')) return undefined
    const groups = context?.groups === 'unread' ? undefined : context?.groups
    const other = namesIn(value).find((name) => {
      const group = groups?.get(name)
      return group !== undefined && 'fact' in group && group.fact !== 'command_line'
    })
    if (other === undefined) return value
    return refuse(issues, { path, expected: 'arguments of the command of the rule (takes:)', found: `{{ ${other} }}` })
  },
}

/** The arguments with those of the command filled in. */
export const fillTargets = (args: BackportArgs, fill: FillValue): BackportArgs => ({
  ...args,
  to: args.to.flatMap((each) => fill(each, readBranch, branchName.expected) ?? []),
})

const readBranch = (text: string) => (isSafeBranch(text) ? text : undefined)

const label = matching('a label without commas', /^[^\s,{](?:[^,{]{0,253}[^\s,{])?$/)

const setBy = groupMembers('A label counts that an active direct member of this group set.')
/** A label that fits `label` names a branch: what its `*` stands for takes the place of the `*` of `branch`. */
const fromLabels = fields(
  {
    label: described(
      'The labels that name a branch, with one `*`.',
      matching('a label with one *', /^(?=.{1,255}$)(?!\s)[^*,{}?[\]\\]*\*[^*,{}?[\]\\]*$/),
    ),
    branch: described(
      'The branch: its `*` is what that of the label stands for.',
      matching(
        'the name of a branch with one *',
        /^(?=.{1,200}$)(?:[A-Za-z0-9][A-Za-z0-9._/+-]*)?\*[A-Za-z0-9._/+-]*$/,
      ),
    ),
    set_by: described('Who may set these labels. What counts is the user who added the label last.', setBy),
  },
  ['label', 'branch', 'set_by'],
)

const declared = fields({
  to: described(
    'The target branches; of a command, also its arguments: `"{{ branch }}"`.',
    listOf(target, MOST_TARGETS),
  ),
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
    return { to, labels, from_labels: named }
  },
}
