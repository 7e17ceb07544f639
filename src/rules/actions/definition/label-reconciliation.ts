// The outcome of a label change whose response was lost: from the present labels and the service's record of changes.
import { items, parseTime, type ShownLabelEvent } from '../../facts/definition/service-values.ts'
import { sources } from '../../facts/definition/sources.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Call, CallOutcome } from '../../types.ts'
import type { ReconcileInput } from './action.ts'

/** A label that the call adds (`on`) or removes. */
interface LabelChange {
  name: string
  on: boolean
}

const listed = (value: unknown) => (typeof value === 'string' ? value.split(',') : [])

function changesOf({ add_labels, remove_labels }: Call['params']): LabelChange[] {
  return [
    ...listed(add_labels).map((name) => ({ name, on: true })),
    ...listed(remove_labels).map((name) => ({ name, on: false })),
  ]
}

/**
 * `before.labels`: when the evaluated state was last changed. The call was done if the service recorded Bellhop's changes since
 * then, though somebody undid them; and if it changed only labels, which are as expected. Else what differs is sent again.
 */
export function labelCallOutcome(
  { action, with: others, params, before }: Call,
  { body, bot }: ReconcileInput,
): CallOutcome {
  const mergeRequest = body('mergeRequest')
  const present =
    isMap(mergeRequest) && Array.isArray(mergeRequest.labels) ? (mergeRequest.labels as unknown[]) : undefined
  const changes = changesOf(params)
  if (action === 'label' && others === undefined && changes.every(({ name, on }) => present?.includes(name) === on))
    return 'done'
  const recorded = items(body(sources.labelEvents.name) as readonly ShownLabelEvent[])
  const since = parseTime(isMap(before) && before.labels) ?? Number.POSITIVE_INFINITY
  const isRecorded = ({ name, on }: LabelChange) =>
    recorded?.some(
      (each) =>
        each?.action === (on ? 'add' : 'remove') &&
        each.label?.name === name &&
        each.user?.id === bot.id &&
        Number(parseTime(each.created_at)) >= since,
    )
  return changes.every(isRecorded) ? 'done' : 'not_done'
}
