// The projects that a hook command is for: named projects, and all projects of named groups and their subgroups; and a
// task for many of them in parallel.

import pLimit from 'p-limit'
import { ifNotFound } from '../../bot/service/retry-policy.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { remedyFor } from '../service/connect.ts'

export interface TargetProject {
  id: number
  /** Full path. */
  path: string
}

/** What a hook belongs to: a project, a group with all projects below it, or the installation. */
export interface HookTarget extends TargetProject {
  of?: 'group' | 'system'
}

export interface Targets {
  projects: HookTarget[]
  /** Names without a readable project, with the reason. */
  failed: { name: string; reason: string }[]
}

type Reader = Pick<Client, 'projects' | 'groups' | 'pages'>

// Pages of 100.
const maxPages = 1_000

/** What the names find, each once. Throws ServiceError for a rejected token or an outage. */
async function findEach(
  names: readonly string[],
  find: (name: string) => Promise<HookTarget[]>,
  isUnseen: (name: string) => string,
): Promise<Targets> {
  const found = new Map<number, HookTarget>()
  const failed: Targets['failed'] = []
  for (const name of names) {
    try {
      const targets = await find(name)
      for (const each of targets) found.set(each.id, each)
      if (targets.length === 0)
        failed.push({ name, reason: `the group ${name} has no projects visible to Bellhop’s user` })
    } catch (error) {
      if (!(error instanceof ServiceError) || (error.status !== 403 && error.status !== 404)) throw error
      failed.push({ name, reason: isUnseen(name) })
    }
  }
  return { projects: [...found.values()], failed }
}

/** Each project once, by path. Throws as findEach. */
export async function findTargets(client: Reader, names: readonly string[]): Promise<Targets> {
  const { projects, failed } = await findEach(
    names,
    (name) => namedOrInside(client, name),
    (name) => `no project or group ${name} is visible to Bellhop’s user: is it a full path, such as hotel/app?`,
  )
  return { projects: projects.sort((a, b) => (a.path < b.path ? -1 : 1)), failed }
}

/** The groups themselves, for hooks of groups. Throws as findEach. */
export const findGroups = (client: Reader, names: readonly string[]): Promise<Targets> =>
  findEach(
    names,
    async (name) => {
      const { id, full_path = name } = (await client.groups.get({ id: name })).body
      return id === undefined ? [] : [{ id, path: full_path, of: 'group' }]
    },
    (name) => `no group ${name} is visible to Bellhop’s user: is it a full path, such as hotel?`,
  )

async function namedOrInside(client: Reader, name: string): Promise<TargetProject[]> {
  const project = await client.projects.get({ id: name }).catch(ifNotFound(undefined))
  if (project !== undefined) return targets([project.body])
  const { id } = (await client.groups.get({ id: name })).body
  return id === undefined ? [] : insideGroup(client, id)
}

async function insideGroup(client: Reader, group: number): Promise<TargetProject[]> {
  const [own, below] = await Promise.all([
    client
      .pages(client.groups.projects, { id: group, archived: false, order_by: 'id', sort: 'asc' }, { maxPages })
      .collect(),
    client.pages(client.groups.subgroups, { id: group }, { maxPages }).collect(),
  ])
  // Services also list projects shared with the group.
  const projects = targets(own.items.filter(({ namespace }) => namespace?.id === undefined || namespace.id === group))
  // Sequentially: there may be a thousand subgroups.
  for (const { id } of below.items) if (id !== undefined) projects.push(...(await insideGroup(client, id)))
  return projects
}

function targets(projects: readonly { id?: number; path_with_namespace?: string }[]): TargetProject[] {
  return projects.flatMap(({ id, path_with_namespace }) =>
    id === undefined ? [] : [{ id, path: path_with_namespace ?? String(id) }],
  )
}

/** The result for one project. */
export interface HookOutcome {
  /** A code such as `installed`, `up_to_date`, `failed`. */
  result: string
  details: string[]
  /** The hook needs attention. */
  bad?: true
  hook?: number
}

export interface ProjectOutcome extends HookOutcome {
  /** The number, for a project or a group. */
  project?: number
  group?: number
  path: string
}

/** An outcome for each project, in order, and the error that ended the work early. Throws what is no ServiceError. */
export async function forEachProject(
  projects: readonly HookTarget[],
  task: (project: HookTarget) => Promise<HookOutcome>,
  { atOnce, onDone }: { atOnce: number; onDone: (done: number, all: number) => void },
): Promise<{ outcomes: ProjectOutcome[]; ended?: ServiceError }> {
  const limit = pLimit(atOnce)
  let done = 0
  let ended: ServiceError | undefined
  const work = async (project: HookTarget): Promise<HookOutcome> => {
    if (ended !== undefined) return { result: 'not_tried', details: [], bad: true }
    try {
      return await task(project)
    } catch (error) {
      if (!(error instanceof ServiceError)) {
        limit.clearQueue()
        throw error
      }
      if (isAboutAll(error)) ended ??= error
      return { result: 'failed', details: [reasonOf(error, project.of)], bad: true }
    } finally {
      done += 1
      onDone(done, projects.length)
    }
  }
  const outcomes = await Promise.all(
    projects.map((each) => limit(async () => ({ ...nameOf(each), ...(await work(each)) }))),
  )
  return { outcomes, ended }
}

const nameOf = ({ id, path, of }: HookTarget) =>
  of === undefined ? { project: id, path } : of === 'group' ? { group: id, path } : { path }

/** Whether the next project would fail in the same way. */
function isAboutAll({ kind, status, missingPermission }: ServiceError): boolean {
  return kind === 'unreachable' || kind === 'rate_limited' || (status === 401 && !missingPermission)
}

/** The error, and what to do about it if known. */
export function reasonOf(error: ServiceError, of?: HookTarget['of']): string {
  const remedy = remedyFor(error)
  if (remedy !== '') return `${error.message}.${remedy}`
  if (/maximum number/i.test(error.serviceMessage ?? '')) return `${error.message}. Remove an unused hook.`
  const isRefused = error.status === 403 || error.status === 404
  if (of === 'group' && isRefused)
    return `${error.message}. Group hooks need the service’s Premium tier, and a token of an owner of the group.`
  if (of === 'system' && isRefused) return `${error.message}. System hooks need a token of an administrator.`
  if (error.status === 403) return `${error.message}. Hooks are for Maintainers: make the token’s user Maintainer.`
  if (error.status === 404) return `${error.message}. The token’s user cannot see it.`
  return `${error.message}.`
}
