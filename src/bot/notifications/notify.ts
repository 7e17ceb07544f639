// Sends notifications through a queue of their own to the operator's URL: each thing once, a storm as a summary.
import { wholeService } from '../../journal/tables/marks.ts'
import { asError } from '../../queue/errors.ts'
import type { JobResult, RunningJob } from '../../queue/types.ts'
import type { Context } from '../context.ts'
import type { ServiceCondition } from '../service/service-state.ts'
import {
  createNotification,
  type Notification,
  type NotificationContent,
  type NotificationCounts,
  type NotificationJob,
} from './notification.ts'
import { type OutboundPosts, type PostLimit, reservePost } from './outbound-posts.ts'

export type Notifier = ReturnType<typeof createNotifier>

const hourMs = 60 * 60_000
/** Counts for the next summary. */
const unsentMark = 'unsent notifications'
/** The limit of each kind; a summary counts the others. */
export const notificationLimit: PostLimit = { most: 10, windowMs: hourMs, longestWait: 0 }

/** Sends once for each `key` of its kind, after `delayMs`. Never throws: what cannot be queued is logged. */
export async function notify(context: Omit<Context, 'rules'>, content: NotificationContent, key: string, delayMs = 0) {
  const { operator, queues, log } = context
  if (operator.postNotification === undefined) return
  try {
    const at = new Date(context.now()).toISOString()
    const notification = createNotification(await withName(context, content), { key, at })
    await queues.notifications.add({ id: notification.id, data: { is: 'notification', notification }, delayMs })
  } catch (error) {
    log.error(
      { event: 'notification_not_enqueued', kind: content.kind, err: asError(error) },
      'the queue did not accept a notification',
    )
  }
}

async function withName({ journal }: Omit<Context, 'rules'>, content: NotificationContent) {
  const { project, iid } = 'project' in content.about ? content.about : {}
  if (project === undefined) return content
  const [{ path, ...name } = {}] = await journal.mergeRequests.names([{ project, iid }])
  const about = { ...content.about, ...(path === undefined ? {} : { projectPath: path }), ...name }
  return { ...content, about } as NotificationContent
}

/** The handler of the queue of notifications, and what tells of outages. */
export function createNotifier(context: Context, posts: OutboundPosts) {
  const { journal, now, log } = context
  const { notifications } = context.queues
  const changeUnsent = (to: (before?: NotificationCounts) => NotificationCounts) =>
    journal.marks.change(wholeService, unsentMark, to)

  /** True within the hourly limit of its kind; else it is counted for the summary. */
  async function maySend(kind: NotificationContent['kind']): Promise<boolean> {
    if ((await reservePost(context, `notifications ${kind}`, notificationLimit)) !== undefined) return true
    await changeUnsent((before = {}) => ({ ...before, [kind]: (before[kind] ?? 0) + 1 }))
    const hour = Math.floor(now() / hourMs)
    await notifications.add({ id: `summary-${hour}`, data: { is: 'summary' }, delayMs: (hour + 1) * hourMs - now() })
    return false
  }

  async function sendOne(
    notification: Notification & NotificationContent,
    job: RunningJob<NotificationJob>,
  ): Promise<JobResult> {
    if (!(await outages.isCurrent(notification))) return { outcome: 'done' }
    // A later run was counted already.
    if (job.isFirst && !(await maySend(notification.kind))) return { outcome: 'done' }
    const result = await send(notification, job)
    if (result.outcome === 'done') await outages.markSent(notification)
    return result
  }

  async function summarise(job: RunningJob<NotificationJob>): Promise<JobResult> {
    const counts = (await journal.marks.read<NotificationCounts>(wholeService, unsentMark)) ?? {}
    if (Object.keys(counts).length === 0) return { outcome: 'done' }
    const at = new Date(now()).toISOString()
    const summary = createNotification({ kind: 'more', about: { counts } }, { key: job.id, at })
    const result = await send(summary, job)
    if (result.outcome === 'done') await changeUnsent((before = {}) => without(before, counts))
    return result
  }

  async function send(notification: Notification, job: RunningJob<NotificationJob>): Promise<JobResult> {
    const post = context.operator.postNotification
    if (post === undefined) return { outcome: 'done' }
    const { id, kind } = notification
    const result = await posts.send(
      { to: 'the notification receiver', post, body: JSON.stringify(notification) },
      { ...job, id },
    )
    if (result.outcome === 'done')
      log.info({ event: 'notification_sent', notification: id, kind }, 'a notification was sent')
    return result
  }

  const outages = createOutageNotifier(context)
  return {
    outages,
    handler: (job: RunningJob<NotificationJob>) =>
      job.data.is === 'summary' ? summarise(job) : sendOne(job.data.notification, job),
  }
}

