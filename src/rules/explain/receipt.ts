// The receipt of a merge: everything that it was decided on.
import type { CallResponse, Decision, Json } from '../types.ts'

/** The response to the call that merged it, or made the service or the merge queue merge it later. */
export const mergeIn = ({ responses }: Pick<Decision, 'responses'>): CallResponse | undefined =>
  responses.find(
    ({ call: { action, revalidate, to }, result }) =>
      action === 'accept' && (revalidate === true || to === 'queue') && (result === 'done' || result === 'already'),
  )

export type Receipt = NonNullable<ReturnType<typeof receiptOf>>

/**
 * Undefined for a decision that merged nothing. Approvals are those that counted, for the content of the head. `landed`:
 * by a merge queue, which knows no tree if it tested without git.
 */
export function receiptOf(
  decision: Decision & { facts?: Record<string, Json> },
  landed: { commit?: Json; tree?: string } = {},
) {
  const merge = mergeIn(decision)
  if (merge === undefined) return undefined
  const { rules, head, target, files, facts = {} } = decision
  const { endpoint, rules: keys } = merge.call
  const { commit = merge.created, tree } = landed
  const of = rules.filter(({ key }) => keys.includes(key))
  const blobOf = (file: string) => files.find(({ path }) => path === file)?.blob ?? null
  return {
    endpoint,
    at: merge.at,
    head,
    target,
    commit,
    tree,
    rules: of.map(({ name, file, line }) => ({ name, file, line, blob: blobOf(file) })),
    pipeline: facts.pipeline,
    approvals: facts.approved_by,
    facts,
  }
}
