// The same event by two hooks, a group's and a project's (hosting-service.md §1.1): it counts once, and the second delivery mostly costs no evaluation (docs/decisions/0011-what-comes-in.md).
import type { Logger } from 'pino'
import type { Journal, MailboxEntry } from '../journal/types.ts'
import type { JobResult, Lane } from '../queue/types.ts'
import type { Event, Memory, MergeRequestRef } from '../rules/types.ts'
import { isWithinHashWindow } from './delivery-id.ts'
import { keyOf, type MergeRequestJob } from './merge-request-job.ts'
import type { DeliveryJob } from './receive.ts'

export interface SameEventOptions {
  journal: Journal
  /** Where a copy waits until the first is judged. */
  deliveries: Lane<DeliveryJob>
  mergeRequests: Lane<MergeRequestJob>
  now: () => number
  log: Logger
}

/** What a delivery brings that another, `first`, has brought before. */
export interface Copy {
  deliveryId: string
  event: Event
  content: string
  first: string
}

// The evaluation of the first has mostly begun when the second comes.
const firstLookMs = 1_000
// What happened within one second of `updated_at` is mostly heard within so long.
const overtakenWithinMs = 10_000
// Longer than evaluations take; one that rests or waits in line is woken, or not put in line twice.
const lastLookMs = 15_000

/** Wakes the merge request where the copy may stand for more than the first did: what was done, undone and done again may look alike. */
export async function heedCopy(options: SameEventOptions, ref: MergeRequestRef, copy: Copy): Promise<void> {
  const { journal, deliveries, mergeRequests, log } = options
  const { deliveryId, event, first } = copy
  const look = await lookAt(options, ref, copy)
  log.info(
    { event: 'same event', delivery: deliveryId, first, mergeRequest: keyOf(ref), copy: look.is },
    'another delivery has brought the same event',
  )
  switch (look.is) {
    case 'judged':
      return
    case 'not judged yet': {
      const data = { is: 'again', delivery: deliveryId, why: 'copied', mergeRequest: ref, after: look.with } as const
      return void (await deliveries.add({ data, delayMs: firstLookMs }))
    }
    case 'perhaps another':
      // No rule is for it, but it is the newest that was heard from now on; which of two equal events it is, nobody knows.
      await journal.post(ref, { deliveryId, event: { kind: 'copy', actor: event.actor, at: event.at } })
      return void (await mergeRequests.add({ data: ref, oneAtATime: keyOf(ref) }))
    default:
      return look satisfies never
  }
}

/** Wakes the merge request only where what the copy waits for is not judged in good time: its evaluation may be lost, or among the failed. */
export async function lookAgain(
  { journal, mergeRequests, now }: SameEventOptions,
  { mergeRequest, after }: Extract<DeliveryJob, { why: 'copied' }>,
  addedAt: number,
): Promise<JobResult> {
  const mail = await journal.mailbox(mergeRequest)
  if (!holds(mail, after)) return { outcome: 'done' }
  const waitedMs = now() - addedAt
  if (waitedMs < lastLookMs)
    return { outcome: 'later', delayMs: Math.max(firstLookMs, waitedMs), reason: 'The first delivery of the event is not judged yet.' }
  await mergeRequests.add({ data: mergeRequest, oneAtATime: keyOf(mergeRequest) })
  return { outcome: 'done' }
}

/** `with`: the delivery whose evaluation, once it has come to its end, speaks for the copy as well. */
type Look = { is: 'judged' } | { is: 'not judged yet'; with: string } | { is: 'perhaps another' }

// Mail stays until an evaluation that has seen it comes to its end.
const holds = (mail: MailboxEntry[], delivery: string) => mail.some(({ deliveryId }) => deliveryId === delivery)

async function lookAt({ journal, now }: SameEventOptions, ref: MergeRequestRef, { event, content, first }: Copy): Promise<Look> {
  // No sweep would make good a mistake: an approval need not touch `updated_at`, by which other events mostly differ.
  if (/^merge_request\.(un)?approv(ed|al)$/.test(event.kind)) return { is: 'perhaps another' }
  const mail = await journal.mailbox(ref)
  if (happensOnce(event)) {
    if (holds(mail, first)) return { is: 'not judged yet', with: first }
    const { items } = await journal.decisions({ delivery: first, limit: 1 })
    return { is: items.length > 0 ? 'judged' : 'perhaps another' }
  }
  // What may be undone and done again was not, where nothing else was heard in between.
  const waits = (await journal.memory(ref))?.waits
  const newest = mail.at(-1)
  if (newest !== undefined)
    return contentOfNewest(mail, waits) === content ? { is: 'not judged yet', with: newest.deliveryId } : { is: 'perhaps another' }
  return { is: waits?.content === content && isWithinHashWindow(waits.since, now()) ? 'judged' : 'perhaps another' }
}

/**
 * What copies of the newest event are known by. Undefined where something of its kind was heard shortly before: deliveries may overtake one
 * another, and then it may have been undone since, and an equal one may be the event done once more.
 */
export function contentOfNewest(mail: readonly MailboxEntry[], waits: Memory['waits']): string | undefined {
  const newest = mail.at(-1)
  if (newest?.content === undefined) return undefined
  const before = mail.map(({ content, event }) => ({ content, kind: event.kind, at: Date.parse(event.at) }))
  // When it came, as with mail: it may have been judged long after, and what overtook it be read longer after still.
  if (waits !== undefined)
    before.push({ content: waits.content, kind: waits.kind ?? '', at: waits.at === undefined ? waits.since : Date.parse(waits.at) })
  const isNear = ({ at }: { at: number }) => Math.abs(Date.parse(newest.event.at) - at) <= overtakenWithinMs
  const mayUndo = ({ content, kind }: { content: string | undefined; kind: string }) =>
    content === undefined || (content !== newest.content && subjectOf(kind) === subjectOf(newest.event.kind))
  return before.some((each) => isNear(each) && mayUndo(each)) ? undefined : newest.content
}

const subjectOf = (kind: string) => kind.split('.')[0]

function happensOnce({ kind, note }: Event): boolean {
  return kind === 'merge_request.open' || (kind === 'note.create' && note !== undefined)
}
