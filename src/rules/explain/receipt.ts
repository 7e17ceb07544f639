// The receipt of a merge: by what it was decided. What no later reading tells is stored with the decision.
import { countApprovals } from '../facts/definition/consent.ts'
import { items } from '../facts/definition/service-values.ts'
import { bodyOf } from '../facts/definition/source.ts'
import { sources } from '../facts/definition/sources.ts'
import { factReading } from '../facts/reading/fact-view.ts'
import { isMap } from '../language/values/shapes.ts'
import type { Call, CallResponse, DecideInput, Decision, Json, Memory } from '../types.ts'

/** Stored with a decision that merges. */
export interface Consent {
  /** Whose approvals counted, and the head that each is for. Absent if they were not read. */
  approvals?: { by: string; head?: string | undefined }[] | undefined
  /** The head pipeline. */
  pipeline?: { id: number; sha: string; status: string } | undefined
}

const merges = ({ action, revalidate, to }: Call) => action === 'accept' && (revalidate === true || to === 'queue')

/** The response to the call that merged it, or made the service or the merge queue merge it later. */
export const mergeIn = ({ responses }: Pick<Decision, 'responses'>): CallResponse | undefined =>
  responses.find(({ call, result }) => merges(call) && (result === 'done' || result === 'already'))

/** `memory`: after the decision. */
export function consentOf(input: DecideInput, memory: Pick<Memory, 'approvals'>): Consent {
  const read = bodyOf(sources.approvals, input.answers[sources.approvals.name])
  const counted = read && factReading(input)((view) => countApprovals(read, view))
  const idOf = (name: string) => items(read?.approved_by)?.find((each) => each?.user?.username === name)?.user?.id
  const pipeline = bodyOf(sources.mergeRequest, input.answers[sources.mergeRequest.name])?.head_pipeline
  return {
    approvals:
      counted && 'names' in counted
        ? counted.names.map((by) => ({ by, head: memory.approvals?.[idOf(by) ?? 0] }))
        : undefined,
    pipeline: isPipeline(pipeline) ? { id: pipeline.id, sha: pipeline.sha, status: pipeline.status } : undefined,
  }
}

const isPipeline = (value: unknown): value is { id: number; sha: string; status: string } =>
  isMap(value) && typeof value.id === 'number' && typeof value.sha === 'string' && typeof value.status === 'string'

/** What a merge queue landed; no tree if it tested without git. */
export interface LandedTree {
  commit: string
  tree?: string | undefined
}

/** Everything that a merge was decided on; undefined for a decision that merged nothing. */
export function receiptOf(
  decision: Pick<Decision, 'rules' | 'responses' | 'head' | 'target' | 'files'> & {
    consent?: Consent | undefined
    facts?: Record<string, Json> | undefined
    landed?: LandedTree | undefined
  },
) {
  const merge = mergeIn(decision)
  if (merge === undefined) return undefined
  const { rules, head, target, files, facts = {}, consent = {}, landed } = decision
  const of = rules.filter(({ key }) => merge.call.rules.includes(key))
  return {
    rules: of.map(({ name, file, line }) => ({
      name,
      file,
      line,
      blob: files.find(({ path }) => path === file)?.blob,
    })),
    facts,
    ...consent,
    head,
    target,
    merge: { endpoint: merge.call.endpoint, at: merge.at, commit: landed?.commit ?? merge.created },
    tree: landed?.tree,
  }
}

export type Receipt = NonNullable<ReturnType<typeof receiptOf>>
