// The merge requests that a merge request depends on, each with its state, and who may know of it.

import type { Tolerant } from '../../../api/endpoint.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { SourceAnswers, SourceName } from '../../types.ts'
import {
  dependencyReferences,
  isQualified,
  MOST_REFERENCES,
  type Reference,
  type ReferencePlace,
  resolveReference,
  splitName,
} from './dependency-references.ts'
import type { FactView } from './fact.ts'
import { items } from './list-items.ts'
import type { BodyOf } from './source.ts'
import { sources } from './sources.ts'

export interface Dependency {
  /** `!12`, or `group/app!7` in another project. */
  name: string
  project: number
  isMerged: boolean
}

interface Found {
  dependencies: Dependency[]
  /** What the description or the service names and cannot be seen, in words. */
  unseen: string[]
  /** "!1 depends on !2, which depends on !1". */
  cycle?: string
}

export type Unread = { unread: SourceName }
export type DependenciesRead = Found | Unread | { absent: string }

type Shown = Tolerant<BodyOf<'mergeRequests.get'>>
/** One that is read: with its description while it is not merged. */
type Read = Dependency & { description: unknown }

const STATES: readonly unknown[] = ['opened', 'reopened', 'closed', 'locked', 'merged']
/** How many merge requests a cycle may have; a longer one is not shown. */
const LONGEST_CYCLE = 5

/** Fails closed: what cannot be seen is not merged, and what is closed may be reopened. */
export function readDependencies(view: FactView): DependenciesRead {
  const mergeRequest = view.source(sources.mergeRequest)
  if (mergeRequest.is === 'unread') return { unread: mergeRequest.source }
  if (mergeRequest.is === 'absent') return { absent: mergeRequest.reason }
  const { description, web_url } = mergeRequest.body
  const references = referencesIn(description)
  if (references === undefined) return { absent: 'the description cannot be read, or is too long' }
  const place = references.some(isQualified) ? placeOf(view, web_url) : {}
  if ('unread' in place) return place
  const described = readDescribed(view, references, place)
  if ('unread' in described) return described
  const blocks = readBlocks(view)
  if ('unread' in blocks) return blocks
  const own = `!${view.mergeRequest.iid}`
  const cycle = findCycle(view, { own, open: described.read.filter(({ isMerged }) => !isMerged), web_url })
  if (typeof cycle === 'object' && 'unread' in cycle) return cycle
  const names = new Set<string>()
  const all = [...described.read, ...blocks.dependencies]
  return {
    dependencies: all.filter(({ name }) => !names.has(name) && names.add(name)).map(withoutDescription),
    unseen: [...described.unseen, ...blocks.unseen],
    ...(cycle === undefined ? {} : { cycle: sayCycle(cycle) }),
  }
}

const withoutDescription = ({ name, project, isMerged }: Dependency): Dependency => ({ name, project, isMerged })

const sayCycle = ([first, second, ...rest]: readonly string[]) =>
  [`${first} depends on ${second}`, ...rest.map((name) => `which depends on ${name}`)].join(', ')

function referencesIn(description: unknown): Reference[] | undefined {
  if (description === null) return []
  return typeof description === 'string' ? dependencyReferences(description) : undefined
}

/** Where the evaluated merge request is. The service’s address is what its own pages begin with. */
function placeOf(view: FactView, web_url: unknown): ReferencePlace | Unread {
  const project = view.source(sources.project)
  if (project.is === 'unread') return { unread: project.source }
  const own = project.is === 'read' ? project.body.path_with_namespace : undefined
  if (typeof own !== 'string') return {}
  const page = typeof web_url === 'string' ? web_url.replace(/(?:\/-)?\/merge_requests\/\d+$/, '') : ''
  return { own, ...(page.endsWith(`/${own}`) ? { root: page.slice(0, -own.length - 1) } : {}) }
}

function readDescribed(
  view: FactView,
  references: readonly Reference[],
  place: ReferencePlace,
): { read: Read[]; unseen: string[] } | Unread {
  const read: Read[] = []
  const unseen = references.length > MOST_REFERENCES ? [`more than ${MOST_REFERENCES} merge requests`] : []
  for (const reference of references.slice(0, MOST_REFERENCES)) {
    const name = resolveReference(reference, place)
    const found = name === undefined ? undefined : readOne(view, name)
    if (found === undefined)
      unseen.push(name ?? ('url' in reference ? reference.url : `${reference.path}!${reference.iid}`))
    else if ('unread' in found) return found
    else read.push(found)
  }
  return { read, unseen }
}

