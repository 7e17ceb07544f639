// Every merge by Bellhop was of the evaluated head, with its own green pipeline, for a reason that the rules give.
import { isEvaluationRead } from './calls.ts'
import { isDraft, mayMergeUpdate } from './expected.ts'
import { actionsOf, type History, pipelineWithin, statesWithin } from './history.ts'
import type { CallEntry, SoakRecord, Violation } from './record.ts'
import { offLabel } from './rules.ts'

const promise = 'a merge is of what was evaluated'

/** Merges by the bot's user for which that cannot be said. */
export function wrongMerges({ bot }: SoakRecord, histories: readonly History[]): Violation[] {
  return histories.flatMap((history) => {
    const merged = history.changes.findIndex(({ mergeRequest }) => mergeRequest.state === 'merged')
    const change = history.changes[merged]
    const before = history.changes[merged - 1]
    if (change === undefined || before === undefined || change.mergeRequest.merged_by_id !== bot.id) return []
    return problemsOf(history, { head: before.mergeRequest.sha, at: change.at }).map((detail) => ({
      promise,
      mergeRequest: history.name,
      detail,
    }))
  })
}

/** How many merges were Bellhop's. */
export function ownMerges({ bot }: SoakRecord, histories: readonly History[]): number {
  return histories.filter(({ last }) => last.state === 'merged' && last.merged_by_id === bot.id).length
}

function problemsOf(history: History, { head, at }: { head: string; at: number }): string[] {
  const accept = history.calls.findLast((call) => call.endpoint === 'mergeRequests.accept' && call.at < at)
  if (accept === undefined) return ['it was merged as Bellhop, and Bellhop did not ask for it']
  if (accept.params.sha !== head)
    return [`${head.slice(0, 8)} was merged, Bellhop had evaluated ${String(accept.params.sha).slice(0, 8)}`]
  // Bellhop reads the merge request and its head pipeline last before it asks: it may have seen any state since then.
  const read = history.calls.findLast((call) => isEvaluationRead(call) && call.at < accept.at)
  if (read === undefined) return ['it was merged unread']
  const waits = accept.params.merge_when_pipeline_succeeds === true
  // Where the service was asked to wait, the pipeline has to be green when it merges; the rest, when it was asked.
  const statuses = pipelineWithin(history, head, waits ? at : read.at, at)
  const reasons = statesWithin(history, read.at, waits ? accept.at : at).filter((state) =>
    isReason(history, state, read, accept),
  )
  return [
    ...(statuses.includes('success') ? [] : [`the pipeline of ${head.slice(0, 8)} was ${statuses.join(', then ')}`]),
    ...(reasons.length > 0 ? [] : ['no rule asked for it when it was read']),
  ]
}

function isReason(history: History, state: History['last'], read: CallEntry, accept: CallEntry): boolean {
  const { labels } = state
  if (state.state !== 'opened' || isDraft(state) || state.target_branch !== 'master' || labels.includes(offLabel))
    return false
  if (labels.includes('automerge') && !labels.includes('hold')) return true
  if (mayMergeUpdate(history, state, read.at)) return true
  // A request is for the head that the comment was written on.
  return actionsOf(history, 'command').some(({ action, at, ended }) => {
    if ((action.word !== 'merge' && action.word !== 'ship') || action.by !== 'bob' || at > accept.at) return false
    return statesWithin(history, at, ended).some(({ sha }) => sha === state.sha)
  })
}
