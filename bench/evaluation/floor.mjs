// The floor: the same deliveries over BullMQ alone, coalesced in the same way, with 5 ms for each evaluation; all wait
// before its workers begin; then once more, with the same workers.
// `node floor.mjs QUEUE_URL DELIVERIES HOT OTHERS` prints JSON; the URL is `redis://…` or `embedded:DIR`.
import { setTimeout as pause } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'

const [url, deliveries, hot, others] = [process.argv[2], ...process.argv.slice(3).map(Number)]
const { queue, worker } = url.startsWith('embedded:') ? await onPglite(url.slice('embedded:'.length)) : onRedis()
const incoming = queue('deliveries')
const mergeRequests = queue('merge-requests')
const options = { removeOnComplete: true }

function onRedis() {
  const own = { connection: new Redis(url, { maxRetriesPerRequest: null }), prefix: `floor-${process.pid}` }
  return {
    queue: (name) => new Queue(name, own),
    worker: (name, handle, concurrency) => new Worker(name, handle, { ...own, concurrency }),
  }
}

async function onPglite(directory) {
  const { openEmbedded } = await import('../../dist/queue/postgres/embedded-backend.js')
  const ignore = () => undefined
  const backend = await openEmbedded({ directory, log: ignore, onProgress: ignore })
  return {
    queue: (name) => backend.queue(name, {}),
    worker: (name, handle, concurrency) => backend.worker(name, handle, { concurrency }).worker,
  }
}

let storm
const evaluate = async () => {
  storm.evaluations += 1
  await pause(5)
}
const intake = async ({ data: { iid, n } }) => {
  const { at, taken } = storm.times[n]
  if (taken < storm.newest.get(iid)) storm.overtaken += 1
  storm.newest.set(iid, Math.max(storm.newest.get(iid) ?? 0, at))
  const deduplication = { id: String(iid), keepLastIfActive: true, reschedule: true }
  await mergeRequests.add('evaluate', { iid }, { ...options, deduplication })
  storm.read += 1
}
const body = 'x'.repeat(1_000)

async function send() {
  storm = { times: Array.from({ length: deliveries }), newest: new Map(), evaluations: 0, overtaken: 0, read: 0 }
  let next = 0
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let n = next++; n < deliveries; n = next++) {
        const at = performance.now()
        await incoming.add('delivery', { iid: n % 3 === 0 && hot > 0 ? 1 : 2 + (n % others), n, body }, options)
        storm.times[n] = { at, taken: performance.now() }
      }
    }),
  )
}

async function worked(begins) {
  const started = performance.now()
  const before = process.cpuUsage()
  await begins()
  for (;;) {
    const left = await mergeRequests.getJobCounts('waiting', 'active', 'delayed', 'prioritized')
    if (storm.read === deliveries && Object.values(left).every((count) => count === 0)) break
    await pause(5)
  }
  const { user, system } = process.cpuUsage(before)
  const { evaluations, overtaken } = storm
  return { ms: performance.now() - started, processorMs: (user + system) / 1000, evaluations, overtaken }
}

const workers = []
await send()
const first = await worked(async () => {
  workers.push(
    // As many at once as Bellhop has.
    worker('deliveries', intake, 250),
    worker('merge-requests', evaluate, 50),
  )
})
await Promise.all([incoming.pause(), mergeRequests.pause()])
await send()
const second = await worked(() => Promise.all([incoming.resume(), mergeRequests.resume()]))
process.stdout.write(`${JSON.stringify({ first, second })}\n`)
await Promise.all(workers.map((each) => each.close(true)))
process.exit(0)
