// How deliveries, decisions and dry runs are said on a terminal.
import type { Beside } from '../../admin/beside.ts'
import type { DecisionRecord, Replay } from '../../journal/types.ts'
import { explainDecision } from '../../rules/explain.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import { plain } from '../terminal-text.ts'

export const sayOne = ({ project, iid }: MergeRequestRef) => (iid === 0 ? `project ${project}` : `${project}!${iid}`)

/** What came of it, in a word or two. */
export function sayOutcome({ answers, calls }: Pick<DecisionRecord, 'answers' | 'calls'>): string {
  if (calls.length === 0) return 'nothing to do'
  return answers.map(({ call, result }) => `${call.action}: ${result}`).join(', ')
}

export function sayDecision(decision: DecisionRecord): string[] {
  const { id, mergeRequest, at, tookMs, answers } = decision
  return [
    `decision ${id} of ${sayOne(mergeRequest)} at ${at}`,
    ...sayReplayOf(decision),
    ...explainDecision(decision).map((line) => `  ${plain(line)}`),
    ...answers.map(({ call, status, result, tookMs: took, message }) =>
      plain(
        `  call     ${call.action} (${call.endpoint}): ${result}${status === null ? '' : `, ${status}`}, ${took} ms${message === undefined ? '' : `: ${message}`}`,
      ),
    ),
    `  took     ${tookMs} ms`,
  ]
}

const sayReplayOf = ({ replayOf = [] }: DecisionRecord) =>
  replayOf.map(({ of, id, number }) => `  replay   ${number} of ${of} ${plain(id)}`)

export function sayReplays(replays: readonly Replay[]): string[] {
  return replays.map(({ at, by, why }) => `  replayed ${at} by ${plain(by)}${why === undefined ? '' : `: ${plain(why)}`}`)
}

/** What was decided then, and what would be decided now. */
export function sayBeside({ mergeRequest, before, says, changed }: Beside): string[] {
  const acted = before.filter(({ calls }) => calls.length > 0)
  const then = acted.length > 0 ? acted.map(sayOutcome).join('; ') : before.length > 0 ? 'nothing to do' : 'nothing was decided'
  return [
    sayOne(mergeRequest),
    `  then     ${plain(then)}`,
    `  now      ${plain(says)}`,
    ...changed.map(({ rule, file, was, is }) => plain(`  changed  ${rule} (${file}): ${was ?? 'no such rule'} → ${is ?? 'no such rule'}`)),
  ]
}
