// Sends notifications through a queue of their own to the operator's URL: each thing once, a storm as a summary.
import type { PostNotification } from '../../client/post-notification.ts'
import type { Journal } from '../../journal/types.ts'
import { asError } from '../../queue/errors.ts'
import type { JobHandler, JobQueue } from '../../queue/types.ts'
import { jsonMark, wholeService } from '../service/json-mark.ts'
import {
  createNotification,
  type Notification,
  type NotificationContent,
  type NotificationCounts,
} from './notification.ts'
import { createOutageNotifier, type OutageNotifier, type OutageNotifierOptions } from './outage-notifications.ts'

export type NotificationJob =
  | { is: 'notification'; notification: Notification & NotificationContent }
  | { is: 'summary' }

export interface NotifierOptions extends OutageNotifierOptions {
  notifications: JobQueue<NotificationJob>
  journal: OutageNotifierOptions['journal'] & Pick<Journal, 'names'>
  /** Absent: nothing is sent. */
  post?: PostNotification | undefined
}

export interface Notifier {
  /** Sends once for each `key` of its kind. Never throws: what cannot be queued is logged. */
  notify(content: NotificationContent, key: string): Promise<void>
  outages: Pick<OutageNotifier, 'onCondition' | 'resume'>
  handler: JobHandler<NotificationJob>
}

/** Covers a receiver that is down for two hours. */
export const notificationAttempts = 12
/** Of each kind; a summary counts the others. */
export const notificationsPerHour = 10

const hourMs = 60 * 60_000

interface SentNotifications {
  hour: number
  notified: NotificationCounts
  /** For the next summary. */
  unsent: NotificationCounts
}

export function createNotifier(options: NotifierOptions): Notifier {
  const { journal, notifications, post, now, log } = options
  const mark = jsonMark<SentNotifications>(journal, 'notifications')

  async function put(content: NotificationContent, key: string, delayMs = 0): Promise<void> {
    if (post === undefined) return
    try {
      const notification = createNotification(await withName(content), {
        key,
        at: new Date(now()).toISOString(),
      })
      await notifications.add({ id: notification.id, data: { is: 'notification', notification }, delayMs })
    } catch (error) {
      log.error(
        { event: 'notification_not_enqueued', kind: content.kind, err: asError(error) },
        'the queue did not accept a notification',
      )
    }
  }

  async function withName(content: NotificationContent): Promise<NotificationContent> {
    if (!('project' in content.about)) return content
    const { project, iid } = content.about
    const [{ path, ...name } = {}] = await journal.names([{ project, ...(iid === undefined ? {} : { iid }) }])
    const about = { ...content.about, ...(path === undefined ? {} : { projectPath: path }), ...name }
    return { ...content, about } as NotificationContent
  }

  /** True within the hourly limit of its kind; else it is counted for the summary. */
  async function maySend(kind: NotificationContent['kind']): Promise<boolean> {
    const hour = Math.floor(now() / hourMs)
    let may = false
    await mark.change(wholeService, (before = nothingSent) => {
      const sent = before.hour === hour ? before.notified : {}
      may = (sent[kind] ?? 0) < notificationsPerHour
      return may
        ? { ...before, hour, notified: oneMore(sent, kind) }
        : { hour, notified: sent, unsent: oneMore(before.unsent, kind) }
    })
    if (!may)
      await notifications.add({ id: `summary-${hour}`, data: { is: 'summary' }, delayMs: (hour + 1) * hourMs - now() })
    return may
  }

  async function sendOne(notification: Notification & NotificationContent, attempt: number): Promise<void> {
    if (!(await outages.isCurrent(notification))) return
    // A retry was counted already.
    if (attempt === 1 && !(await maySend(notification.kind))) return
    await send(notification)
    await outages.markSent(notification)
  }

  async function summarise(job: string): Promise<void> {
    const { unsent } = (await mark.read(wholeService)) ?? nothingSent
    if (Object.keys(unsent).length === 0) return
    await send(
      createNotification({ kind: 'more', about: { counts: unsent } }, { key: job, at: new Date(now()).toISOString() }),
    )
    await mark.change(wholeService, (before = nothingSent) => ({ ...before, unsent: without(before.unsent, unsent) }))
  }

  async function send(notification: Notification): Promise<void> {
    await post?.(notification.id, JSON.stringify(notification))
    log.info(
      { event: 'notification_sent', notification: notification.id, kind: notification.kind },
      'a notification was sent',
    )
  }

  const outages = createOutageNotifier(options, put)
  return {
    notify: (content, key) => put(content, key),
    outages,
    handler: async ({ id, data, attempt }) => {
      if (data.is === 'summary') await summarise(id)
      else await sendOne(data.notification, attempt)
      return { outcome: 'done' }
    },
  }
}

const nothingSent: SentNotifications = { hour: 0, notified: {}, unsent: {} }

function oneMore(counts: NotificationCounts, kind: NotificationContent['kind']): NotificationCounts {
  return { ...counts, [kind]: (counts[kind] ?? 0) + 1 }
}

/** What was added meanwhile stays. */
function without(counts: NotificationCounts, reported: NotificationCounts): NotificationCounts {
  const kinds = Object.keys(counts) as NotificationContent['kind'][]
  return Object.fromEntries(
    kinds.map((kind) => [kind, (counts[kind] ?? 0) - (reported[kind] ?? 0)] as const).filter(([, count]) => count > 0),
  )
}
