// Posts to chats over real HTTP: each once, whatever the chat answers, and none holds back other work.
import { chatLimit, createChatHandler, postToChat } from '../../../src/bot/notifications/chats.ts'
import { createOutboundPosts, postAttempts } from '../../../src/bot/notifications/outbound-posts.ts'
import { defaultRetryDelays } from '../../../src/bot/service/retry-policy.ts'
import { createPostNotification } from '../../../src/client/post-notification.ts'
import { backoffMs } from '../../../src/queue/bullmq/attempts.ts'
import { JobTakenOver } from '../../../src/queue/errors.ts'
import type { QueueWorker } from '../../../src/queue/types.ts'
import { type ChatPost, chatCall } from '../../../src/rules/actions/definition/action-calls.ts'
import { nameHotelApp } from '../../cli/hotel-app.ts'
import { type NoticeReceiver, secretOfAddress, startNoticeReceiver, well } from '../../notice-receiver.ts'
import { runningJob, testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
let receiver: NoticeReceiver
const workers: QueueWorker[] = []
beforeEach(async () => {
  receiver = await startNoticeReceiver()
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(1_000)))
  await receiver.close()
})

function world({ timeoutMs = 2_000, restMs = 30_000 } = {}) {
  const queues = testQueues(stores)
  const clock = { now: Date.now() }
  const queue = queues.chats
  const counted: string[] = []
  const errors: string[] = []
  const post = createPostNotification({ url: receiver.url, name: 'the chat team', signing: [], timeoutMs })
  const dead = createPostNotification({ url: 'http://127.0.0.1:1', name: 'the chat dead', signing: [] })
  const context = testContext({
    journal: stores.journal,
    queues,
    now: () => clock.now,
    operator: {
      // A chat that failed rests six times as long.
      retryDelays: { ...defaultRetryDelays, outageMs: restMs / 6 },
      chats: [
        { name: 'team', kind: 'json', post },
        { name: 'dead', kind: 'slack', post: dead },
      ],
    },
    counting: { chatPost: (chat: string, result: string) => void counted.push(`${chat} ${result}`) } as never,
  })
  const handler = createChatHandler(context, createOutboundPosts(context))
  return {
    ...{ clock, queue, counted, errors, handler },
    say: (key: string, more: Partial<ChatPost> = {}) =>
      postToChat(
        context,
        chatCall({ id: 7, merge_request_iid: 2, to: 'team', text: 'Hello', key, ...more }),
        async () => {},
      ),
    work(attempts = postAttempts, backoff = 20) {
      const onError = (error: Error) => void errors.push(error.message)
      workers.push(stores.queue.work(queue.name, handler, { concurrency: 4, attempts, backoffMs: backoff, onError }))
    },
  }
}

const texts = () => receiver.taken.map(({ body }) => JSON.parse(body).text)
const arrived = (count: number) => expect.poll(() => receiver.taken.length).toBe(count)

test('a post arrives with the name and the page of its merge request, and the address is in no job', async () => {
  const { say, work, queue, counted } = world()
  await nameHotelApp(stores.journal)
  const url = 'https://git.example.com/hotel/app/-/merge_requests/2'
  await say('one', { url })
  expect(JSON.stringify(await queue.list(['waiting', 'delayed'], 0, 10))).not.toContain(secretOfAddress)
  work()
  await arrived(1)
  expect(JSON.parse(receiver.taken[0]?.body ?? '')).toMatchObject({
    ...{ id: 'chat-one', to: 'team', text: `Hello · ${url}` },
    about: { project: 7, iid: 2, projectPath: 'hotel/app' },
  })
  await expect.poll(() => counted).toEqual(['team sent'])
})

test('the same post is queued once, also where an evaluation sends it again after a crash', async () => {
  const { say, work, queue } = world()
  await Promise.all([say('same'), say('other')])
  await say('same')
  work()
  await arrived(2)
  await queue.settled()
  await say('same')
  await queue.settled()
  expect(receiver.asked()).toBe(2)
})

