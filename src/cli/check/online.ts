// `bellhop check --online`: warns of names unknown to the service or the operator, and of facts it does not show; counts the
// members of groups.
import { withAnswer } from '../../bot/evaluation/fetch-facts.ts'
import { type FileText, fileAt } from '../../bot/rule-files/read-rule-file.ts'
import { ifNotFound } from '../../bot/service/retry-policy.ts'
import type { Client } from '../../client/create-client.ts'
import { CODE_OWNERS_PATHS, readCodeOwners } from '../../rules/code-owners/read-code-owners.ts'
import { hasLevel, memberSource, membersIn, unreadGroup } from '../../rules/facts/definition/group-members.ts'
import { userNamed } from '../../rules/facts/definition/service-values.ts'
import { factNamed } from '../../rules/facts/index.ts'
import { createView } from '../../rules/facts/reading/fact-view.ts'
import { sayMembers } from '../../rules/language/operators/operator-shapes.ts'
import { policyFor } from '../../rules/language/policy.ts'
import { count, suggest } from '../../rules/language/values/wording.ts'
import { type Mention, mentionsIn, type NameKind } from '../../rules/lint/named-references.ts'
import type { LintFinding } from '../../rules/lint/possible.ts'
import { type TierFact, tierFactsIn } from '../../rules/lint/probable-mistakes.ts'
import { placed } from '../../rules/lint/warnings.ts'
import type { DecideInput, FactValue, SourceAnswer } from '../../rules/types.ts'
import { chatsHere } from '../chats/chats-file.ts'
import { bareInput } from '../rule-tests/run-tests.ts'
import { connect, orUserError, projectNamed } from '../service/connect.ts'
import type { ConnectionFlags } from '../service/service-options.ts'
import { UsageError } from '../user-error.ts'
import type { CheckedFile } from './checked-file.ts'

interface OnlineFlags extends ConnectionFlags {
  project?: string
}

/** Adds warnings and information. Throws UserError without a project, or if the service fails. */
export async function askService(files: readonly CheckedFile[], flags: OnlineFlags): Promise<CheckedFile[]> {
  const { project: named } = flags
  if (named === undefined) throw new UsageError('--online needs --project, whose labels and milestones are checked.')
  const client = connect(flags)
  return orUserError(async () => {
    const { project, path } = await projectNamed(client, named)
    const chats = await chatsFor(path)
    const asked: CheckedFile[] = []
    for (const each of files) {
      const lookup = { client, project, chats }
      const mentions = each.rules === undefined ? [] : mentionsIn(each.text, each.rules)
      const tierFacts = each.rules === undefined ? [] : tierFactsIn(each.text)
      const { information, warnings } = await membersNamed(mentions, lookup)
      const others = [...(await unknownNames(mentions, lookup)), ...(await factsNotShown(tierFacts, lookup))]
      const placedIn = (findings: readonly LintFinding[]) => placed(each.text, each.file, findings)
      const all = [...each.warnings, ...placedIn([...warnings, ...others])]
      asked.push({ ...each, warnings: all, information: placedIn(information) })
    }
    return asked
  })
}

/** The chats that the project may use; undefined if this machine does not know them. */
async function chatsFor(path = ''): Promise<string[] | undefined> {
  return policyFor(path, [], { mode: 'act', newRuleLimit: 0, chats: await chatsHere(process.env) }).chats
}

const UNSEEN = 'cannot be checked: it needs Premium, and the project has no merge request whose approvals would tell'

/** The newest merge request as input for the facts; undefined if the project has none. */
async function newestOf(client: Client, project: number): Promise<DecideInput | undefined> {
  const [newest] = (await client.mergeRequests.list({ id: project, scope: 'all', per_page: 1 })).body
  return newest?.iid === undefined ? undefined : bareInput({ project, iid: newest.iid })
}

/** What the service shows of each fact. */
async function valuesOf(client: Client, given: DecideInput, names: ReadonlySet<string>) {
  let input = given
  const sources = new Set([...names].flatMap((name) => factNamed(name)?.from ?? []))
  for (const source of sources) input = await withAnswer(client, input, source)
  const view = createView(input)
  return new Map([...names].map((name): [string, FactValue] => [name, view.fact(name)]))
}

