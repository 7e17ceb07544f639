// At rest: whether what a decision leaned on shows in the merge request's `updated_at` when it changes. A sweep leaves such a one alone.
import { facts } from './facts/index.ts'
import type { Decision, RuleTrace, Trace } from './types.ts'
import { isWithdrawal } from './withdrawal.ts'

/**
 * Facts that cannot change without `updated_at`, or that a timer follows (ages and the clock), or that an event alone brings. Any other fact
 * counts as one that changes unseen: a pipeline, approvals, votes, the service's word on mergeability, settings, people's access.
 */
export const shownByUpdate = [
  ...['title', 'description', 'labels', 'milestone', 'draft', 'state', 'discussion_locked', 'squash', 'remove_source_branch'],
  ...['assigned', 'assignee', 'assignees', 'reviewers', 'target_branch', 'web_url', 'time_estimate', 'time_spent', 'user_notes_count'],
  ...['head', 'changed_files', 'changed_files_count', 'lines_changed', 'versions_count'],
  ...['commit_authors', 'commit_messages', 'commit_titles', 'commits_count'],
  ...['age', 'updated', 'inactive_for', 'clock'],
] as const

const shown: ReadonlySet<string> = new Set([
  ...shownByUpdate,
  ...Object.entries(facts).flatMap(([name, fact]) =>
    ('stable' in fact && fact.stable) || ('ofEvents' in fact && fact.ofEvents) ? [name] : [],
  ),
])

/** True when nothing but a change of `updated_at`, a timer or an event can lead to another decision, and all withdrawals are done. */
export function isAtRest(decision: Pick<Decision, 'rules' | 'paused' | 'answers'>): boolean {
  if (decision.answers.some(({ call, result }) => isWithdrawal(call) && result !== 'done' && result !== 'already')) return false
  // The label that turns Bellhop off shows in `updated_at`; a pause for flips wakes by itself.
  return decision.paused !== undefined || decision.rules.every(ruleRests)
}

function ruleRests({ conditions, actions, event, verdict }: RuleTrace): boolean {
  // Judged once for its event; what stays of it as a request waits.
  if (event !== undefined && verdict !== 'true') return actions.every(({ result }) => result !== 'waits')
  return rests(conditions) && actions.every(({ result }) => result !== 'waits' && result !== 'held back')
}

/** Whether the verdict stays until something shows. */
function rests({ condition, verdict, children }: Trace): boolean {
  if (children === undefined) return shown.has(condition)
  // One part that stays as it is settles the whole: a rule for another author does not wait for its pipeline.
  const settling = condition === 'all' ? 'false' : condition === 'any' ? 'true' : undefined
  if (verdict === settling) return children.some((child) => child.verdict === settling && rests(child))
  return children.every(rests)
}
