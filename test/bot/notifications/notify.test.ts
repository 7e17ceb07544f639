// Notifications: once for each thing, a storm as a summary, a short outage not at all.

import { reportMergedElsewhere } from '../../../src/bot/notifications/merged-elsewhere.ts'
import type { Notification, NotificationContent, NotificationJob } from '../../../src/bot/notifications/notification.ts'
import { createNotifier, notificationLimit, notify as notifyIn } from '../../../src/bot/notifications/notify.ts'
import { createOutboundPosts } from '../../../src/bot/notifications/outbound-posts.ts'
import { createServiceState } from '../../../src/bot/service/service-state.ts'
import type { StoredJob } from '../../../src/queue/types.ts'
import { appUrl, nameHotelApp } from '../../cli/hotel-app.ts'
import { playService, service } from '../../client/world.ts'
import { runningJob, testQueues, useStores } from '../stores.ts'
import { notifiedIn, notifying, testContext } from '../test-context.ts'

playService()
const stores = useStores()
const hourMs = 60 * 60_000
const reason = 'no answer'

function makeNotifier({ asked = 'fine' as 'fine' | 'unreachable', renew = true } = {}) {
  const queues = testQueues(stores, { renew })
  const clock = { now: Date.parse('2026-11-21T12:10:00.000Z') }
  const posted: Notification[] = []
  const met: string[] = []
  const { notifications } = queues
  const answer: { error?: Error } = {}
  const now = () => clock.now
  const context = testContext({
    journal: stores.journal,
    queues,
    now,
    service: {
      state: { ...createServiceState({ now }), check: async () => asked, report: (is) => void met.push(is) },
    },
    operator: {
      async postNotification(_id, body) {
        if (answer.error !== undefined) throw answer.error
        posted.push(JSON.parse(body))
      },
    },
  })
  const notifier = createNotifier(context, createOutboundPosts(context))
  const notify = (content: NotificationContent, key: string) => notifyIn(context, content, key)
  /** Runs all jobs, whether due or not. */
  async function work(): Promise<StoredJob<NotificationJob>[]> {
    const jobs = await notifications.list(['waiting', 'delayed'], 0, 100)
    for (const { id, data, addedAt } of jobs.toReversed()) {
      await notifications.remove(id)
      await notifier.handler(runningJob(data, { id, addedAt, isFirst: true }))
    }
    return jobs
  }
  return { ...notifier, notify, clock, answer, posted, met, notifications, work }
}

const failed = (job: string): NotificationContent => ({
  kind: 'job_failed',
  about: { queue: 'ruleChanges', job, reason, failedAt: '2026-11-21T12:00:00.000Z' },
})
const broken: NotificationContent = {
  kind: 'rule_file_broken',
  about: { project: 7, projectPath: 'a/b', path: 'p', blob: 'b', problems: ['x'] },
}

test('the same thing is notified once', async () => {
  const { notify, work, posted } = makeNotifier()
  await notify(failed('1'), '1')
  await notify(failed('1'), '1')
  await notify(failed('2'), '2')
  expect(await work()).toHaveLength(2)
  expect(posted.map(({ about }) => 'job' in about && about.job)).toEqual(['1', '2'])
})

test('what it is about is named by the path, the title and the page of the service, as far as they are known', async () => {
  const { notify, work, posted } = makeNotifier()
  await nameHotelApp(stores.journal)
  const about = { queue: 'mergeRequests', reason, failedAt: '2026-11-21T12:00:00.000Z' }
  await notify({ kind: 'job_failed', about: { ...about, job: 'known', project: 7, iid: 2 } }, '1')
  await notify({ kind: 'job_failed', about: { ...about, job: 'unknown', project: 8, iid: 2 } }, '2')
  await work()
  expect(posted[0]?.about).toMatchObject({
    ...{ projectPath: 'hotel/app', title: 'Bump left-pad', url: `${appUrl}/-/merge_requests/2` },
  })
  expect(posted[1]?.text).toContain('!2 of project 8 failed')
})