/** A finding for each place that names a fact which the service does not show. Throws ServiceError. */
async function factsNotShown(
  places: readonly TierFact[],
  { client, project }: { client: Client; project: number },
): Promise<LintFinding[]> {
  if (places.length === 0) return []
  const newest = await newestOf(client, project)
  if (newest === undefined) return places.map(({ fact, ...place }) => ({ ...place, message: `${fact} ${UNSEEN}` }))
  const values = await valuesOf(client, newest, new Set(places.map(({ fact }) => fact)))
  return places.flatMap(({ fact, ...place }) => {
    const value = values.get(fact)
    return value?.is === 'absent' ? [{ ...place, message: `${fact} is never known: ${value.reason}` }] : []
  })
}

/** With more labels than these pages hold, no label counts as unknown. */
const MOST_PAGES = 50

interface ProjectLookup {
  client: Client
  project: number
  /** The chats that the project may use; absent: not known here. */
  chats?: readonly string[]
}

/** Includes the groups' labels; undefined if there are too many. */
async function labelsOf({ client, project }: ProjectLookup): Promise<Set<string> | undefined> {
  const { items, complete } = await client
    .pages(client.labels.list, { id: project, per_page: 100 }, { maxPages: MOST_PAGES })
    .collect()
  return complete ? new Set(items.flatMap(({ name }) => name ?? [])) : undefined
}

async function hasUser({ client }: ProjectLookup, username: string): Promise<boolean> {
  return userNamed((await client.users.list({ username })).body, username) !== undefined
}

/** A milestone of the project, or of a group above it. */
async function hasMilestone({ client, project: id }: ProjectLookup, title: string): Promise<boolean> {
  const { body } = await client.milestones.list({ id, title, include_parent_milestones: true })
  return body.some((each) => each.title === title)
}

const isThere = (found: Promise<unknown>): Promise<boolean> => found.then(() => true).catch(ifNotFound(false))

/** On the first page. */
async function branchesOf({ client, project: id }: ProjectLookup): Promise<string[]> {
  const { body } = await client.repository.branches.list({ id, per_page: 100 })
  return body.flatMap(({ name }) => name ?? [])
}

async function isMentionable(lookup: ProjectLookup, name: string): Promise<boolean> {
  // A user name has no slash.
  const isUser = !name.includes('/') && (await hasUser(lookup, name))
  return isUser || isThere(lookup.client.groups.get({ id: name }))
}

const absent: Record<Exclude<NameKind, 'code_owners'>, (name: string) => string> = {
  label: (name) => `the project has no label ${JSON.stringify(name)}`,
  user: (name) => `there is no user ${JSON.stringify(name)}`,
  milestone: (name) => `the project and its groups have no milestone ${JSON.stringify(name)}`,
  branch: (name) => `the project has no branch ${JSON.stringify(name)}`,
  group: (name) => `there is no group ${JSON.stringify(name)} that the bot can see`,
  chat: (name) => `the operator names no chat ${JSON.stringify(name)} for this project`,
  mention: (name) => `@${name} is neither a user nor a group that the bot can see`,
}

/** Throws ServiceError. */
async function unknownNames(mentions: readonly Mention[], lookup: ProjectLookup): Promise<LintFinding[]> {
  const labels = mentions.some(({ kind }) => kind === 'label') ? await labelsOf(lookup) : undefined
  const { client, project: id, chats } = lookup
  const isKnown: Record<Exclude<NameKind, 'code_owners'>, (name: string) => boolean | Promise<boolean>> = {
    label: (name) => labels?.has(name) ?? true,
    user: (name) => hasUser(lookup, name),
    milestone: (name) => hasMilestone(lookup, name),
    branch: (branch) => isThere(client.repository.branches.get({ id, branch })),
    group: (name) => isThere(client.groups.get({ id: name })),
    chat: (name) => chats?.includes(name) ?? true,
    mention: (name) => isMentionable(lookup, name),
  }
  const others = async (kind: NameKind) =>
    kind === 'branch'
      ? branchesOf(lookup)
      : kind === 'label'
        ? [...(labels ?? [])]
        : kind === 'chat'
          ? (chats ?? [])
          : []
  const findings: LintFinding[] = []
  for (const { kind, name, path, members } of mentions) {
    // membersNamed says whether the bot sees such a group.
    if (members !== undefined) continue
    if (kind === 'code_owners') {
      for (const message of await codeOwnersErrors(lookup)) findings.push({ path, at: 'value', message })
      continue
    }
    if (await isKnown[kind](name)) continue
    const near = suggest(name, await others(kind))
    const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
    findings.push({ path, at: 'value', message: `${absent[kind](name)}${hint}` })
  }
  return findings
}

