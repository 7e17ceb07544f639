// The outcome of a label change whose response was lost: from the present labels and later deliveries.

import { isOwn } from '../../facts/definition/access.ts'
import { parseTime } from '../../facts/definition/service-values.ts'
import type { Json } from '../../language/values/rule-types.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Call, CallOutcome, Event, Occurrence } from '../../types.ts'
import type { JoinInput, ReconcileInput } from './action.ts'

/** A label that the call adds (`on`) or removes. */
interface LabelChange {
  name: string
  on: boolean
}

const listed = (value: unknown) => (typeof value === 'string' ? value.split(',') : [])
const textIn = (body: unknown, name: string) => (isMap(body) && typeof body[name] === 'string' ? body[name] : undefined)

function changesOf({ add_labels, remove_labels }: Call['params']): LabelChange[] {
  return [
    ...listed(add_labels).map((name) => ({ name, on: true })),
    ...listed(remove_labels).map((name) => ({ name, on: false })),
  ]
}

/** The moment of the evaluation: when the merge request was last changed, and its newest delivery. */
export function stateBeforeLabels({ body, events }: Pick<JoinInput, 'body' | 'events'>): Json {
  const changedAt = textIn(body('mergeRequest'), 'updated_at')
  return { labels: { changedAt: changedAt ?? null, heard: events.at(-1)?.id ?? null } }
}

/**
 * The call was done if a delivery of Bellhop's own account shows all expected changes. It also counts as done if it
 * changed only labels, and each label is now as expected or somebody undid the change. At the evaluation every label
 * differed, so a label that differs now was undone if a delivery shows its change. A change that somebody else made and
 * reverted does not count. Without this proof the remaining difference is sent again.
 */
export function labelCallOutcome(
  { action, with: others, params, before }: Call,
  { body, bot, events }: ReconcileInput,
): CallOutcome {
  const mergeRequest = body('mergeRequest')
  const present =
    isMap(mergeRequest) && Array.isArray(mergeRequest.labels) ? (mergeRequest.labels as unknown[]) : undefined
  if (present === undefined) return 'not_done'
  const moment = isMap(before) ? before.labels : undefined
  const changedAt = textIn(moment, 'changedAt')
  const news = eventsSince(events, textIn(moment, 'heard'))
  const changes = changesOf(params)
  const own = news.filter((event) => isOwn(event, bot) && orderOf(event, changedAt) >= 0)
  if (own.some((event) => changes.every((each) => brings(event, each)))) return 'done'
  if (action !== 'label' || others !== undefined) return 'not_done'
  const later = news.filter((event) => orderOf(event, changedAt) > 0)
  const isUndone = (each: LabelChange) => {
    if (own.some((event) => brings(event, each))) return true
    const first = later.find((event) => brings(event, each) || brings(event, { ...each, on: !each.on }))
    // Somebody who added and removed it has undone nothing of Bellhop's.
    return first !== undefined && !brings(first, each)
  }
  return changes.every((each) => present.includes(each.name) === each.on || isUndone(each)) ? 'done' : 'not_done'
}

/** The events after this delivery, in order of arrival: clocks may differ. */
function eventsSince(events: readonly Occurrence[], newest: string | undefined): Event[] {
  return events.slice(events.findLastIndex(({ id }) => id === newest) + 1).map(({ event }) => event)
}

const brings = ({ labels }: Event, { name, on }: LabelChange) =>
  (on ? labels?.added : labels?.removed)?.includes(name) === true

/** Negative if the change is older than the evaluated state, by the service's clock; 0 in the same second. */
function orderOf({ labels }: Event, changedAt: string | undefined): number {
  const [labelsAt, readAt] = [parseTime(labels?.at), parseTime(changedAt)]
  if (labelsAt === undefined || readAt === undefined) return Number.NEGATIVE_INFINITY
  const step = isExact(labels?.at) && isExact(changedAt) ? 1 : 1000
  return Math.floor(labelsAt / step) - Math.floor(readAt / step)
}

/** Most deliveries have whole seconds. */
const isExact = (time: string | undefined) => time?.includes('.') === true
