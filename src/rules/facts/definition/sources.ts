// The sources of facts: each is one read call of the contract, as data.
import type { EndpointName, EndpointNamed } from '../../../api/call-data.ts'
import type { Body, Tolerant } from '../../../api/endpoint.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Event, MergeRequestRef, SourceAnswer, SourceAnswers } from '../../types.ts'
import { selectPipeline } from './select-pipeline.ts'

/** The version of the merge request that a body shows. */
export interface ShownVersion {
  /** The head commit. */
  head: unknown
  /** The target branch, for bodies that show one. */
  target?: unknown
  /** The commits that the changes lie between, on services that tell them. */
  refs?: Readonly<Record<string, unknown>>
}

/** One read call. `B` is the body that the contract promises; the facts read it tolerantly. */
export interface Source<B = unknown> {
  name: string
  doc: string
  endpoint: EndpointName
  /** The call's parameters; null while they depend on a missing answer. `instance`: what follows `@` in its name. */
  params(ref: MergeRequestRef, answers: SourceAnswers, instance?: string): Record<string, unknown> | null
  /** For a source of an event: the id of its note or person. */
  instance?(event: Event): number | undefined
  /** It can be read without a merge request. */
  ofProject?: true
  /** Smaller is read first. */
  cost: number
  /** All pages are read; otherwise the first one is enough. */
  paged: boolean
  /** The body is a list. */
  list: boolean
  /** Whether the body says that it is complete. */
  complete(body: Tolerant<B>): boolean
  /** For a source that changes with a push: its version. Only an answer of the evaluated version counts. */
  version?(body: Tolerant<B>): ShownVersion
}

type BodyOf<Name extends EndpointName> = Body<EndpointNamed<Name>>

type SourceDeclaration<Name extends EndpointName> = Omit<
  Source<BodyOf<Name>>,
  'name' | 'endpoint' | 'paged' | 'list' | 'complete' | 'params'
> &
  Partial<Pick<Source<BodyOf<Name>>, 'paged' | 'list' | 'complete' | 'params'>> & { endpoint: Name }

const PAGE = 100

const ofMergeRequest = (ref: MergeRequestRef) => ({ id: ref.project, merge_request_iid: ref.iid })
const pageOfMergeRequest = (ref: MergeRequestRef) => ({ ...ofMergeRequest(ref), per_page: PAGE })

function source<Name extends EndpointName>(declared: SourceDeclaration<Name>): Omit<Source<BodyOf<Name>>, 'name'> {
  const { paged = false, list = paged, params = list ? pageOfMergeRequest : ofMergeRequest } = declared
  // A body of another shape is never complete; the facts report it.
  const complete = (body: Tolerant<BodyOf<Name>>) =>
    typeof body === 'object' && body !== null && (declared.complete?.(body) ?? true)
  return { ...declared, paged, list, params, complete }
}

/** Each source with its key as its name. */
function named<T extends Record<string, object>>(all: T): { [K in keyof T]: T[K] & { name: string } } {
  const entries = Object.entries(all).map(([name, each]) => [name, { ...each, name }])
  return Object.fromEntries(entries) as { [K in keyof T]: T[K] & { name: string } }
}

/** The version that a body of a merge request shows. */
export function versionOf({ sha, target_branch, diff_refs }: Tolerant<BodyOf<'mergeRequests.get'>>): ShownVersion {
  const refs = diff_refs ?? {}
  return { head: sha === undefined ? refs.head_sha : sha, target: target_branch, refs }
}

/** The body of an answer, if it has the shape of the source. */
export function bodyOf<B>({ list }: Source<B>, answer: SourceAnswer | undefined): Tolerant<B> | undefined {
  const body = answer?.ok ? answer.body : undefined
  const isReadable = list ? Array.isArray(body) : typeof body === 'object' && body !== null && !Array.isArray(body)
  return isReadable ? (body as Tolerant<B>) : undefined
}

/** The body of an answer, unchecked. */
function sentBody(answers: SourceAnswers, name: string): unknown {
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
  return answer?.ok ? answer.body : undefined
}