test('the hourly limit holds for each kind, and a summary counts the rest', async () => {
  const { notify, work, posted, clock, notifications } = makeNotifier()
  for (let n = 0; n < notificationLimit.most + 3; n += 1) await notify(failed(String(n)), String(n))
  await notify(broken, 'b')
  await work()
  expect(posted.filter(({ kind }) => kind === 'job_failed')).toHaveLength(notificationLimit.most)
  expect(posted.filter(({ kind }) => kind === 'rule_file_broken')).toHaveLength(1)
  const [summary, ...others] = await notifications.list(['delayed'], 0, 10)
  expect([summary?.data, others]).toEqual([{ is: 'summary' }, []])
  clock.now += hourMs
  await notify(failed('late'), 'late')
  await work()
  expect(posted.slice(-2)).toMatchObject([
    { kind: 'more', about: { counts: { job_failed: 3 } } },
    { about: { job: 'late' } },
  ])
  expect(posted.at(-2)?.text).toContain('3 × job failed')
})

test('a later run is sent though the limit of its hour is reached: it was counted', async () => {
  const { notify, work, posted, notifications, handler, clock } = makeNotifier()
  for (let n = 0; n < notificationLimit.most; n += 1) await notify(failed(String(n)), String(n))
  const [job] = await notifications.list(['waiting'], 0, 1)
  await work()
  if (job === undefined) throw new Error('there is no notification')
  await handler(runningJob(job.data, { id: job.id, addedAt: clock.now, isFirst: false }))
  expect(posted).toHaveLength(notificationLimit.most + 1)
})

describe('an outage', () => {
  const away = (since: number) => ({ is: 'unreachable', since, reason }) as const

  test('that lasts is notified once over all processes, and so is its end', async () => {
    const one = makeNotifier()
    const two = makeNotifier({ renew: false })
    await one.outages.onCondition(away(1_000))
    await two.outages.onCondition(away(2_000))
    await one.work()
    expect(one.posted).toMatchObject([
      { kind: 'service_paused', about: { is: 'unreachable', since: '1970-01-01T00:00:01.000Z', reason } },
    ])
    await two.outages.onCondition({ is: 'fine' })
    await one.outages.onCondition({ is: 'fine' })
    await one.work()
    expect(one.posted.slice(1)).toMatchObject([{ kind: 'service_works_again', about: { was: 'unreachable' } }])
  })

  test('that is short is not notified', async () => {
    const { outages, work, posted } = makeNotifier()
    await outages.onCondition(away(1_000))
    await outages.onCondition({ is: 'rate_limited' })
    expect(await work()).toHaveLength(1)
    expect(posted).toEqual([])
  })

  test('is notified by the next process when the first one ended', async () => {
    const before = makeNotifier()
    await before.outages.onCondition(away(1_000))
    const delayed = await before.notifications.list(['delayed'], 0, 10)
    expect(delayed).toHaveLength(1)
    for (const { id } of delayed) await before.notifications.remove(id)
    const after = makeNotifier({ asked: 'unreachable', renew: false })
    await after.outages.resume()
    await after.work()
    expect(after.posted).toMatchObject([
      { kind: 'service_paused', about: { since: '1970-01-01T00:00:01.000Z', reason } },
    ])
  })

  test('that becomes another problem is notified as that', async () => {
    const { outages, work, posted } = makeNotifier()
    await outages.onCondition(away(1_000))
    await outages.onCondition({ is: 'token_rejected', since: 2_000, reason })
    await work()
    expect(posted).toMatchObject([{ about: { is: 'token_rejected' } }])
  })

  test('that ended while the bot was down is reported as over at the start', async () => {
    const before = makeNotifier()
    await before.outages.onCondition(away(1_000))
    await before.work()
    const still = makeNotifier({ asked: 'unreachable', renew: false })
    await still.outages.resume()
    expect([await still.work(), still.met]).toEqual([[], ['unreachable']])
    const after = makeNotifier({ renew: false })
    await after.outages.resume()
    await after.work()
    expect(after.posted).toMatchObject([{ kind: 'service_works_again' }])
  })
})

test.each([201, 403, 500])('where the service answers the note with %i, the merge stays reported', async (status) => {
  const notes: string[] = []
  service()
    .post('/projects/7/merge_requests/2/notes', ({ body }) => notes.push(String(body)) > 0)
    .reply(status, { id: 50 })
  const queues = testQueues(stores)
  await reportMergedElsewhere(
    testContext({ journal: stores.journal, queues, operator: notifying }),
    { project: 7, iid: 2 },
    { target: 'pro`@all`', evaluated: 'main' },
  )
  const about = { project: 7, projectPath: '', iid: 2, evaluated: 'main' }
  expect(await notifiedIn(queues)).toMatchObject([{ kind: 'merged_elsewhere', about }])
  expect(notes).toEqual([
    expect.stringMatching(/^Bellhop merged it into `pro@all`, .* evaluated for `main`: .* revert/),
  ])
})
