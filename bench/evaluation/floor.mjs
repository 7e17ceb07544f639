// The floor: the same deliveries over BullMQ alone, coalesced in the same way, with 5 ms for each evaluation. `node floor.mjs REDIS_URL DELIVERIES HOT OTHERS` prints milliseconds and evaluations.
import { setTimeout as pause } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'

const [url, deliveries, hot, others] = [process.argv[2], ...process.argv.slice(3).map(Number)]
const connection = new Redis(url, { maxRetriesPerRequest: null })
const own = { connection, prefix: `floor-${process.pid}` }
const incoming = new Queue('deliveries', own)
const mergeRequests = new Queue('merge-requests', own)
const options = { removeOnComplete: true }

let evaluations = 0
let read = 0
const evaluate = async () => {
  evaluations += 1
  await pause(5)
}
const intake = async ({ data: { iid } }) => {
  const deduplication = { id: String(iid), keepLastIfActive: true, reschedule: true }
  await mergeRequests.add('judge', { iid }, { ...options, deduplication })
  read += 1
}
const body = 'x'.repeat(1_000)
const started = performance.now()
const workers = [
  new Worker('deliveries', intake, { ...own, concurrency: 10 }),
  new Worker('merge-requests', evaluate, { ...own, concurrency: 50 }),
]
let next = 0
await Promise.all(
  Array.from({ length: 32 }, async () => {
    for (let n = next++; n < deliveries; n = next++)
      await incoming.add('delivery', { iid: n % 3 === 0 && hot > 0 ? 1 : 2 + (n % others), body }, options)
  }),
)
for (;;) {
  const left = await mergeRequests.getJobCounts('waiting', 'active', 'delayed', 'prioritized')
  if (read === deliveries && Object.values(left).every((count) => count === 0)) break
  await pause(5)
}
process.stdout.write(`${JSON.stringify({ ms: performance.now() - started, evaluations })}\n`)
await Promise.all(workers.map((worker) => worker.close(true)))
process.exit(0)
