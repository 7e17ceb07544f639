// Finds labels, users, milestones, branches and groups in rules that the service lacks, and errors of CODEOWNERS.
import { isNotFound } from '../../bot/service/retry-policy.ts'
import type { Client } from '../../client/create-client.ts'
import { userNamed } from '../../rules/facts/definition/service-values.ts'
import { suggest } from '../../rules/language/values/wording.ts'
import type { Mention, NameKind } from '../../rules/lint/named-references.ts'
import type { LintFinding } from '../../rules/lint/possible.ts'
import { codeOwnersErrors } from './code-owners.ts'

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
export async function unknownNames(mentions: readonly Mention[], lookup: ProjectLookup): Promise<LintFinding[]> {
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
