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
 * What shows that the call came: a delivery of Bellhop's own account that brings all that was wanted; or, where the call changed labels alone,
 * that there is nothing left to do: each is as it was wanted, or was undone since by somebody, of whose will the label speaks now. Every label was otherwise
 * when it was judged, so one that is otherwise again was undone, if a delivery shows that it was changed since, and not only by others for themselves.
 * Anything less is no proof for the rest of the call, and what still differs is sent again.
 */
export function cameOfLabels({ action, with: others, params, before }: Call, { body, bot, events }: AfterLoss): Came {
  const mergeRequest = body('mergeRequest')
  const present = isMap(mergeRequest) && Array.isArray(mergeRequest.labels) ? (mergeRequest.labels as unknown[]) : undefined
  if (present === undefined) return 'not done'
  const moment = isMap(before) ? before.labels : undefined
  const changedAt = textIn(moment, 'changedAt')
  const news = heardSince(events, textIn(moment, 'heard'))
  const wanted = wantedOf(params)
  const own = news.filter((event) => isOwn(event, bot) && orderOf(event, changedAt) >= 0)
  if (own.some((event) => wanted.every((each) => brings(event, each)))) return 'done'
  if (action !== 'label' || others !== undefined) return 'not done'
  const later = news.filter((event) => orderOf(event, changedAt) > 0)
  const isUndone = (each: Wanted) => {
    if (own.some((event) => brings(event, each))) return true
    const first = later.find((event) => brings(event, each) || brings(event, { ...each, on: !each.on }))
    // Somebody who put it on and took it off again has undone nothing of Bellhop's.
    return first !== undefined && !brings(first, each)
  }
  return wanted.every((each) => present.includes(each.name) === each.on || isUndone(each)) ? 'done' : 'not done'
}

/** In the order in which they came: the clocks of those who receive and those who call may differ. */
function heardSince(events: readonly Occurrence[], newest: string | undefined): Event[] {
  return events.slice(events.findLastIndex(({ id }) => id === newest) + 1).map(({ event }) => event)
}

const brings = ({ labels }: Event, { name, on }: Wanted) => (on ? labels?.added : labels?.removed)?.includes(name) === true

/** 0 or more: it tells of a change that is no older than what was judged, by the service's clock alone; of the same second it may be either. */
function orderOf({ labels }: Event, changedAt: string | undefined): number {
  const [told, read] = [parseTime(labels?.at), parseTime(changedAt)]
  if (told === undefined || read === undefined) return Number.NEGATIVE_INFINITY
  const step = isExact(labels?.at) && isExact(changedAt) ? 1 : 1000
  return Math.floor(told / step) - Math.floor(read / step)
}

/** Deliveries mostly say whole seconds. */
const isExact = (time: string | undefined) => time?.includes('.') === true