/** A field of the merge request. */
function fieldOf(answers: SourceAnswers, name: string): unknown {
  const body = sentBody(answers, 'mergeRequest')
  return isMap(body) ? body[name] : undefined
}

/** The id of the group that the project is in; undefined in a user's namespace. */
export function groupOf(answers: SourceAnswers): number | undefined {
  const project = sentBody(answers, 'project')
  const { id, kind } = isMap(project) && isMap(project.namespace) ? project.namespace : {}
  return kind === 'group' && Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : undefined
}

/** The id of who wrote the merge request. */
function authorOf(answers: SourceAnswers): number | undefined {
  const author = fieldOf(answers, 'author')
  const id = isMap(author) ? author.id : undefined
  return Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : undefined
}

/** The commit of the pipeline that stands for the merge request. */
function shaOfPipeline(answers: SourceAnswers): string | undefined {
  const pipeline = selectPipeline(fieldOf(answers, 'head_pipeline'), sentBody(answers, 'pipelines'))
  return typeof pipeline === 'object' && /^[0-9a-f]{7,64}$/.test(pipeline.sha) ? pipeline.sha : undefined
}

export const sources = named({
  mergeRequest: source({
    doc: 'The merge request itself.',
    endpoint: 'mergeRequests.get',
    params: (ref) => ({ ...ofMergeRequest(ref), include_rebase_in_progress: true }),
    cost: 1,
  }),
  project: source({
    ofProject: true,
    doc: 'The project that the merge request goes into.',
    endpoint: 'projects.get',
    params: (ref) => ({ id: ref.project }),
    cost: 2,
  }),
  // Approvals have no version: at a push the service removes them or lets them count for the new head.
  approvals: source({
    doc: 'Who approved, and what is missing.',
    endpoint: 'mergeRequests.approvals',
    cost: 3,
  }),
  mergeTrain: source({
    doc: 'Its place on a merge train, where the project has merge trains.',
    endpoint: 'mergeTrains.get',
    cost: 3,
  }),
  pipelines: source({
    doc: 'The newest pipelines, where the merge request names no head pipeline, or one of its merge train.',
    endpoint: 'mergeRequests.pipelines',
    cost: 4,
    list: true,
  }),
  pipelineCommit: source({
    doc: 'The commit of the pipeline, whose parents tell whether it merges the head.',
    endpoint: 'repository.commits.get',
    params: (ref, answers) => {
      const sha = shaOfPipeline(answers)
      return sha === undefined ? null : { id: ref.project, sha }
    },
    cost: 5,
  }),
  commits: source({
    doc: 'The commits.',
    endpoint: 'mergeRequests.commits',
    cost: 6,
    list: true,
    // Only one page: the next one shows no head, and may be of another.
    complete: (body) => body.length < PAGE,
    // The newest commit comes first.
    version: ([newest]) => ({ head: newest?.id }),
  }),
  changes: source({
    doc: 'The changed files with their diffs.',
    endpoint: 'mergeRequests.changes',
    cost: 10,
    complete: (body) => {
      const total = Number(body.changes_count ?? 0)
      const listed = Array.isArray(body.changes) ? body.changes.length : 0
      // `1000+` is no number. Fails closed: a list shorter than its count is cut.
      return body.overflow !== true && Number.isFinite(total) && listed >= total
    },
    version: versionOf,
  }),
  versions: source({
    doc: 'The versions of its changes: one for each push.',
    endpoint: 'mergeRequests.versions.list',
    cost: 4,
    paged: true,
    // The newest version comes first.
    version: ([newest]) => ({ head: newest?.head_commit_sha }),
  }),
  closesIssues: source({
    doc: 'The issues that its merge closes.',
    endpoint: 'mergeRequests.closesIssues',
    cost: 5,
    paged: true,
  }),
  labelEvents: source({
    doc: 'Who added and removed labels.',
    endpoint: 'mergeRequests.labelEvents.list',
    cost: 4,
    paged: true,
  }),
  participants: source({
    doc: 'Who takes part.',
    endpoint: 'mergeRequests.participants',
    cost: 5,
    paged: true,
  }),
  mergedOfAuthor: source({
    doc: 'The newest merge requests of the author that the project merged.',
    endpoint: 'mergeRequests.list',
    params: (ref, answers) => {
      const author_id = authorOf(answers)
      return author_id === undefined
        ? null
        : { id: ref.project, state: 'merged', scope: 'all', author_id, per_page: PAGE }
    },
    cost: 5,
    list: true,
    complete: (body) => body.length < PAGE,
  }),
  authorAccess: source({
    doc: 'What the author may do in the project.',
    endpoint: 'projects.members.get',
    params: (ref, answers) => {
      const user_id = authorOf(answers)
      return user_id === undefined ? null : { id: ref.project, user_id }
    },
    cost: 3,
  }),
  authorAccessIn: source({
    doc: 'What the author may do in another project.',
    endpoint: 'projects.members.get',
    params: (_ref, answers, instance) => {
      const user_id = authorOf(answers)
      return user_id === undefined || instance === undefined ? null : { id: Number(instance), user_id }
    },
    cost: 3,
  }),
  issueProject: source({
    doc: 'Another project, which has an issue that the merge closes.',
    endpoint: 'projects.get',
    params: (_ref, _answers, instance) => (instance === undefined ? null : { id: Number(instance) }),
    cost: 3,
  }),
  actorAccess: source({
    ofProject: true,
    doc: 'What the person who caused the event may do in the project.',
    endpoint: 'projects.members.get',
    params: (ref, _answers, instance) =>
      instance === undefined ? null : { id: ref.project, user_id: Number(instance) },
    instance: (event) => event.actor.id,
    cost: 3,
  }),
  user: source({
    ofProject: true,
    doc: 'A user, by name.',
    endpoint: 'users.list',
    params: (_ref, _answers, instance) => (instance === undefined ? null : { username: instance }),
    cost: 3,
    list: true,
  }),
  milestone: source({
    ofProject: true,
    doc: 'A milestone of the project or of a group above it, by title.',
    endpoint: 'milestones.list',
    params: (ref, _answers, instance) =>
      instance === undefined ? null : { id: ref.project, title: instance, include_ancestors: true },
    cost: 3,
    list: true,
  }),
  groupMilestone: source({
    ofProject: true,
    doc: 'A milestone of the project’s groups, by title: services before 16.7 do not list it for the project.',
    endpoint: 'groups.milestones.list',
    params: (_ref, answers, instance) => {
      const group = groupOf(answers)
      return instance === undefined || group === undefined
        ? null
        : { id: group, title: instance, include_parent_milestones: true }
    },
    cost: 4,
    list: true,
  }),
  notes: source({
    doc: 'The notes on the merge request.',
    endpoint: 'mergeRequests.notes.list',
    cost: 6,
    paged: true,
  }),
  note: source({
    doc: 'The note of the event, read back.',
    endpoint: 'mergeRequests.notes.get',
    params: (ref, _answers, instance) =>
      instance === undefined ? null : { ...ofMergeRequest(ref), note_id: Number(instance) },
    instance: (event) => event.note?.id,
    cost: 2,
  }),
})

export type SourceKey = keyof typeof sources

/** The source that is read again just before a bound call is sent. */
export const mergeRequestSource: SourceKey = 'mergeRequest'

/** The name of a source's answer, with its instance; undefined if the event has no such instance. */
export function answerName(
  source: Pick<Source, 'name' | 'instance'>,
  event: Event | undefined,
  named?: string,
): string | undefined {
  if (named !== undefined) return `${source.name}@${named}`
  if (source.instance === undefined) return source.name
  const instance = event === undefined ? undefined : source.instance(event)
  return instance === undefined ? undefined : `${source.name}@${instance}`
}

/** What follows the `@` of an answer's name. */
export function instanceOf(name: string): string | undefined {
  const at = name.indexOf('@')
  return at === -1 ? undefined : name.slice(at + 1)
}

/** The source that an answer's name (`note@17`) is of, for names that come from outside. */
export function sourceNamed(answer: string): Source | undefined {
  const name = answer.split('@')[0] ?? answer
  return Object.hasOwn(sources, name) ? ((sources as Record<string, Source<never>>)[name] as Source) : undefined
}
