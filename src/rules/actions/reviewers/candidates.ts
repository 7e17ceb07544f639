// The arguments of review that let Bellhop pick, whom it may pick: people, group members, or owners of the files; and whom
// it picked before.
import { ownedSections } from '../../code-owners/owned-sections.ts'
import type { CodeOwner } from '../../code-owners/read-code-owners.ts'
import { codeOwnersFile } from '../../facts/definition/code-owners.ts'
import { readingOf } from '../../facts/definition/fact.ts'
import {
  foreignGroup,
  type GroupMember,
  hasLevel,
  isOwnGroup,
  type MemberList,
  memberSource,
  membersIn,
  unreadGroup,
} from '../../facts/definition/group-members.ts'
import { userIn } from '../../facts/definition/service-values.ts'
import { sources } from '../../facts/definition/sources.ts'
import { age, levelNumber } from '../../language/operators/fact-types.ts'
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
import type { Memory, SourceAnswer, SourceName } from '../../types.ts'
import { type ActionInput, actionMemory } from '../definition/action.ts'
import { people } from '../definition/people.ts'

/** Somebody who may be asked; without an id the user is looked up. */
export interface Candidate {
  name: string
  id?: number
}

/** Lists of candidates, one for each section of CODEOWNERS; or why there are none. */
type Candidates = { lists: Candidate[][] } | { blocked: string }

export type PickInput = Omit<ActionInput, 'args' | 'facts' | 'target' | 'requestKey' | 'conditions' | 'texts'>

/** More owners are not looked up. */
const MOST_OWNERS = 30

const notRead: Extract<SourceAnswer, { ok: false }> = { ok: false, reason: 'it is not read yet' }

const instance = ({ name }: { name: string }, of: string): SourceName => `${name}@${of}`

export function candidatesFor(args: PickArgs, given: PickInput): Candidates {
  const { from } = args
  const group = groupOfPick(args)
  if (group !== undefined) return membersOfGroup(group, given)
  return from === CODE_OWNERS ? codeOwners(given) : { lists: [(from as string[]).map((name) => ({ name }))] }
}

/** Whether a group that the rule or CODEOWNERS names may be used. */
function mayUse(group: string, { body, anyGroup }: PickInput, by: 'rule' | 'CODEOWNERS'): boolean {
  // Other people may write CODEOWNERS than write an operator's rules.
  if (anyGroup === 'everywhere' || (anyGroup === 'in the rule' && by === 'rule')) return true
  const project = body(sources.project.name)
  return isOwnGroup(group, isMap(project) ? project.path_with_namespace : undefined)
}

function membersOfGroup(group: GroupMembers, given: PickInput): Candidates {
  if (!mayUse(group.group, given, 'rule')) return { blocked: foreignGroup(group.group) }
  const { answer, now } = given
  const read = answer(instance(memberSource(group), group.group)) ?? notRead
  if (!read.ok) return { blocked: unreadGroup(group.group, read) }
  const listed = membersIn(read, now)
  // Fails closed: a reviewer who is not listed may be a member.
  if (listed.unread !== undefined) return { blocked: `${group.group} ${listed.unread}` }
  return { lists: [candidatesIn(listed, (member) => hasLevel(member, group))] }
}

const candidatesIn = ({ members }: MemberList, counts: (member: GroupMember) => boolean): Candidate[] =>
  [...members.values()].filter(counts).map(({ id, username }) => ({ name: username, id }))

function codeOwners(given: PickInput): Candidates {
  const file = codeOwnersFile((path) => readingOf(given.answer(instance(sources.codeOwners, path))))
  if (file === 'none') return { blocked: 'the target branch has no CODEOWNERS file' }
  if ('unread' in file) return { blocked: file.unread }
  const files = given.fact('changed_files')
  const paths = (Array.isArray(files) ? files : []).filter((each) => typeof each === 'string')
  const sections = ownedSections(file.text, paths)
  if ('unknown' in sections) return { blocked: sections.unknown }
  // Owners whose approval is required come first.
  const ordered = [...sections.filter(({ optional }) => !optional), ...sections.filter(({ optional }) => optional)]
  let left = MOST_OWNERS
  const lists = ordered.map(({ owners }) =>
    owners.slice(0, Math.max(0, left)).flatMap((owner) => {
      left--
      return peopleOf(owner, given)
    }),
  )
  const people = lists.filter((list) => list.length > 0)
  return people.length === 0 ? { blocked: 'nobody who can be asked owns the changed files' } : { lists: people }
}

