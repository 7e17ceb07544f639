// Unmerged merge requests that this one depends on, if its author may see them; in public text, if every reader may.

import type { Tolerant } from '../../api/endpoint.ts'
import { boolean, names } from '../language/operators/fact-types.ts'
import type { FactValue } from '../types.ts'
import { isPublicMergeRequest, isUsableMergeRequest } from './definition/access.ts'
import {
  dependencyReferences,
  isQualified,
  MOST_REFERENCES,
  type Reference,
  type ReferencePlace,
  resolveReference,
  splitName,
} from './definition/dependency-references.ts'
import { type Absent, type Fact, type FactView, known, NOT_SHOWN, notShown } from './definition/fact.ts'
import { items } from './definition/service-values.ts'
import type { BodyOf } from './definition/source.ts'
import { sources } from './definition/sources.ts'

const LINES =
  'Lines of the description that begin with `Depends on` name them: `Depends on !12, group/app!7, https://…/-/merge_requests/3`, at most 10, not in code or quotes. So does GitLab Premium, since 17.3.'

const from = [
  ...[sources.mergeRequest, sources.project, sources.blocks, sources.dependency].map(({ name }) => name),
  ...[sources.otherProject, sources.authorAccessIn].map(({ name }) => name),
]

function withRead(view: FactView, value: (found: DependencyList) => FactValue): FactValue {
  const found = readDependencies(view)
  return 'is' in found ? found : value(found)
}

/** Only what every reader may know; it leaves out merged private ones as well, so that their merge does not show. */
function withPublic(view: FactView, value: (shown: Dependency[], isAll: boolean, cycle?: string) => FactValue) {
  return withRead(view, ({ dependencies, unseen, cycle }): FactValue => {
    const shown = dependencies.filter((each) => isPublicMergeRequest(each.project, view))
    const isAll = shown.length === dependencies.length && unseen.length === 0
    // A cycle may lead through private projects.
    const isOwn = isAll && dependencies.every(({ project }) => project === view.mergeRequest.project)
    return value(shown, isAll, isOwn && cycle?.includes('/') === false ? cycle : undefined)
  })
}

const openNames = (dependencies: readonly Dependency[]) =>
  dependencies.filter(({ isMerged }) => !isMerged).map(({ name }) => name)

function listValue(dependencies: readonly Dependency[], missing: string | undefined, cycle?: string): FactValue {
  const value = known(names, openNames(dependencies), missing === undefined, cycle)
  return value.is === 'known' && missing !== undefined ? { ...value, missing } : value
}

export const depends_on_open: Fact<string[]> = {
  doc: `The merge requests that this one depends on and that are not merged: \`!12\`, or \`group/app!7\` in another project. A closed one counts: it may be reopened. ${LINES} One that its author is not known to see is unknown. When one is merged, those that wait for it are evaluated.`,
  synonyms: ['depends_on', 'dependencies', 'blocked_by'],
  type: names,
  from,
  read: (view) =>
    withRead(view, ({ dependencies, unseen, cycle }) =>
      listValue(dependencies, unseen.length === 0 ? undefined : `not to be seen: ${unseen.join(', ')}`, cycle),
    ),
  readPublic: (view) =>
    withPublic(view, (shown, isAll, cycle) => listValue(shown, isAll ? undefined : NOT_SHOWN, cycle)),
  recorded: true,
  whileOpen: true,
  example: 'depends_on_open: { none: "*" }',
  // Without names: they may be private.
  toFix: () => 'the merge of what it depends on',
}

export const dependencies_merged: Fact<boolean> = {
  doc: `Whether every merge request that it depends on is merged; also where there is none. ${LINES} One that its author is not known to see is unknown, never merged.`,
  type: boolean,
  from,
  read: (view) =>
    withRead(view, ({ dependencies, unseen, cycle }) => {
      if (openNames(dependencies).length > 0) return known(boolean, false, true, cycle)
      if (unseen.length === 0) return known(boolean, true)
      return { is: 'absent', reason: `it cannot be seen whether all are merged: ${unseen.join(', ')}` }
    }),
  readPublic: (view) =>
    withPublic(view, (shown, isAll, cycle) => {
      if (openNames(shown).length > 0) return known(boolean, false, true, cycle)
      return isAll ? known(boolean, true) : notShown
    }),
  recorded: true,
  whileOpen: true,
  example: 'dependencies_merged: true',
  toFix: { true: 'the merge of what it depends on', false: 'a dependency that is not merged' },
}

interface Dependency {
  /** `!12`, or `group/app!7` in another project. */
  name: string
  project: number
  isMerged: boolean
}

interface DependencyList {
  dependencies: Dependency[]
  /** What the description or the service names and cannot be read, in words. */
  unseen: string[]
  /** "!1 depends on !2, which depends on !1". */
  cycle?: string
}

type Shown = Tolerant<BodyOf<'mergeRequests.get'>>
type DescribedDependency = Dependency & { description: unknown }

const STATES: readonly unknown[] = ['opened', 'reopened', 'closed', 'locked', 'merged']
/** How many merge requests a cycle may have; a longer one is not shown. */
const LONGEST_CYCLE = 5

