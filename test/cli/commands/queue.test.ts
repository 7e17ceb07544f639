// `bellhop queue`, `decisions` and `deliveries show` against the real admin API over real queues and a real journal.
import { randomUUID } from 'node:crypto'
import type { PausedProject } from '../../../src/journal/types.ts'
import { type QueueName, queueNames } from '../../../src/queue/queue-names.ts'
import type { JobQueue, JobResult } from '../../../src/queue/types.ts'
import type { MergeRequestRef } from '../../../src/rules/event-types.ts'
import type { Call } from '../../../src/rules/types.ts'
import { useStores } from '../../bot/stores.ts'
import { eventually } from '../../eventually.ts'
import { decision, delivery, matchedRule } from '../../suites/journal/records.ts'
import { nameHotelApp } from '../hotel-app.ts'
import { bellhopHere, prints, refuses } from '../run-here.ts'
import { useRunningBot } from '../running-bot.ts'

const stores = useStores({ own: true })
const at = '2026-11-21T10:00:01.000Z'
const paused: PausedProject[] = []
let queues: Record<QueueName, JobQueue<unknown>>

const { environment, run } = useRunningBot(async () => {
  const open = (name: string) => stores.queue.queue<unknown>(`${name}-${randomUUID()}`)
  queues = Object.fromEntries(queueNames.map((name) => [name, open(name)])) as typeof queues
  await nameHotelApp(stores.journal)
  await stores.journal.decisions.save({
    ...decision({ project: 7, iid: 2 }, at, 'decision-one'),
    deliveries: ['d-1'],
    replayOf: [{ of: 'delivery', id: 'd-1\u001b[2J', number: 2 }],
  })
  return {
    journal: stores.journal,
    queues,
    paused: {
      list: async () => paused,
      pause: async (one) => void paused.push(one),
      resume: async () => paused.splice(0).length,
    },
  }
})

const onError = (error: Error) => {
  throw error
}
const work = (handler: () => Promise<JobResult>) =>
  stores.queue.work(queues.mergeRequests.name, handler, { concurrency: 1, onError })

describe.sequential('queue', () => {
  test('pauses and resumes a project, and status says so', async () => {
    expect(await run('queue', 'pause', '--project', '7', '--why', 'a freeze')).toEqual(prints('hotel/app is paused.\n'))
    const { out } = await run('queue', 'status')
    expect(out).toMatch(/queue .*waiting .*active .*delayed .*failed .*completed .*paused /)
    expect(out).toMatch(/hotel\/app is paused since \S+ by admin: a freeze/)
    expect((await run('queue', 'resume', '--project', 'hotel/app')).out).toMatch(
      /^hotel\/app is resumed. 1 merge request that waited is evaluated now/,
    )
    expect((await run('queue', 'resume', '--project', 'hotel/app')).out).toBe('hotel/app is resumed.\n')
  })

  test('shows waiting jobs, and deletes jobs only with --apply', async () => {
    for (const iid of [1, 2]) await queues.mergeRequests.add({ data: { project: 7, iid } })
    const later = await queues.mergeRequests.add({ data: { project: 7, iid: 3 }, delayMs: 3_600_000 })
    expect((await run('queue', 'status')).out).toMatch(/mergeRequests +\S* *2 .*0 .*1 /)
    expect((await run('queue', 'jobs', 'mergeRequests', '--state', 'delayed')).out).toContain('hotel/app!3')
    expect((await run('queue', 'discard', 'mergeRequests', '--state', 'waiting')).out).toMatch(/^2 would be deleted/)
    expect(await queues.mergeRequests.counts()).toMatchObject({ waiting: 2, delayed: 1 })
    expect((await run('queue', 'discard', 'mergeRequests', '--state', 'waiting', '--apply')).out).toBe('2 deleted.\n')
    expect((await run('queue', 'promote', 'mergeRequests', later.id)).out).toBe(`Job ${later.id} runs now.\n`)
    expect(await queues.mergeRequests.counts()).toMatchObject({ waiting: 1, delayed: 0 })
    expect(await run('queue', 'promote', 'mergeRequests', later.id)).toEqual(
      refuses(1, /^bellhop: There is no such job/),
    )
    expect((await run('queue', 'discard', 'mergeRequests', later.id)).out).toContain('is deleted')
    expect(await queues.mergeRequests.counts()).toMatchObject({ waiting: 0, delayed: 0 })
    expect((await run('queue', 'retry', 'mergeRequests', '--all')).out).toBe('0 enqueued again.\n')
  })

  test('bulk work shows progress on a terminal', async () => {
    for (let n = 0; n < 25; n += 1) await Promise.all(Array.from({ length: 10 }, () => queues.sweeps.add({ data: {} })))
    const { out, err } = await bellhopHere(
      ['queue', 'discard', 'sweeps', '--state', 'waiting', '--apply'],
      environment(),
      { terminal: true },
    )
    expect([out, err]).toEqual(['250 deleted.\n', expect.stringMatching(/\[█{19} {5}\] 200 of 250\r/)])
    expect(await queues.sweeps.counts()).toMatchObject({ waiting: 0 })
  })

  test('drains: pauses, waits for running jobs, and lists those that run after the timeout', async () => {
    const { mergeRequests } = queues
    let end: (() => void) | undefined
    const worker = work(
      () =>
        new Promise((resolve) => {
          end = () => resolve({ outcome: 'done' })
        }),
    )
    const { id } = await mergeRequests.add({ data: { project: 7, iid: 5 } })
    await eventually(async () => expect(end).toBeDefined())
    await mergeRequests.add({ data: { project: 7, iid: 6 } })
    expect(await run('queue', 'drain', '--timeout', '0')).toEqual({
      ...{ code: 1, err: '' },
      out: `still running: mergeRequests ${id} of hotel/app!5\nTimed out; waiting jobs: 1. Everything is paused until bellhop queue resume.\n`,
    })
    // It ends after it was seen once.
    const { counts } = mergeRequests
    mergeRequests.counts = async () => {
      const seen = await counts()
      end?.()
      return seen
    }
    const { code, out, err } = await bellhopHere(
      ['queue', 'drain', '--timeout', '1m', '--format', 'json'],
      environment(),
      { terminal: true },
    )
    mergeRequests.counts = counts
    expect([code, JSON.parse(out)]).toEqual([0, { drained: true, running: [], waiting: 1 }])
    expect(err).toMatch(/\[ +\] still running: mergeRequests 1\r/)
    expect((await run('queue', 'resume')).out).toBe('Everything is resumed.\n')
    await eventually(async () => {
      end?.()
      expect(await mergeRequests.counts()).toMatchObject({ waiting: 0, active: 0, completed: 2 })
    })
    await worker.stop(5_000)
    expect(await run('queue', 'drain', '--timeout', 'soon')).toEqual(refuses(2, 'a duration such as 15m'))
  })

  test('an unknown job is one line, and a job or queue that is missing is wrong usage', async () => {
    expect(await run('queue', 'retry', 'mergeRequests', 'unknown')).toEqual(refuses(1, /^bellhop: There is no .*\n$/))
    for (const args of ['retry mergeRequests', 'discard sweeps', 'jobs nowhere'])
      expect((await run('queue', ...args.split(' '))).code, args).toBe(2)
  })
})

