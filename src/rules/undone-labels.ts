// What became of a change of labels whose answer was lost: by the labels as they are, and by what deliveries told of them since. Pure.
import type { AfterLoss, JoinInput } from './action.ts'
import { parseTime } from './facts/time.ts'
import { isOwn } from './own-event.ts'
import { isMap } from './shapes.ts'
import type { Call, Came, Event, Json, Occurrence } from './types.ts'

/** A label that the call was to put on (`on`) or to take off. */
interface Wanted {
  name: string
  on: boolean
}

const listed = (value: unknown) => (typeof value === 'string' ? value.split(',') : [])
const textIn = (body: unknown, name: string) => (isMap(body) && typeof body[name] === 'string' ? body[name] : undefined)

function wantedOf({ add_labels, remove_labels }: Call['params']): Wanted[] {
  return [...listed(add_labels).map((name) => ({ name, on: true })), ...listed(remove_labels).map((name) => ({ name, on: false }))]
}

/** What is to be known later of the moment at which labels were judged: when the merge request was last changed, and what was last heard of it. */
export function beforeLabels({ body, heard }: Pick<JoinInput, 'body' | 'heard'>): Json {
  const changedAt = textIn(body('mergeRequest'), 'updated_at')
  return { labels: { ...(changedAt === undefined ? {} : { changedAt }), ...(heard === undefined ? {} : { heard }) } }
}

/**
 * Every label that a call changes was otherwise when it was judged. So one that was changed since, and is otherwise again, was undone by
 * somebody; and one that is as the call wanted it is so by the call, unless somebody else is known to have done it. Either tells that the
 * call came, and it came as a whole. Where nothing tells, it did not come: what still differs is sent again.
 */
export function cameOfLabels({ params, before }: Call, { body, bot, events }: AfterLoss): Came {
  const mergeRequest = body('mergeRequest')
  const present = isMap(mergeRequest) && Array.isArray(mergeRequest.labels) ? (mergeRequest.labels as unknown[]) : undefined
  if (present === undefined) return 'not done'
  const moment = isMap(before) ? before.labels : undefined
  const news = heardSince(events, textIn(moment, 'heard'))
  const changedAt = textIn(moment, 'changedAt')
  const tells = (wanted: Wanted) =>
    present.includes(wanted.name) === wanted.on
      ? !news.some((event) => !isOwn(event, bot) && brings(event, wanted))
      : news.some((event) => wasSo(event, wanted, changedAt))
  return wantedOf(params).some(tells) ? 'done' : 'not done'
}

/** In the order in which they came: the clocks of those who receive and those who call may differ. */
function heardSince(events: readonly Occurrence[], newest: string | undefined): Event[] {
  return events.slice(events.findLastIndex(({ id }) => id === newest) + 1).map(({ event }) => event)
}

const brings = ({ labels }: Event, { name, on }: Wanted) => (on ? labels?.added : labels?.removed)?.includes(name) === true

/** Whether the event tells that the label was so at some moment since: after it, or before it where nothing older can be meant. */
function wasSo(event: Event, wanted: Wanted, changedAt: string | undefined): boolean {
  const order = compareTimes(event.labels?.at, changedAt)
  if (order === undefined || order < 0) return false
  return brings(event, wanted) || (order > 0 && brings(event, { ...wanted, on: !wanted.on }))
}

/** By the service's clock alone. Deliveries mostly say whole seconds: two within one are as good as equal. */
function compareTimes(told: string | undefined, read: string | undefined): number | undefined {
  const [one, other] = [parseTime(told), parseTime(read)]
  if (told === undefined || one === undefined || other === undefined) return undefined
  const step = told.includes('.') ? 1 : 1000
  return Math.floor(one / step) - Math.floor(other / step)
}