/** More owners are not looked up. */
const MOST_OWNERS = 50

/** The first file that there is, in the order of the service. */
async function firstFile({ client, project }: ProjectLookup): Promise<(FileText & { path: string }) | undefined> {
  const { default_branch: branch } = (await client.projects.get({ id: project })).body
  if (branch === undefined || branch === null) return undefined
  for (const path of CODE_OWNERS_PATHS) {
    const found = await fileAt(client, project, path, branch)
    if (found !== null) return { ...found, path }
  }
  return undefined
}

/** A message for each error. Throws ServiceError. */
async function codeOwnersErrors(lookup: ProjectLookup): Promise<string[]> {
  const file = await firstFile(lookup)
  if (file === undefined)
    return [`the default branch has no CODEOWNERS file: ${CODE_OWNERS_PATHS.join(', ')} are looked for`]
  const { sections, problems } = readCodeOwners(file.text)
  const owners = sections.flatMap(({ entries }) => entries.flatMap((entry) => entry.owners))
  const names = [...new Set(owners.flatMap((owner) => ('name' in owner ? [owner.name] : [])))]
  const lines = file.text.split(/\r\n|\r|\n/)
  const messages = problems.map(({ line, problem }) => ({ line, problem }))
  for (const name of names.slice(0, MOST_OWNERS)) {
    if (await isMentionable(lookup, name)) continue
    const line = lines.findIndex((each) => each.split(/\s/).includes(`@${name}`)) + 1
    messages.push({ line, problem: `@${name} is neither a user nor a group that the bot can see` })
  }
  return messages
    .sort((one, other) => one.line - other.line)
    .map(({ line, problem }) => `${file.path}:${line}: ${problem}`)
}

/** Says of each named group how many people its members are, other than Bellhop. Throws ServiceError. */
export async function membersNamed(
  mentions: readonly Mention[],
  { client, project }: { client: Client; project: number },
): Promise<Record<'information' | 'warnings', LintFinding[]>> {
  const found = { information: [] as LintFinding[], warnings: [] as LintFinding[] }
  const named = mentions.flatMap(({ members, ...mention }) => (members === undefined ? [] : [{ ...mention, members }]))
  if (named.length === 0) return found
  const now = new Date().toISOString()
  const bot = (await client.users.current({})).body.id
  const peopleIn = (read: { body: unknown; complete: boolean }, access?: string) => {
    const { members, unread } = membersIn(read, now)
    const counted = [...members.values()].filter((each) => each.id !== bot && hasLevel(each, { access }))
    return { ids: counted.map(({ id }) => id), unread }
  }
  const all = client.pages(client.projects.members.listAll, { id: project, per_page: 100 }, { maxPages: 20 })
  const { items, complete } = await all.collect()
  const approvers = peopleIn({ body: items, complete }, 'developer')
  let input = bareInput({ project, iid: 0 })
  for (const { path, members, consents } of named) {
    const source = `${memberSource(members).name}@${members.group}`
    if (!Object.hasOwn(input.answers, source)) input = await withAnswer(client, input, source)
    const read = input.answers[source] as SourceAnswer
    const warn = (message: string) => found.warnings.push({ path, at: 'value', message })
    if (!read.ok) {
      warn(unreadGroup(members.group, read))
      continue
    }
    const who = sayMembers(members)
    const { ids, unread } = peopleIn(read, members.access)
    const number = `${unread === undefined ? '' : 'at least '}${count(ids.length, 'person', 'people')}`
    found.information.push({ path, at: 'value', message: `who is ${who}, other than Bellhop: ${number}` })
    if (unread !== undefined) warn(`${members.group} ${unread}: whether others are members is unknown`)
    else if (ids.length === 0) warn(`nobody other than Bellhop is ${who}`)
    const isEverybody = approvers.ids.length > 0 && approvers.ids.every((id) => ids.includes(id))
    if (consents === true && approvers.unread === undefined && isEverybody)
      warn(`everybody who may approve in the project is ${who}`)
  }
  return found
}
