// The receipt of a merge: everything that it was decided on.
import type { CallResponse, Decision, Json } from '../types.ts'

/** The response to the call that merged it, or made the service or the merge queue merge it later. */
export const mergeIn = ({ responses }: Pick<Decision, 'responses'>): CallResponse | undefined =>
  responses.find(
    ({ call: { action, revalidate, to }, result }) =>
      action === 'accept' && (revalidate === true || to === 'queue') && (result === 'done' || result === 'already'),
  )

/** What a merge queue landed; no tree if it tested without git. */
export interface Landed {
  commit: string
  tree?: string | undefined
}

/** Undefined for a decision that merged nothing. Approvals are those that counted, for the content of the head. */
export function receiptOf(decision: Decision & { facts?: Record<string, Json>; landed?: Landed | undefined }) {
  const merge = mergeIn(decision)
  if (merge === undefined) return undefined
  const { rules, head, target, files, facts = {}, landed } = decision
  const blobOf = (file: string) => files.find(({ path }) => path === file)?.blob ?? null
  return {
    merge: { endpoint: merge.call.endpoint, at: merge.at },
    rules: rules.flatMap(({ key, name, file, line }) =>
      merge.call.rules.includes(key) ? [{ name, file, line, blob: blobOf(file) }] : [],
    ),
    head,
    target,
    commit: landed?.commit ?? merge.created,
    tree: landed?.tree,
    pipeline: facts.pipeline,
    approvals: facts.approved_by,
    facts,
  }
}
