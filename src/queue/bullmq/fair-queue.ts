// A queue in which a busy sender does not delay the others, and no job waits for ever behind newer ones.
import { LRUCache } from 'lru-cache'
import type { JobQueue, NewJob } from '../types.ts'

const STEP_MS = 10_000
/**
 * BullMQ allows two million priorities, so these start again after four months; jobs that wait just then run after the
 * newer ones.
 */
const STEPS = 2 ** 20
/** The furthest place behind the present, almost three hours. */
const LAST = 1_000
const WINDOW_MS = 60_000
const MOST_SENDERS = 10_000

/**
 * Priorities become times: the n-th job that a sender (a project) adds within a minute from this process is placed as
 * if it had been added n steps of 10 s later, and so is a job of priority n. Adds that only wake a waiting job do not
 * count.
 */
export function fairQueue<T>(
  queue: JobQueue<T>,
  given: { senderOf: (data: T) => string | undefined; now: () => number },
): JobQueue<T> {
  const recentJobs = new LRUCache<string, { count: number }>({
    ...{ max: MOST_SENDERS, ttl: WINDOW_MS, ttlResolution: 0, perf: given },
    memoMethod: () => ({ count: 0 }),
  })

  function placed(job: NewJob<T>, behind: number): NewJob<T> {
    const present = Math.floor(given.now() / STEP_MS) % STEPS
    return { ...job, priority: 1 + present + Math.min((job.priority ?? 0) + behind, LAST) }
  }

  async function add(job: NewJob<T>): ReturnType<JobQueue<T>['add']> {
    const sender = given.senderOf(job.data)
    if (sender === undefined) return queue.add(placed(job, 0))
    const jobs = recentJobs.memo(sender)
    const ready = placed(job, jobs.count)
    // Counted before the add, so that concurrent adds get different places.
    jobs.count += 1
    let added = false
    try {
      const result = await queue.add(ready)
      added = result.added
      return result
    } finally {
      if (!added) jobs.count -= 1
    }
  }

  return { ...queue, add }
}