/** The people that an owner stands for; none for addresses, and for groups and names that the service does not show. */
function peopleOf(owner: CodeOwner, given: PickInput): Candidate[] {
  const { answer, body, now } = given
  const listOf = (name: SourceName, level?: number): Candidate[] =>
    candidatesIn(
      membersIn({ body: body(name), complete: true }, now),
      (member) => level === undefined || member.level === level,
    )
  if ('email' in owner) return []
  if ('role' in owner) return listOf(sources.projectMembers.name, levelNumber(owner.role))
  const ofGroup = () =>
    mayUse(owner.name, given, 'CODEOWNERS') ? listOf(instance(sources.groupDirectMembers, owner.name)) : []
  // A user name has no slash; a name without one is of a user or of a group.
  if (owner.name.includes('/')) return ofGroup()
  const read = answer(instance(sources.user, owner.name))
  if (read === undefined) return []
  const user = userIn(read.ok && read.body, owner.name)
  if (user === undefined) return ofGroup()
  return user.isActive ? [{ name: user.name, id: user.id }] : []
}

export interface PickedReviewer {
  id: number
  name: string
  /** `<file>#<rule name>` */
  rule: string
  /** ISO 8601: when the reviewer was asked, or was last idle. */
  at: string
  /** The reviewer has begun, so nobody replaces them. */
  active?: true
}

/** The picked reviewers, oldest first: nobody is picked twice, even after being removed. */
const picks = actionMemory<PickedReviewer[]>('review')
export const pickedIn = (memory: Memory): PickedReviewer[] => picks.of(memory) ?? []

/** How many people one rule asks at most about one merge request. */
export const MOST_PICKS = 20

const KEY = 'picked '

/** The memo of the call, from which memory learns who was picked. */
export const pickedMemo = (rule: string, chosen: readonly { id: number; name: string }[]) => ({
  [`${KEY}${rule}`]: chosen.map(({ id, name }) => ({ id, name })),
})

/** The memory after a call that asked people. */
export function rememberPicked(memory: Memory, memo: unknown, at: string): Memory {
  const added = Object.entries(isMap(memo) ? memo : {}).flatMap(([key, people]): PickedReviewer[] => {
    if (!key.startsWith(KEY) || !Array.isArray(people)) return []
    return (people as unknown[]).flatMap((each) =>
      isMap(each) && typeof each.id === 'number' && typeof each.name === 'string'
        ? [{ id: each.id, name: each.name, rule: key.slice(KEY.length), at }]
        : [],
    )
  })
  return added.length === 0 ? memory : picks.put(memory, [...pickedIn(memory), ...added])
}

/** The names of reviewers who have begun (`active`), and of those who are checked again after the same time. */
type NoticedPicks = { rule: string; active: string[]; waiting: string[]; at: string }

export function noticePicked(memory: Memory, noticed: unknown): Memory {
  if (!isMap(noticed) || pickedIn(memory).length === 0) return memory
  const { rule, active, waiting, at } = noticed as unknown as NoticedPicks
  const picked = pickedIn(memory).map((each): PickedReviewer => {
    if (each.rule !== rule) return each
    if (active.includes(each.name)) return { ...each, active: true }
    return waiting.includes(each.name) ? { ...each, at } : each
  })
  return picks.put(memory, picked)
}

const isNamed = (list: unknown, name: string) =>
  Array.isArray(list) && list.some((each) => typeof each === 'string' && each.toLowerCase() === name.toLowerCase())

/** The reviewers whom the rule picked, who are still reviewers, and who have not begun. */
export function waitedFor({ memory, rule, fact }: PickInput): PickedReviewer[] {
  return pickedIn(memory).filter(
    (each) => each.rule === rule && each.active !== true && isNamed(fact('reviewers'), each.name),
  )
}

export const endOfWait = ({ at }: PickedReviewer, seconds: number) => Date.parse(at) + seconds * 1000

/** Whether, by memory alone, somebody may have to be replaced. */
export function isAnyDue({ memory, now }: Pick<PickInput, 'memory' | 'now'>, seconds: number): boolean {
  return pickedIn(memory).some((each) => each.active !== true && endOfWait(each, seconds) <= Date.parse(now))
}

/** The people who have begun; `unknown` if that cannot be read. */
export function whoHasBegun(
  people: readonly PickedReviewer[],
  { answer, body, fact }: PickInput,
): PickedReviewer[] | 'unknown' {
  const [notes, states] = [body(sources.notes.name), answer(sources.reviewerStates.name)]
  // Fails closed: nobody is replaced whose work may be in the part that cannot be read.
  if (!Array.isArray(notes) || states?.ok !== true) return 'unknown'
  const wrote = (notes as unknown[]).flatMap((each) =>
    isMap(each) && each.system !== true && isMap(each.author) ? [each.author.id] : [],
  )
  const began = (Array.isArray(states.body) ? (states.body as unknown[]) : []).flatMap((each) =>
    isMap(each) && isMap(each.user) && each.state !== 'unreviewed' ? [each.user.id] : [],
  )
  return people.filter(
    ({ id, name }) => wrote.includes(id) || began.includes(id) || isNamed(fact('approved_by_service'), name),
  )
}

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
