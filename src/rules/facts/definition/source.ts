// What a source declares: its read call, when its body is complete, and which version it shows.
import type { CallData, EndpointName, EndpointNamed } from '../../../api/call-data.ts'
import type { Body, Tolerant } from '../../../api/endpoint.ts'
import type { Event, MergeRequestRef, SourceAnswer, SourceAnswers, Subject } from '../../types.ts'
import { isIssue, numberOf } from './subject-ref.ts'

/** The version of the merge request that a body shows. */
export interface ShownVersion {
  /** The head commit. */
  head: unknown
  /** The target branch, if the body shows one. */
  target?: unknown
  /** The commits that the changes are between, if the service shows them. */
  refs?: Readonly<Record<string, unknown>>
}

/** One read call. `B` is the body that the contract promises; the facts read it tolerantly. */
export interface Source<B = unknown> {
  name: string
  doc: string
  endpoint: EndpointName
  /** The call's parameters; null while they depend on a missing answer. `instance`: what follows `@` in its name. */
  params(ref: MergeRequestRef, answers: SourceAnswers, instance?: string): Record<string, unknown> | null
  /**
   * The call for an issue, whose body has the same fields; `same`: as for a merge request. Absent if issues have
   * nothing like it.
   */
  ofIssue?: 'same' | ((ref: MergeRequestRef, instance?: string) => CallData | null)
  /** For a source about an event: the id of its note or user. */
  instance?(event: Event): number | undefined
  /** How long an answer is cached, for all merge requests with the same call; absent if each evaluation reads it. */
  cachedForMs?: number
  /** These calls give the same body and are made instead, unless they are refused (read-paged-changes.ts). */
  pagedCalls?: readonly EndpointName[]
  /** Git compares the two commits of its instance in place of the call: `{ isSame }`, relative to the target branch. */
  comparedByGit?: true
  /** It can be read without a merge request. */
  ofProject?: true
  /** The source with the lower cost is read first. */
  cost: number
  /** All pages are read; otherwise the first one is enough. */
  paged: boolean
  list: boolean
  /** At most so many pages, if not the usual 20. */
  mostPages?: number
  /** Whether no further page is needed. */
  isEnough?(body: Tolerant<B>, answers: SourceAnswers): boolean
  /** Whether the body says that it is complete. */
  complete(body: Tolerant<B>): boolean
  /** The version of a source that changes with a push. Only an answer of the evaluated version counts. */
  version?(body: Tolerant<B>): ShownVersion
}

export type BodyOf<Name extends EndpointName> = Body<EndpointNamed<Name>>

type SourceDeclaration<Name extends EndpointName> = Omit<
  Source<BodyOf<Name>>,
  'name' | 'endpoint' | 'paged' | 'list' | 'complete' | 'params'
> &
  Partial<Pick<Source<BodyOf<Name>>, 'paged' | 'list' | 'complete' | 'params'>> & { endpoint: Name }

export const PAGE = 100

export const ofIssue = (ref: MergeRequestRef) => ({ id: ref.project, issue_iid: numberOf(ref) })

export const ofMergeRequest = (ref: MergeRequestRef) => ({ id: ref.project, merge_request_iid: ref.iid })
const pageOfMergeRequest = (ref: MergeRequestRef) => ({ ...ofMergeRequest(ref), per_page: PAGE })

/** The parameters of a source that is one of several; null without the name of one. */
export const byInstance =
  (params: (instance: string, ref: MergeRequestRef) => Record<string, unknown>): Source['params'] =>
  (ref, _answers, instance) =>
    instance === undefined ? null : params(instance, ref)

/** Declares a source; the default of `params` is those of the merge request. */
export function source<Name extends EndpointName>(
  declared: SourceDeclaration<Name>,
): Omit<Source<BodyOf<Name>>, 'name'> {
  const { paged = false, list = paged, params = list ? pageOfMergeRequest : ofMergeRequest } = declared
  // A body of another shape is never complete; the facts report it.
  const complete = (body: Tolerant<BodyOf<Name>>) =>
    typeof body === 'object' && body !== null && (declared.complete?.(body) ?? true)
  return { ...declared, paged, list, params, complete }
}

/** Whether the source exists for such a subject. */
export function tellsOf(source: Pick<Source<never>, 'ofProject' | 'ofIssue'>, subject: Subject): boolean {
  if (source.ofProject === true) return true
  return subject === 'issue' ? source.ofIssue !== undefined : subject === 'merge_request'
}

/** The source's call; null while its parameters depend on a missing answer. */
export function readCall<B>(
  source: Pick<Source<B>, 'endpoint' | 'params' | 'ofIssue'>,
  ref: MergeRequestRef,
  answers: SourceAnswers,
  instance: string | undefined,
): CallData | null {
  if (isIssue(ref) && typeof source.ofIssue === 'function') return source.ofIssue(ref, instance)
  const params = source.params(ref, answers, instance)
  return params === null ? null : { endpoint: source.endpoint, params }
}

/** Each source with its key as its name. */
export function named<T extends Record<string, object>>(all: T): { [K in keyof T]: T[K] & { name: string } } {
  const entries = Object.entries(all).map(([name, each]) => [name, { ...each, name }])
  return Object.fromEntries(entries) as { [K in keyof T]: T[K] & { name: string } }
}

export function versionOf({ sha, target_branch, diff_refs }: Tolerant<BodyOf<'mergeRequests.get'>>): ShownVersion {
  return { head: sha, target: target_branch, refs: diff_refs ?? {} }
}

/** The body of an answer, if it has the shape of the source. */
export function bodyOf<B>({ list }: Source<B>, answer: SourceAnswer | undefined): Tolerant<B> | undefined {
  const body = answer?.ok ? answer.body : undefined
  const isReadable = list ? Array.isArray(body) : typeof body === 'object' && body !== null && !Array.isArray(body)
  return isReadable ? (body as Tolerant<B>) : undefined
}
