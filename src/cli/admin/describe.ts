// Describes deliveries, decisions and dry runs for the terminal.
import type { DecisionComparison } from '../../admin/api/decision-comparison.ts'
import type { DecisionRecord, Replay } from '../../journal/types.ts'
import { explainDecision, words } from '../../rules/explain/explain.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import { plain } from '../output/terminal-text.ts'

export const describeMergeRequest = ({ project, iid }: MergeRequestRef) =>
  iid === 0 ? `project ${project}` : `${project}!${iid}`

export function describeOutcome({ responses, calls }: Pick<DecisionRecord, 'responses' | 'calls'>): string {
  if (calls.length === 0) return 'nothing to do'
  return responses.map(({ call, result }) => `${call.action}: ${words(result)}`).join(', ')
}

export function describeDecision(decision: DecisionRecord): string[] {
  const { id, mergeRequest, at, tookMs, responses } = decision
  return [
    `decision ${id} of ${describeMergeRequest(mergeRequest)} at ${at}`,
    ...describeReplayOf(decision),
    ...explainDecision(decision).map((line) => `  ${plain(line)}`),
    ...responses.map(({ call, status, result, tookMs: took, message }) =>
      plain(
        `  call     ${call.action} (${call.endpoint}): ${words(result)}${status === null ? '' : `, ${status}`}, ${took} ms${message === undefined ? '' : `: ${message}`}`,
      ),
    ),
    `  took     ${tookMs} ms`,
  ]
}

const describeReplayOf = ({ replayOf = [] }: DecisionRecord) =>
  replayOf.map(({ of, id, number }) => `  replay   ${number} of ${of} ${plain(id)}`)

export function describeReplays(replays: readonly Replay[]): string[] {
  return replays.map(
    ({ at, by, why }) => `  replayed ${at} by ${plain(by)}${why === undefined ? '' : `: ${plain(why)}`}`,
  )
}

export function describeComparison({ mergeRequest, before, summary, changed }: DecisionComparison): string[] {
  const acted = before.filter(({ calls }) => calls.length > 0)
  const then =
    acted.length > 0 ? acted.map(describeOutcome).join('; ') : before.length > 0 ? 'nothing to do' : 'no decision'
  return [
    describeMergeRequest(mergeRequest),
    `  then     ${plain(then)}`,
    `  now      ${plain(summary)}`,
    ...changed.map(({ rule, file, before: old, now }) =>
      plain(`  changed  ${rule} (${file}): ${old ?? 'no such rule'} → ${now ?? 'no such rule'}`),
    ),
  ]
}