test('a delivery is shown with the failed jobs of its merge requests, and with those only', async () => {
  const { mergeRequests } = queues
  const [its, other] = [51, 52].map((iid) => ({ project: 7, iid }))
  for (const data of [its, other]) await mergeRequests.add({ data })
  const worker = work(async () => ({ outcome: 'failed', reason: 'it\u001b[2J was refused' }))
  await mergeRequests.resume()
  await eventually(async () => expect(await mergeRequests.counts()).toMatchObject({ failed: 2 }))
  await worker.stop(5_000)
  const [job] = (await mergeRequests.list(['failed'], 0, 9)).filter(({ data }) => (data as { iid: number }).iid === 51)
  await stores.journal.deliveries.save(delivery({ id: 'd-failed', mergeRequests: [its as MergeRequestRef] }))
  const { out } = await run('deliveries', 'show', 'd-failed')
  expect(out.split('\n').filter((line) => line.includes('failed  '))).toEqual([
    `  failed   mergeRequests ${job?.id}: it [2J was refused`,
  ])
  const shown = JSON.parse((await run('deliveries', 'show', 'd-failed', '--format', 'json')).out)
  expect(shown.failedJobs).toMatchObject([
    { queue: 'mergeRequests', id: job?.id, state: 'failed', mergeRequest: { project: 7, iid: 51 } },
  ])
  for (const { id } of await mergeRequests.list(['failed'], 0, 9)) await mergeRequests.remove(id)
})

test('decisions are listed and shown, and text from outside cannot control the terminal', async () => {
  expect((await run('decisions', 'list', '--delivery', 'd-1')).out).toMatch(
    /decision-one .*hotel\/app!2 · Bump left-pad .*nothing to do/,
  )
  const { code, out } = await run('decisions', 'show', 'decision-one')
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^decision decision-one of hotel\/app!2 · Bump left-pad at .*\n {2}link {5}https:\/\/git\.example\.com\/hotel\/app\/-\/merge_requests\/2\n {2}replay {3}2 of delivery d-1 \[2J\n/,
    ),
  ])
})

test('each call of a decision is listed once, and calls of one action with one result read as one', async () => {
  const call: Call = { to: 'service', action: 'accept', endpoint: 'mergeRequests.accept', params: {}, rules: [] }
  const response = { call, status: 200, result: 'done' as const, at, tookMs: 4 }
  const rule = matchedRule('merge it')
  await stores.journal.decisions.save({
    ...{ ...decision({ project: 7, iid: 4 }, at, 'decision-two'), deliveries: ['d-2'] },
    ...{ rules: [rule, rule], calls: [call, call], responses: [response, response] },
  })
  const listed = (await run('decisions', 'list', '--delivery', 'd-2')).out
  expect(listed).toMatch(/hotel\/app!4 .* merge it +│ accept: done /)
  expect(listed.match(/accept/g)).toHaveLength(1)
  expect(listed.match(/merge it/g)).toHaveLength(1)
  const { out } = await run('decisions', 'show', 'decision-two')
  expect(out.split('\n').filter((line) => line.includes('accept'))).toEqual(
    Array(2).fill('  call     accept (mergeRequests.accept): done, 200, 4 ms'),
  )
})

test.each([
  ['decisions list --delivery d-none', 'No decisions found.'],
  ['deliveries list --project 99', 'No deliveries found.'],
  ['queue jobs notifications', 'No failed jobs in notifications.'],
])('%s without any says so', async (args, none) => {
  expect(await run(...args.split(' '))).toEqual(prints(`${none}\n`))
})
