// What a merge request is like for a while, and its service cannot tell afterwards: kept with each decision, for a backtest (DESIGN §2.6).
import type { FactName } from './facts/index.ts'
import type { DecideInput, Json } from './types.ts'
import { createView } from './view.ts'

/** Small ones only; texts without bounds, such as the description, are left out. */
export const passing: readonly FactName[] = [
  ...(['state', 'draft', 'labels', 'title', 'milestone', 'target_branch', 'subscribed', 'discussion_locked', 'pipeline'] as const),
  ...(['assignee', 'assignees', 'assigned', 'reviewers', 'author_access', 'upvotes', 'downvotes', 'user_notes_count'] as const),
  ...(['approvals_left', 'approvals_required', 'approvals_given', 'approved_by', 'approved_by_bot'] as const),
  ...(['has_conflicts', 'mergeability', 'discussions_resolved', 'merge_when_pipeline_succeeds'] as const),
  ...(['squash', 'remove_source_branch', 'time_estimate', 'time_spent'] as const),
]

/** The service allows titles of 255 characters, and nobody needs a hundred labels. */
const MOST = { characters: 1_000, entries: 100 }

const isSmall = (value: Json) =>
  (typeof value !== 'string' || value.length <= MOST.characters) &&
  (!Array.isArray(value) || (value.length <= MOST.entries && value.every(isSmall)))

/** The passing facts that the answers at hand tell whole. Nothing is read for them. */
export function passingFacts(input: DecideInput): Record<string, Json> {
  const view = createView(input)
  return Object.fromEntries(
    passing.flatMap((name) => {
      const fact = view.fact(name)
      return fact.is === 'known' && fact.complete && isSmall(fact.value) ? [[name, fact.value] as const] : []
    }),
  )
}