function readOne(view: FactView, name: string): Read | Unread | undefined {
  const reading = view.source(sources.dependency, name)
  if (reading.is === 'unread') return { unread: reading.source }
  return reading.is === 'read' && reading.body.iid === splitName(name).iid ? shown(name, reading.body) : undefined
}

/** Undefined where the service does not say what it is. */
function shown(name: string, { project_id, state, description }: Partial<Shown>): Read | undefined {
  if (!Number.isSafeInteger(project_id) || !STATES.includes(state)) return undefined
  return { name, project: Number(project_id), isMerged: state === 'merged', description }
}

/** A service without them refuses the call; one that has them refuses the merge as well. */
function readBlocks(view: FactView): Pick<Found, 'dependencies' | 'unseen'> | Unread {
  const reading = view.source(sources.blocks)
  if (reading.is === 'unread') return { unread: reading.source }
  const unsaid = { dependencies: [], unseen: ['what the hosting service itself lists'] }
  if (reading.is === 'absent')
    return reading.status === 403 || reading.status === 404 ? { dependencies: [], unseen: [] } : unsaid
  const listed = items(reading.body)
  if (listed === undefined) return unsaid
  const dependencies = listed.map((each) => {
    const { iid, project_id, references, ...rest } = each?.blocking_merge_request ?? {}
    const isOwn = project_id === view.mergeRequest.project
    const name = isOwn && Number.isSafeInteger(iid) ? `!${String(iid)}` : references?.full
    return typeof name === 'string' ? shown(name, { project_id, ...rest } as Partial<Shown>) : undefined
  })
  const isCut = !reading.complete || dependencies.includes(undefined)
  return {
    dependencies: dependencies.filter((each) => each !== undefined),
    unseen: isCut ? ['one that the hosting service lists, but does not show'] : [],
  }
}

/** Follows what each depends on, as far as the limit on calls goes; the names from the own one back to it. */
function findCycle(
  view: FactView,
  { own, open, web_url }: { own: string; open: readonly Read[]; web_url: unknown },
): string[] | Unread | undefined {
  const visited = new Set(open.map(({ name }) => name))
  let paths = open.map((each) => ({ names: [own, each.name], last: each }))
  for (let length = 2; length <= LONGEST_CYCLE; length += 1) {
    const closed = paths.find(({ names }) => names.at(-1) === own)
    if (closed !== undefined) return closed.names
    const next: typeof paths = []
    for (const { names, last } of paths) {
      const references = (referencesIn(last.description) ?? []).slice(0, MOST_REFERENCES)
      const { path } = splitName(last.name)
      const place = path !== undefined || references.some(isQualified) ? placeOf(view, web_url) : {}
      if ('unread' in place) return place
      for (const name of references.map((each) => resolveReference(each, { ...place, path }))) {
        if (name === own) return [...names, own]
        if (name === undefined || visited.has(name) || visited.size >= MOST_REFERENCES) continue
        visited.add(name)
        const found = readOne(view, name)
        if (found !== undefined && 'unread' in found) return found
        if (found?.isMerged === false) next.push({ names: [...names, name], last: found })
      }
    }
    paths = next
  }
  return undefined
}

/** Whether every reader of the merge request may know of the dependency: it is in its project, or in a public one. */
export function isPublicDependency({ project }: Dependency, view: FactView): boolean | Unread {
  if (project === view.mergeRequest.project) return true
  const reading = view.source(sources.otherProject, String(project))
  if (reading.is === 'unread') return { unread: reading.source }
  if (reading.is === 'absent') return false
  const { visibility, merge_requests_access_level: level } = reading.body
  return visibility === 'public' && level === 'enabled'
}

/** The merge requests whose merge may change the facts: those that were read and are not merged. */
export function awaitedIn(answers: SourceAnswers): { project: number; iid: number }[] {
  const bodies = Object.entries(answers).flatMap(([name, answer]): unknown[] => {
    if (!answer.ok) return []
    if (name.startsWith(`${sources.dependency.name}@`)) return [answer.body]
    if (name !== sources.blocks.name || !Array.isArray(answer.body)) return []
    return answer.body.map((each: unknown) => (isMap(each) ? each.blocking_merge_request : undefined))
  })
  return bodies.flatMap((body) => {
    const { project_id: project, iid, state } = isMap(body) ? body : {}
    const isNamed = Number.isSafeInteger(project) && Number.isSafeInteger(iid)
    return isNamed && state !== 'merged' ? [{ project: Number(project), iid: Number(iid) }] : []
  })
}
