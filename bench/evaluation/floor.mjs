// The floor: the same deliveries over BullMQ alone, coalesced in the same way, with 5 ms for each evaluation; all wait before its workers begin. `node floor.mjs REDIS_URL DELIVERIES HOT OTHERS` prints JSON.
import { setTimeout as pause } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'

const [url, deliveries, hot, others] = [process.argv[2], ...process.argv.slice(3).map(Number)]
const connection = new Redis(url, { maxRetriesPerRequest: null })
const own = { connection, prefix: `floor-${process.pid}` }
const incoming = new Queue('deliveries', own)
const mergeRequests = new Queue('merge-requests', own)
const options = { removeOnComplete: true }

const times = Array.from({ length: deliveries })
const newest = new Map()
let evaluations = 0
let overtaken = 0
let read = 0
const evaluate = async () => {
  evaluations += 1
  await pause(5)
}
const intake = async ({ data: { iid, n } }) => {
  const { at, taken } = times[n]
  if (taken < newest.get(iid)) overtaken += 1
  newest.set(iid, Math.max(newest.get(iid) ?? 0, at))
  const deduplication = { id: String(iid), keepLastIfActive: true, reschedule: true }
  await mergeRequests.add('judge', { iid }, { ...options, deduplication })
  read += 1
}
const body = 'x'.repeat(1_000)
let next = 0
await Promise.all(
  Array.from({ length: 32 }, async () => {
    for (let n = next++; n < deliveries; n = next++) {
      const at = performance.now()
      await incoming.add('delivery', { iid: n % 3 === 0 && hot > 0 ? 1 : 2 + (n % others), n, body }, options)
      times[n] = { at, taken: performance.now() }
    }
  }),
)
const started = performance.now()
const before = process.cpuUsage()
const workers = [
  new Worker('deliveries', intake, { ...own, concurrency: 10 }),
  new Worker('merge-requests', evaluate, { ...own, concurrency: 50 }),
]
for (;;) {
  const left = await mergeRequests.getJobCounts('waiting', 'active', 'delayed', 'prioritized')
  if (read === deliveries && Object.values(left).every((count) => count === 0)) break
  await pause(5)
}
const { user, system } = process.cpuUsage(before)
const ms = performance.now() - started
process.stdout.write(`${JSON.stringify({ ms, processorMs: (user + system) / 1000, evaluations, overtaken })}\n`)
await Promise.all(workers.map((worker) => worker.close(true)))
process.exit(0)
