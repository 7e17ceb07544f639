// Describes deliveries, decisions, dry runs and receipts of merges for the terminal.

import type { DecisionResponse } from '../../admin/api/routes/decisions.ts'
import type { DecisionComparison } from '../../admin/api/routes/replays.ts'
import type { DecisionRecord, Replay } from '../../journal/types.ts'
import type { Receipt } from '../../rules/explain/decision-outcome.ts'
import { explainDecision, words } from '../../rules/explain/explain.ts'
import { sayVerdict } from '../../rules/explain/verdict.ts'
import { fullRefName, isMergeRequest, type NamedRef } from '../../rules/facts/definition/subject-ref.ts'
import { cut } from '../../rules/language/values/wording.ts'
import { plain } from '../output/terminal-text.ts'

/** `group/app!12 · title` or `group/app#12 · title` for a line or a cell. */
export const describeMergeRequest = (ref: NamedRef) => plain(cut(fullRefName(ref), 79))

/** A line with its page of the service; none if that is unknown. */
export const describeLink = ({ url }: NamedRef) => (url === undefined ? [] : [plain(`  link     ${url}`)])

/** Several calls of one action read as one. */
export function describeOutcome({ responses, calls }: Pick<DecisionRecord, 'responses' | 'calls'>): string {
  if (calls.length === 0) return 'nothing to do'
  const results = new Map<string, Set<string>>()
  for (const [at, { action }] of calls.entries())
    results.set(action, (results.get(action) ?? new Set()).add(words(responses[at]?.result ?? 'not sent')))
  return [...results].map(([action, each]) => `${action}: ${[...each].join(' and ')}`).join(', ')
}

export function describeDecision(decision: DecisionRecord): string[] {
  const { id, mergeRequest, at, tookMs, calls, responses } = decision
  return [
    `decision ${id} of ${describeMergeRequest(mergeRequest)} at ${at}`,
    ...describeLink(mergeRequest),
    ...describeReplayOf(decision),
    ...(isMergeRequest(mergeRequest) ? [plain(`  verdict  ${sayVerdict(decision)}`)] : []),
    ...explainDecision({ ...decision, calls: [] }).map((line) => `  ${plain(line)}`),
    ...calls.map(({ action, endpoint }, index) =>
      plain(`  call     ${action} (${endpoint}): ${describeResponse(responses[index])}`),
    ),
    `  took     ${tookMs} ms`,
  ]
}

function describeResponse(response: DecisionRecord['responses'][number] | undefined): string {
  if (response === undefined) return 'not sent'
  const { status, result, tookMs, message } = response
  const why = message === undefined ? '' : `: ${message}`
  return `${words(result)}${status === null ? '' : `, ${status}`}, ${tookMs} ms${why}`
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

/** The receipt of a merge, a line for each part. */
export function describeReceipt({ id, mergeRequest }: DecisionResponse, receipt: Receipt): string[] {
  const { endpoint, at, rules, head, target, commit, tree, pipeline, approvals, facts } = receipt
  const lines = [
    ['merge', `${endpoint} at ${at}`],
    ...rules.map(({ name, file, line, blob }) => ['rule', `${name} (${file}:${line}, blob ${blob})`]),
    ['head', `${head} into ${target}`],
    ['commit', commit ?? 'not known'],
    ['tree', tree ?? 'not known: only a merge queue that tests with git knows it'],
    ['pipeline', pipeline ?? 'not read'],
    ['approvals', Array.isArray(approvals) ? `${approvals.join(', ') || 'none counted'}, for ${head}` : 'not read'],
    ...Object.entries(facts).map(([name, value]) => ['fact', `${name} = ${JSON.stringify(value)}`]),
  ]
  const title = `receipt of ${describeMergeRequest(mergeRequest)}, decision ${plain(id)}`
  return [title, ...lines.map(([name, text]) => plain(`  ${String(name).padEnd(10)}${text}`))]
}
