// Which call brings which facts: each source is one read call of the contract, as data.
import type { Body, Endpoint, EndpointSpec, Tolerant } from '../api/endpoint.ts'
import { api } from '../api/index.ts'
import { standingPipeline } from './head-pipeline.ts'
import type { MergeRequestRef, SourceAnswers } from './types.ts'

/** One read call. `B` is the body that the contract promises; the facts read it tolerantly. */
export interface Source<B = unknown> {
  name: string
  doc: string
  endpoint: Endpoint
  /** The call's parameters; null while an answer that they depend on is missing or does not say. */
  params(ref: MergeRequestRef, answers: SourceAnswers): Record<string, unknown> | null
  /** Smaller is read first. */
  cost: number
  /** All pages are read; otherwise the first one is enough. */
  paged: boolean
  /** The body is a list. */
  list: boolean
  /** Whether the body itself says that it is whole. */
  complete(body: Tolerant<B>): boolean
}

type Declared<S extends EndpointSpec> = Omit<Source<Body<S>>, 'endpoint' | 'paged' | 'list' | 'complete' | 'params'> &
  Partial<Pick<Source<Body<S>>, 'paged' | 'list' | 'complete' | 'params'>> & { endpoint: Endpoint<S> }

const ofMergeRequest = (ref: MergeRequestRef) => ({ id: ref.project, merge_request_iid: ref.iid })

function source<S extends EndpointSpec>(declared: Declared<S>): Source<Body<S>> {
  // A body of another shape is nobody's whole list; the facts say what is wrong with it.
  const complete = (body: Tolerant<Body<S>>) => typeof body === 'object' && body !== null && (declared.complete?.(body) ?? true)
  return { paged: false, list: false, params: ofMergeRequest, ...declared, complete }
}

/** A body as an object, whatever was sent. */
function bodyOf(answers: SourceAnswers, name: string): Record<string, unknown> {
  const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
  const body = answer?.ok ? answer.body : undefined
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** The commit of the pipeline that stands for the merge request. */
function shaOfPipeline(answers: SourceAnswers): string | undefined {
  const list = Object.hasOwn(answers, 'pipelines') ? answers.pipelines : undefined
  const pipeline = standingPipeline(bodyOf(answers, 'mergeRequest').head_pipeline, list?.ok ? list.body : undefined)
  return typeof pipeline === 'object' && /^[0-9a-f]{7,64}$/.test(pipeline.sha) ? pipeline.sha : undefined
}

export const sources = {
  mergeRequest: source({ name: 'mergeRequest', doc: 'The merge request itself.', endpoint: api.mergeRequests.get, cost: 1 }),
  project: source({
    name: 'project',
    doc: 'The project that the merge request goes into.',
    endpoint: api.projects.get,
    params: (ref) => ({ id: ref.project }),
    cost: 2,
  }),
  approvals: source({ name: 'approvals', doc: 'Who approved, and what is missing.', endpoint: api.mergeRequests.approvals, cost: 3 }),
  pipelines: source({
    name: 'pipelines',
    doc: 'The newest pipelines, where the merge request does not name its head pipeline.',
    endpoint: api.mergeRequests.pipelines,
    params: (ref) => ({ ...ofMergeRequest(ref), per_page: 100 }),
    cost: 4,
    list: true,
  }),
  pipelineCommit: source({
    name: 'pipelineCommit',
    doc: 'The commit of the pipeline, whose parents tell whether it merges the head.',
    endpoint: api.repository.commits.get,
    params: (ref, answers) => {
      const sha = shaOfPipeline(answers)
      return sha === undefined ? null : { id: ref.project, sha }
    },
    cost: 5,
  }),
  commits: source({
    name: 'commits',
    doc: 'The commits.',
    endpoint: api.mergeRequests.commits,
    params: (ref) => ({ ...ofMergeRequest(ref), per_page: 100 }),
    cost: 6,
    paged: true,
    list: true,
  }),
  changes: source({
    name: 'changes',
    doc: 'The changed files with their diffs.',
    endpoint: api.mergeRequests.changes,
    cost: 10,
    complete: (body) => {
      const total = Number(body.changes_count ?? 0)
      const listed = Array.isArray(body.changes) ? body.changes.length : 0
      // `1000+` is no number. Fails closed: a list that says it is longer than it is counts as cut.
      return body.overflow !== true && Number.isFinite(total) && listed >= total
    },
  }),
} as const

export type SourceKey = keyof typeof sources

/** What is read again just before a bound call is sent. */
export const boundSource: SourceKey = 'mergeRequest'

/** The sources by name, for names that come from outside. */
export function sourceNamed(name: string): Source | undefined {
  return Object.hasOwn(sources, name) ? ((sources as Record<string, Source<never>>)[name] as Source) : undefined
}