/** What was added meanwhile stays. */
function without(counts: NotificationCounts, reported: NotificationCounts): NotificationCounts {
  const kinds = Object.keys(counts) as NotificationContent['kind'][]
  return Object.fromEntries(
    kinds.map((kind) => [kind, (counts[kind] ?? 0) - (reported[kind] ?? 0)] as const).filter(([, count]) => count > 0),
  )
}

type OutageKind = Extract<NotificationContent, { kind: 'service_paused' }>['about']['is']
interface Mark {
  is: OutageKind | 'fine'
  /** ISO 8601. */
  since: string
  reason?: string
  notified: boolean
}

function createOutageNotifier(context: Context) {
  const { client, service, operator, journal, now, log } = context
  let last: Promise<void> = Promise.resolve()
  const readOutage = () => journal.marks.read<Mark>(wholeService, 'outage')
  const changeOutage = (to: (before: Mark | undefined) => Mark | undefined) =>
    journal.marks.change(wholeService, 'outage', to)

  async function begin(is: OutageKind, since: string, reason: string): Promise<void> {
    await changeOutage((before) => (before?.is === is ? undefined : { is, since, reason, notified: false }))
    await putPaused({ is, since, reason })
  }

  async function end(): Promise<void> {
    let was: Mark | undefined
    await changeOutage((before) => {
      was = before
      return before === undefined || before.is === 'fine' ? undefined : { is: 'fine', since: isoNow(), notified: false }
    })
    if (was?.notified) await putOver(was)
  }

  /** If another process marked the outage first, `isCurrent` drops this notification: its start differs. */
  const putPaused = (about: { is: OutageKind; since: string; reason: string }) =>
    // Shorter outages are not reported.
    notify(context, { kind: 'service_paused', about }, `${about.is} ${about.since}`, operator.retryDelays.notifyAfterMs)

  async function putOver({ is, since }: Pick<Mark, 'is' | 'since'>): Promise<void> {
    if (is !== 'fine') await notify(context, { kind: 'service_works_again', about: { was: is, since } }, since)
  }

  const isoNow = () => new Date(now()).toISOString()

  function onCondition({ is, since, reason = '' }: ServiceCondition): Promise<void> {
    const change = () =>
      is === 'unreachable' || is === 'token_rejected'
        ? begin(is, new Date(since ?? now()).toISOString(), reason)
        : end()
    last = last.then(change).catch((error: unknown) => {
      log.error(
        { event: 'notification_not_enqueued', err: asError(error) },
        'the journal did not store the state of the service',
      )
    })
    return last
  }

  return {
    /** Processes conditions in order. Never throws: what the store does not accept is logged. */
    onCondition,
    /** Continues after a restart, during which the outage may have ended. */
    async resume(): Promise<void> {
      const mark = await readOutage()
      if (mark === undefined || mark.is === 'fine') return
      const { is, since, reason = '' } = mark
      // The process that stored it may have ended before it queued the notification.
      if (!mark.notified) await putPaused({ is, since, reason })
      const found = await service.state.check(client)
      if (found === 'fine') await onCondition({ is: 'fine' })
      else service.state.report(found, 0, 'as before the start')
    },
    /** False for an outage that is over, or that another process reports. */
    async isCurrent(content: NotificationContent): Promise<boolean> {
      if (content.kind !== 'service_paused') return true
      const mark = await readOutage()
      return mark?.is === content.about.is && mark.since === content.about.since
    },
    async markSent(content: NotificationContent): Promise<void> {
      if (content.kind !== 'service_paused') return
      const { is, since } = content.about
      let isOver = false
      await changeOutage((before) => {
        isOver = before?.since !== since || before.is !== is
        return isOver || before === undefined ? undefined : { ...before, notified: true }
      })
      // It ended while the notification was sent.
      if (isOver) await putOver({ is, since })
    },
  }
}
