// Several shards of a Redis as one set of queues: each job is in the shard of its project.
import { randomUUID } from 'node:crypto'
import { QueueNotSettled } from '../errors.ts'
import type { Backlog, JobHandler, JobQueue, OldestJobs, Queues, StoredJob, WorkerOptions } from '../types.ts'
import type { BullmqQueues } from './queue.ts'
import type { ShardQueue } from './read-queue.ts'
import { shardOf, shardOfSchedule } from './shard-of.ts'
import { sharedConcurrency } from './shared-concurrency.ts'

const SETTLED_TIMEOUT_MS = 30_000

/** `shards` share the connections and the journal's store; closing these queues closes them. */
export function shardedQueues(shards: [BullmqQueues, ...BullmqQueues[]]): Queues {
  const [first] = shards

  function work<T>(name: string, handler: JobHandler<T>, options: WorkerOptions) {
    const concurrency = sharedConcurrency(options.concurrency)
    const pausing = pausingAll(
      handler,
      shards.map((shard) => shard.queue<T>(name)),
    )
    const workers = shards.map((shard) => {
      const member = concurrency.join()
      const worker = shard.work<T>(name, (job) => member.run(() => pausing(job)), options)
      member.onChange(worker.allow)
      return worker
    })
    return { stop: async (withinMs: number) => void (await Promise.all(workers.map((each) => each.stop(withinMs)))) }
  }

  return {
    kind: first.kind,
    store: first.store,
    queue: <T>(name: string) => shardedQueue(shards.map((shard) => shard.queue<T>(name))),
    work,
    ping: first.ping,
    space: first.space,
    close: async () => void (await Promise.all(shards.map((shard) => shard.close()))),
  }
}

/**
 * A job that pauses its queue pauses all shards: a rate limit is of the whole service. Jobs that waited for a free place
 * meanwhile have not begun, and wait on.
 */
function pausingAll<T>(handler: JobHandler<T>, shards: JobQueue<T>[]): JobHandler<T> {
  let until = 0
  return async (job) => {
    const delayMs = Math.ceil(until - performance.now())
    if (delayMs > 0) return { outcome: 'pause', delayMs, reason: 'the queue was paused before this job began' }
    const result = await handler(job)
    if (result.outcome !== 'pause') return result
    until = Math.max(until, performance.now() + result.delayMs)
    await all(shards, (queue) => queue.pauseFor(result.delayMs))
    return result
  }
}

/** The same queue of each shard as one. */
function shardedQueue<T>(shards: ShardQueue<T>[]): JobQueue<T> {
  const at = (shard: number) => shards[shard] as JobQueue<T>

  /** The shard that has the job, or any: what one cannot find, none can. */
  async function shardWith(id: string): Promise<JobQueue<T>> {
    const found = await all(shards, (queue) => queue.get(id))
    return at(
      Math.max(
        0,
        found.findIndex((job) => job !== undefined),
      ),
    )
  }

  return {
    name: at(0).name,
    add(job) {
      // The numbers that BullMQ gives are of one shard only.
      const own = job.id === undefined && job.deduplicationKey === undefined ? { id: randomUUID() } : {}
      // The job that adds it may be in a shard on another node: its end must not outlive this.
      return at(shardOf(job, shards.length)).add({ ...job, ...own, onReplica: true })
    },
    schedule: (id, everyMs, data) => at(shardOfSchedule(id, shards.length)).schedule(id, everyMs, data),
    get: async (id) => (await shardWith(id)).get(id),
    addedAt: (id) => at(shardOf({ id, data: undefined }, shards.length)).addedAt(id),
    retry: async (id) => (await shardWith(id)).retry(id),
    remove: async (id) => (await shardWith(id)).remove(id),
    promote: async (id) => (await shardWith(id)).promote(id),
    list: (states, from, count) => list(shards, { states, from, count }),
    async counts() {
      const found = await all(shards, (queue) => queue.counts())
      return found.reduce((sum, each) => ({
        waiting: sum.waiting + each.waiting,
        active: sum.active + each.active,
        delayed: sum.delayed + each.delayed,
        failed: sum.failed + each.failed,
        completed: sum.completed + each.completed,
      }))
    },
    async backlog() {
      const found = await all(shards, (queue) => queue.backlog())
      return found.reduce((sum: Backlog, each) => ({ jobs: sum.jobs + each.jobs, bytes: sum.bytes + each.bytes }))
    },
    oldest: async () => (await all(shards, (queue) => queue.oldest())).reduce(older),
    cleanFinished: async (olderThanMs, replaceData) =>
      void (await all(shards, (queue) => queue.cleanFinished(olderThanMs, replaceData))),
    pause: async () => void (await all(shards, (queue) => queue.pause())),
    resume: async () => void (await all(shards, (queue) => queue.resume())),
    isPaused: async () => (await all(shards, (queue) => queue.isPaused())).includes(true),
    pauseFor: async (forMs) => void (await all(shards, (queue) => queue.pauseFor(forMs))),
    settled: (options = {}) => settled(shards, options),
  }
}

async function list<T>(
  shards: ShardQueue<T>[],
  { states, from, count }: { states: StoredJob<T>['state'][]; from: number; count: number },
): Promise<StoredJob<T>[]> {
  const [state, ...others] = states
  const isOne = state !== undefined && others.length === 0
  const found = await Promise.all(
    shards.map((queue) => (isOne ? queue.inOrder(state, from + count) : queue.list(states, 0, from + count))),
  )
  return merged(found, from + count).slice(from)
}

/** The newest first, without changing the order within a shard: so every job is on one page. */
function merged<T>(shards: StoredJob<T>[][], count: number): StoredJob<T>[] {
  const rest = shards.map((jobs) => [...jobs])
  const jobs: StoredJob<T>[] = []
  while (jobs.length < count) {
    const newest = Math.max(...rest.map(([job]) => job?.addedAt ?? Number.NEGATIVE_INFINITY))
    const job = rest.find(([first]) => first?.addedAt === newest)?.shift()
    if (job === undefined) break
    jobs.push(job)
  }
  return jobs
}

/**
 * A job of one shard may add one to another that was looked at before: so all are looked at again until none has work.
 */
async function settled<T>(
  shards: JobQueue<T>[],
  { withinMs, timeoutMs = SETTLED_TIMEOUT_MS }: { withinMs?: number; timeoutMs?: number },
): Promise<void> {
  const until = Date.now() + timeoutMs
  const given = withinMs === undefined ? {} : { withinMs }
  const isIdle = (queue: JobQueue<T>) =>
    queue.settled({ ...given, timeoutMs: -1 }).then(
      () => true,
      (thrown: unknown) => {
        if (thrown instanceof QueueNotSettled) return false
        throw thrown
      },
    )
  for (;;) {
    await all(shards, (queue) => queue.settled({ ...given, timeoutMs: until - Date.now() }))
    if (!(await all(shards, isIdle)).includes(false)) return
  }
}

function older(one: OldestJobs, other: OldestJobs): OldestJobs {
  const states = ['waiting', 'active', 'delayed', 'failed'] as const
  return Object.fromEntries(
    states.flatMap((state) => {
      const added = Math.min(one[state] ?? Number.POSITIVE_INFINITY, other[state] ?? Number.POSITIVE_INFINITY)
      return Number.isFinite(added) ? [[state, added]] : []
    }),
  )
}

function all<T, R>(shards: JobQueue<T>[], ask: (queue: JobQueue<T>) => Promise<R>): Promise<R[]> {
  return Promise.all(shards.map(ask))
}