describe('a chat that does not take it', () => {
  test('for an hour gets it once in the end', async () => {
    const longest = Array.from({ length: postAttempts - 1 }, (_, at) => backoffMs(at + 1, 5_000, 0))
    expect(longest.reduce((sum, each) => sum + each)).toBeGreaterThan(60 * 60_000)
    const { say, queue, handler, clock, counted } = world()
    await say('late')
    const [job] = await queue.list(['waiting', 'delayed'], 0, 1)
    if (job === undefined) throw new Error('there is no post')
    const run = (attempt: number) => handler(runningJob(job.data, { id: job.id, attempt, addedAt: job.addedAt }))
    receiver.answer = (response) => void response.writeHead(500).end('x'.repeat(100_000))
    const began = clock.now
    let attempt = 1
    for (; clock.now - began < 60 * 60_000; attempt++) {
      await expect(run(attempt)).rejects.toThrow(/^the chat team answered 500$/)
      clock.now += backoffMs(attempt, 5_000, 0.5) + 31_000
    }
    expect(attempt).toBeLessThanOrEqual(postAttempts)
    receiver.answer = well
    expect(await run(attempt)).toEqual({ outcome: 'done' })
    expect([texts(), counted.at(-1), new Set(counted.slice(0, -1))]).toEqual([
      ['Hello'],
      'team sent',
      new Set(['team retried']),
    ])
  })
  test('is tried again by the queue, and after the last attempt it is a failed job without the address', async () => {
    const { say, work, queue, errors, counted } = world({ restMs: 0 })
    receiver.answer = (response) => void response.writeHead(404).end()
    await say('never')
    work(3, 10)
    await expect.poll(async () => (await queue.counts()).failed).toBe(1)
    const [job] = await queue.list(['failed'], 0, 1)
    expect(job).toMatchObject({ id: 'chat-never', failure: 'the chat team answered 404' })
    expect(JSON.stringify([job, errors, counted])).not.toContain(secretOfAddress)
    expect(receiver.asked()).toBe(3)
  })
  test('holds back its own posts for a while, and no others', async () => {
    const { say, queue, handler, clock } = world()
    await say('a', { to: 'dead' })
    await say('b', { to: 'team' })
    const jobs = await queue.list(['waiting', 'delayed'], 0, 10)
    const run = (to: string) => {
      const job = jobs.find(({ data }) => data.to === to)
      if (job === undefined) throw new Error(`there is no post to ${to}`)
      return handler(runningJob(job.data, { id: job.id, addedAt: job.addedAt }))
    }
    await expect(run('dead')).rejects.toThrow('the chat dead cannot be reached')
    expect(await run('dead')).toEqual({ outcome: 'later', delayMs: 30_000, reason: 'the chat dead failed just now' })
    expect(await run('team')).toEqual({ outcome: 'done' })
    clock.now += 30_000
    await expect(run('dead')).rejects.toThrow('the chat dead cannot be reached')
  })
  test('and says when to come again is asked then, which costs no attempt', async () => {
    const { handler, clock, counted } = world()
    receiver.answer = (response) => void response.writeHead(429, { 'retry-after': '120' }).end()
    const job = runningJob({ to: 'team', text: 'Hello', project: 7, iid: 2 }, { addedAt: clock.now })
    const later = { outcome: 'later', delayMs: 120_000 }
    expect(await handler(job)).toMatchObject({ ...later, reason: 'the chat team asks for a pause' })
    expect(await handler(job)).toMatchObject({ ...later, reason: 'the chat team failed just now' })
    expect([receiver.asked(), counted]).toEqual([1, []])
  })
  test('for a day gets it no more', async () => {
    const { handler, clock } = world()
    const job = runningJob({ to: 'team', text: 'Hello', project: 7, iid: 2 }, { addedAt: clock.now })
    clock.now += 25 * 60 * 60_000
    expect(await handler(job)).toEqual({ outcome: 'failed', reason: 'the chat team took no post for a day' })
    expect(receiver.asked()).toBe(0)
  })
})

test('a chat that the operator names no more gets nothing', async () => {
  const { handler, counted } = world()
  const job = runningJob({ to: 'gone', text: 'Hello', project: 7, iid: 2 }, { addedAt: Date.now() })
  expect(await handler(job)).toEqual({ outcome: 'failed', reason: 'the operator names no chat gone any more' })
  expect(counted).toEqual(['gone failed'])
})

test('a process that was frozen posts nothing once another process has the job', async () => {
  const { handler } = world()
  const takenOver = new JobTakenOver('chat-one')
  const job = runningJob({ to: 'team', text: 'Hello', project: 7, iid: 2 }, { claim: () => Promise.reject(takenOver) })
  await expect(handler({ ...job, addedAt: Date.now() })).rejects.toBe(takenOver)
  expect(receiver.asked()).toBe(0)
})

describe('more posts than a chat may get in a minute', () => {
  test('wait for the next minutes, each chat for itself', async () => {
    const { say, queue, clock } = world()
    clock.now = Math.ceil(Date.now() / 60_000) * 60_000
    for (let post = 0; post < chatLimit.most; post++) await say(`now-${post}`)
    await say('later')
    await say('other', { to: 'dead' })
    expect((await queue.get('chat-later'))?.state).toBe('delayed')
    expect((await queue.get('chat-now-0'))?.state).toBe('waiting')
    expect((await queue.get('chat-other'))?.state).toBe('waiting')
    expect((await queue.counts()).delayed).toBe(1)
  })
  test('are dropped where they would wait for more than an hour, and are counted', async () => {
    const { say, counted, clock } = world()
    const window = Math.floor(clock.now / 60_000) + chatLimit.longestWait
    const full = { window, posts: chatLimit.most - 1 }
    await stores.journal.marks.change(0, 'chat team', () => full)
    await say('last')
    await expect(say('more')).rejects.toThrow('more than 1800 posts to the chat team are waiting')
    expect(counted).toEqual(['team dropped'])
    clock.now += 60_000
    await say('next')
  })
})
