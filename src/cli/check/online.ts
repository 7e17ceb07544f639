// `bellhop check --online`: warns of names unknown to the service or the operator, and of facts it does not show.
import { withAnswer } from '../../bot/evaluation/fetch-facts.ts'
import { type FileText, fileAt } from '../../bot/rule-files/read-rule-file.ts'
import { isNotFound } from '../../bot/service/retry-policy.ts'
import type { Client } from '../../client/create-client.ts'
import { CODE_OWNERS_PATHS, readCodeOwners } from '../../rules/code-owners/read-code-owners.ts'
import { userNamed } from '../../rules/facts/definition/service-values.ts'
import { factNamed } from '../../rules/facts/index.ts'
import { createView } from '../../rules/facts/reading/fact-view.ts'
import { policyFor } from '../../rules/language/policy.ts'
import { suggest } from '../../rules/language/values/wording.ts'
import { type Mention, mentionsIn, type NameKind } from '../../rules/lint/named-references.ts'
import type { LintFinding } from '../../rules/lint/possible.ts'
import { type TierFact, tierFactsIn } from '../../rules/lint/probable-mistakes.ts'
import { placed } from '../../rules/lint/warnings.ts'
import type { DecideInput, FactValue } from '../../rules/types.ts'
import { chatsHere } from '../chats/chats-file.ts'
import { bareInput } from '../rule-tests/run-tests.ts'
import { connect, orUserError, projectNamed } from '../service/connect.ts'
import type { ConnectionFlags } from '../service/service-options.ts'
import { UsageError } from '../user-error.ts'
import type { CheckedFile } from './checked-file.ts'

interface OnlineFlags extends ConnectionFlags {
  project?: string
}

/** Adds the warnings. Throws UserError without a project, or if the service fails. */
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
      const findings =
        each.rules === undefined
          ? []
          : [
              ...(await unknownNames(mentionsIn(each.text, each.rules), lookup)),
              ...(await factsNotShown(tierFactsIn(each.text), lookup)),
            ]
      asked.push({ ...each, warnings: [...each.warnings, ...placed(each.text, each.file, findings)] })
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

type NameLookup = { known: true } | { known: false; near?: string }

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
  return complete ? new Set(items.flatMap(({ name }) => (name === undefined ? [] : [name]))) : undefined
}

async function hasUser({ client }: ProjectLookup, username: string): Promise<NameLookup> {
  return { known: userNamed((await client.users.list({ username })).body, username) !== undefined }
}

/** A milestone of the project, or of a group above it. */
async function hasMilestone({ client, project: id }: ProjectLookup, title: string): Promise<NameLookup> {
  const { body } = await client.milestones.list({ id, title, include_parent_milestones: true })
  return { known: body.some((each) => each.title === title) }
}

async function isThere(get: () => Promise<unknown>): Promise<boolean> {
  try {
    await get()
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

/** The suggestion comes from the first page of branches. */
async function hasBranch({ client, project: id }: ProjectLookup, branch: string): Promise<NameLookup> {
  if (await isThere(() => client.repository.branches.get({ id, branch }))) return { known: true }
  const { body } = await client.repository.branches.list({ id, per_page: 100 })
  return {
    known: false,
    near: suggest(
      branch,
      body.flatMap(({ name }) => name ?? []),
    ),
  }
}

async function hasGroup({ client }: ProjectLookup, path: string): Promise<NameLookup> {
  return { known: await isThere(() => client.groups.get({ id: path })) }
}

async function isMentionable(lookup: ProjectLookup, name: string): Promise<NameLookup> {
  // A user name has no slash.
  const user = name.includes('/') ? { known: false as const } : await hasUser(lookup, name)
  return user.known ? user : hasGroup(lookup, name)
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
  const ask: Record<Exclude<NameKind, 'code_owners'>, (name: string) => Promise<NameLookup>> = {
    label: async (name) =>
      labels === undefined || labels.has(name) ? { known: true } : { known: false, near: suggest(name, [...labels]) },
    user: (name) => hasUser(lookup, name),
    milestone: (name) => hasMilestone(lookup, name),
    branch: (name) => hasBranch(lookup, name),
    group: (name) => hasGroup(lookup, name),
    chat: async (name) =>
      lookup.chats === undefined || lookup.chats.includes(name)
        ? { known: true }
        : { known: false, near: suggest(name, lookup.chats) },
    mention: (name) => isMentionable(lookup, name),
  }
  const findings: LintFinding[] = []
  for (const { kind, name, path } of mentions) {
    if (kind === 'code_owners') {
      const isKnown = async (owner: string) => (await isMentionable(lookup, owner)).known
      for (const message of await codeOwnersErrors({ ...lookup, isKnown }))
        findings.push({ path, at: 'value', message })
      continue
    }
    const found = await ask[kind](name)
    if (found.known) continue
    const hint = found.near === undefined ? '' : `; did you mean ${JSON.stringify(found.near)}?`
    findings.push({ path, at: 'value', message: `${absent[kind](name)}${hint}` })
  }
  return findings
}

/** More owners are not looked up. */
const MOST_OWNERS = 50

interface Place {
  client: Client
  project: number
  /** Whether the service knows a user or group of that name. */
  isKnown(name: string): Promise<boolean>
}

/** The first file that there is, in the order of the service. */
async function firstFile({ client, project }: Place): Promise<(FileText & { path: string }) | undefined> {
  const { default_branch: branch } = (await client.projects.get({ id: project })).body
  if (branch === undefined || branch === null) return undefined
  for (const path of CODE_OWNERS_PATHS) {
    const found = await fileAt(client, project, path, branch)
    if (found !== null) return { ...found, path }
  }
  return undefined
}

/** A message for each error. Throws ServiceError. */
async function codeOwnersErrors(place: Place): Promise<string[]> {
  const file = await firstFile(place)
  if (file === undefined)
    return [`the default branch has no CODEOWNERS file: ${CODE_OWNERS_PATHS.join(', ')} are looked for`]
  const { sections, problems } = readCodeOwners(file.text)
  const owners = sections.flatMap(({ entries }) => entries.flatMap((entry) => entry.owners))
  const names = [...new Set(owners.flatMap((owner) => ('name' in owner ? [owner.name] : [])))]
  const lines = file.text.split(/\r\n|\r|\n/)
  const messages = problems.map(({ line, problem }) => ({ line, problem }))
  for (const name of names.slice(0, MOST_OWNERS)) {
    if (await place.isKnown(name)) continue
    const line = lines.findIndex((each) => each.split(/\s/).includes(`@${name}`)) + 1
    messages.push({ line, problem: `@${name} is neither a user nor a group that the bot can see` })
  }
  return messages
    .sort((one, other) => one.line - other.line)
    .map(({ line, problem }) => `${file.path}:${line}: ${problem}`)
}
