// What Bellhop may call: it reverts only what it did itself, leaves alone what is turned off, and acts only for a rule.
import { endpointsByName } from '../src/api/index.ts'
import { actionsOf, type History, statesWithin } from './history.ts'
import type { CallEntry, SoakRecord, Violation } from './record.ts'
import { offLabel, ownLabels } from './rules.ts'

/** Calls that change something, with the parameters that the soak's rules can lead to. */
const allowed: Record<string, readonly string[]> = {
  'mergeRequests.update': ['add_labels', 'remove_labels'],
  'mergeRequests.timeEstimate': ['duration'],
  'mergeRequests.addSpentTime': ['duration'],
  'mergeRequests.subscribe': [],
  'mergeRequests.approve': ['sha'],
  'mergeRequests.unapprove': [],
  // The client sends the wait under both of its names (src/api/aliases.ts).
  'mergeRequests.accept': ['sha', 'should_remove_source_branch', 'merge_when_pipeline_succeeds', 'auto_merge'],
  'mergeRequests.cancelMergeWhenPipelineSucceeds': [],
  'mergeRequests.notes.create': ['body'],
  'mergeRequests.notes.update': ['note_id', 'body'],
  'mergeRequests.notes.delete': ['note_id'],
}
const writes = ({ endpoint }: CallEntry) => endpointsByName.get(endpoint)?.method !== 'GET'

const split = (labels: unknown): string[] => (typeof labels === 'string' && labels !== '' ? labels.split(',') : [])

/** Calls that take back what Bellhop had not done, or that no rule asks for. */
export function wrongCalls(record: SoakRecord, histories: readonly History[]): Violation[] {
  const strange = record.calls
    .filter((call) => call.caller === record.bot.username && writes(call))
    .flatMap((call) => strangeIn(call))
  return [
    ...strange,
    ...histories.flatMap((history) => history.calls.flatMap((call) => withdrawsOthers(record, history, call))),
  ]
}

function strangeIn(call: CallEntry): Violation[] {
  const may = allowed[call.endpoint]
  const given = Object.entries(call.params).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const other = given.filter((name) => name !== 'id' && name !== 'merge_request_iid' && may?.includes(name) !== true)
  if (may !== undefined && other.length === 0) return []
  return [
    {
      promise: 'only what rules ask for is called',
      detail: `${call.endpoint} with ${other.join(', ') || 'its parameters'}`,
    },
  ]
}

function withdrawsOthers(record: SoakRecord, history: History, call: CallEntry): Violation[] {
  const wrong = (detail: string): Violation => ({
    promise: 'only what Bellhop did itself is taken back',
    mergeRequest: history.name,
    detail,
  })
  const before = statesWithin(history, call.at, call.at)[0]
  switch (call.endpoint) {
    case 'mergeRequests.update':
      return split(call.params.remove_labels)
        .filter((label) => !wasPutOn(history, label, call.at))
        .map((label) => wrong(`the label ${label} was taken off, which Bellhop had not put on`))
    case 'mergeRequests.unapprove': {
      const ever = history.changes.some(
        ({ at, mergeRequest }) => at < call.at && mergeRequest.approved_by.includes(record.bot.id),
      )
      return ever ? [] : [wrong('an approval was taken back that was never given')]
    }
    case 'mergeRequests.cancelMergeWhenPipelineSucceeds': {
      const by = before?.auto_merge?.user_id
      return by === undefined || by === record.bot.id
        ? []
        : [wrong(`the merge that user ${by} had asked for was cancelled`)]
    }
    case 'mergeRequests.notes.delete': {
      const author = history.notes.find(({ id }) => id === call.params.note_id)?.author
      return author === record.bot.id
        ? []
        : [wrong(`note ${call.params.note_id} was removed, which user ${author} wrote`)]
    }
    default:
      return []
  }
}

/** Whether Bellhop did it: people put its labels on only when they open a merge request. */
function wasPutOn({ changes }: History, label: string, before: number): boolean {
  if (!ownLabels.some((own) => own === label)) return false
  return changes.some(({ at, mergeRequest }, index) => {
    const previous = changes[index - 1]?.mergeRequest
    return (
      previous !== undefined && at < before && mergeRequest.labels.includes(label) && !previous.labels.includes(label)
    )
  })
}

/** What Bellhop holds is taken back when a merge request is turned off; each call is checked for whose it was. */
function takesBack({ endpoint, params }: CallEntry): boolean {
  if (endpoint === 'mergeRequests.update') return params.add_labels === undefined
  return [
    'mergeRequests.unapprove',
    'mergeRequests.cancelMergeWhenPipelineSucceeds',
    'mergeRequests.notes.delete',
  ].includes(endpoint)
}

/** A person who writes a command gets an answer all the same. */
const answers = ({ endpoint, params }: CallEntry) =>
  /^mergeRequests\.notes\.(?:create|update)$/.test(endpoint) && /^`[a-z][a-z0-9_-]*`: /.test(String(params.body))

/** Evaluations ask for this too; the job that notes changed rules, which runs at the same time, does not. */
export const isEvaluationRead = ({ endpoint, params }: CallEntry) =>
  endpoint === 'mergeRequests.get' && params.include_rebase_in_progress === true

/**
 * Calls that do something new for merge requests that are turned off. Bellhop can know of the label once it has read
 * the merge request after the service answered whoever put it on. It runs one evaluation of a merge request at a time,
 * and each begins with that reading: so a call after it was decided on, or checked against, a state with the label.
 * Calls that were decided on before may still come; they are allowed.
 */
export function callsWhileOff(histories: readonly History[]): Violation[] {
  return histories.flatMap((history) => {
    const labels = actionsOf(history, 'label')
    const off = labels.filter(({ action }) => action.add === offLabel)
    return off.flatMap(({ ended }) => {
      const on =
        labels.find(({ action, at }) => action.remove === offLabel && at > ended)?.at ?? Number.MAX_SAFE_INTEGER
      const known = history.calls.find((call) => isEvaluationRead(call) && call.at > ended)?.at
      if (known === undefined) return []
      return history.calls
        .filter((call) => writes(call) && !takesBack(call) && !answers(call) && call.at > known && call.at < on)
        .map(({ endpoint }) => ({
          promise: 'what is turned off is left alone',
          mergeRequest: history.name,
          detail: `${endpoint} was called although ${offLabel} had been read`,
        }))
    })
  })
}
