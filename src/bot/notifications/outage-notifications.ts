// Notifies once, over all processes, when an outage of the service lasts, and when it is over.
import { wholeService } from '../../journal/tables/marks.ts'
import { asError } from '../../queue/errors.ts'
import type { Context } from '../context.ts'
import type { ServiceCondition } from '../service/service-state.ts'
import type { NotificationContent } from './notification.ts'

type OutageKind = Extract<NotificationContent, { kind: 'service_paused' }>['about']['is']
interface Mark {
  is: OutageKind | 'fine'
  /** ISO 8601. */
  since: string
  reason?: string
  notified: boolean
}

/** `put` queues a notification with a delay in milliseconds. */
export function createOutageNotifier(
  { client, service: { state }, operator, journal, now, log }: Context,
  put: (content: NotificationContent, key: string, delayMs?: number) => Promise<void>,
) {
  // Shorter outages are not reported.
  const afterMs = operator.retryDelays.notifyAfterMs
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
    put({ kind: 'service_paused', about }, `${about.is} ${about.since}`, afterMs)

  async function putOver({ is, since }: Pick<Mark, 'is' | 'since'>): Promise<void> {
    if (is !== 'fine') await put({ kind: 'service_works_again', about: { was: is, since } }, since)
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
      const found = await state.check(client)
      if (found === 'fine') await onCondition({ is: 'fine' })
      else state.report(found, 0, 'as before the start')
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