/** Fails closed: a dependency that cannot be read, or not by the author, is unmerged. A closed one may be reopened. */
function readDependencies(view: FactView): DependencyList | Absent {
  const mergeRequest = view.source(sources.mergeRequest)
  if (mergeRequest.is !== 'read') return mergeRequest
  const { description, web_url } = mergeRequest.body
  const references = referencesIn(description)
  if (references === undefined) return { is: 'absent', reason: 'the description cannot be read, or is too long' }
  const place = references.some(isQualified) ? placeOf(view, web_url) : {}
  const described = readDescribed(view, references, place)
  const blocks = readBlocks(view)
  const own = `!${view.mergeRequest.iid}`
  const cycle = findCycle(view, { own, open: described.read.filter(({ isMerged }) => !isMerged), web_url })
  const names = new Set<string>()
  const all = [...described.read, ...blocks.dependencies]
  return {
    dependencies: all
      .filter(({ name }) => !names.has(name) && names.add(name))
      .map(({ name, project, isMerged }) => ({ name, project, isMerged })),
    unseen: [...described.unseen, ...blocks.unseen],
    cycle: cycle && sayCycle(cycle),
  }
}

const sayCycle = ([first, second, ...rest]: readonly string[]) =>
  [`${first} depends on ${second}`, ...rest.map((name) => `which depends on ${name}`)].join(', ')

function referencesIn(description: unknown): Reference[] | undefined {
  if (description === null) return []
  return typeof description === 'string' ? dependencyReferences(description) : undefined
}

/** The project of the evaluated merge request. The service’s address is the beginning of its pages. */
function placeOf(view: FactView, web_url: unknown): ReferencePlace {
  const project = view.source(sources.project)
  const own = project.is === 'read' ? project.body.path_with_namespace : undefined
  if (typeof own !== 'string') return {}
  const page = typeof web_url === 'string' ? web_url.replace(/(?:\/-)?\/merge_requests\/\d+$/, '') : ''
  return { own, root: page.endsWith(`/${own}`) ? page.slice(0, -own.length - 1) : undefined }
}

function readDescribed(view: FactView, references: readonly Reference[], place: ReferencePlace) {
  const read: DescribedDependency[] = []
  const unseen = references.length > MOST_REFERENCES ? [`more than ${MOST_REFERENCES} merge requests`] : []
  for (const reference of references.slice(0, MOST_REFERENCES)) {
    const name = resolveReference(reference, place)
    const found = name === undefined ? undefined : readOne(view, name)
    if (found === undefined)
      unseen.push(name ?? ('url' in reference ? reference.url : `${reference.path}!${reference.iid}`))
    else read.push(found)
  }
  return { read, unseen }
}

function readOne(view: FactView, name: string): DescribedDependency | undefined {
  const reading = view.source(sources.dependency, name)
  return reading.is === 'read' && reading.body.iid === splitName(name).iid
    ? usable(name, reading.body, view)
    : undefined
}

/** Undefined if the service does not say what it is, or the author may not read it: both count as missing. */
function usable(name: string, { project_id, state, description }: Partial<Shown>, view: FactView) {
  if (!Number.isSafeInteger(project_id) || !STATES.includes(state)) return undefined
  const project = Number(project_id)
  return isUsableMergeRequest(project, view) ? { name, project, isMerged: state === 'merged', description } : undefined
}

/** The blocks that the service itself has, and that it enforces. A service without them refuses the call. */
function readBlocks(view: FactView): Pick<DependencyList, 'dependencies' | 'unseen'> {
  const reading = view.source(sources.blocks)
  const unsaid = { dependencies: [], unseen: ['what the hosting service itself lists'] }
  if (reading.is === 'absent')
    return reading.status === 403 || reading.status === 404 ? { dependencies: [], unseen: [] } : unsaid
  const listed = items(reading.body)
  if (listed === undefined) return unsaid
  const dependencies: DescribedDependency[] = []
  let isCut = !reading.complete
  for (const each of listed) {
    const { iid, project_id, references, ...rest } = each?.blocking_merge_request ?? {}
    const isOwn = project_id === view.mergeRequest.project
    const name = isOwn && Number.isSafeInteger(iid) ? `!${String(iid)}` : references?.full
    const found = typeof name === 'string' ? usable(name, { project_id, ...rest } as Partial<Shown>, view) : undefined
    if (found === undefined) isCut = true
    else dependencies.push(found)
  }
  return { dependencies, unseen: isCut ? ['one that the hosting service lists, and does not show its author'] : [] }
}

/** Follows the dependencies of each, within the limit on calls; returns the names from the own one back to itself. */
function findCycle(
  view: FactView,
  { own, open, web_url }: { own: string; open: readonly DescribedDependency[]; web_url: unknown },
): string[] | undefined {
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
      for (const name of references.map((each) => resolveReference(each, { ...place, path }))) {
        if (name === own) return [...names, own]
        if (name === undefined || visited.has(name) || visited.size >= MOST_REFERENCES) continue
        visited.add(name)
        const found = readOne(view, name)
        if (found?.isMerged === false) next.push({ names: [...names, name], last: found })
      }
    }
    paths = next
  }
  return undefined
}

/** The merge requests whose merge may change the facts: those that are not merged. */
export function awaitedBy(view: FactView): { project: number; iid: number }[] {
  const found = readDependencies(view)
  const counted = 'dependencies' in found ? found.dependencies : []
  return counted.flatMap(({ name, project, isMerged }) => (isMerged ? [] : [{ project, iid: splitName(name).iid }]))
}
