// A lane in which one that sends much does not delay those who send little: the n-th job of a sender within a minute has priority n (DESIGN §6).
import type { Lane, NewJob } from './types.ts'

const WINDOW_MS = 60_000
/** Further back makes no difference, and the store allows no more than two million. */
const LAST = 100_000

/**
 * The lane, with priorities by how many jobs each sender (a project) has added within the last minute in this process: jobs of many
 * senders take turns, whoever came first. A job's own priority, if any, comes on top. Adds that only wake a waiting job do not count.
 */
export function fairLane<T>(lane: Lane<T>, given: { senderOf: (data: T) => string | undefined; now: () => number }): Lane<T> {
  const recent = new Map<string, { since: number; jobs: number }>()

  function of(sender: string): { since: number; jobs: number } {
    const now = given.now()
    const known = recent.get(sender)
    // A clock that was set back begins a new minute.
    if (known !== undefined && now >= known.since && now - known.since < WINDOW_MS) return known
    for (const [each, { since }] of recent) if (now < since || now - since >= WINDOW_MS) recent.delete(each)
    const fresh = { since: now, jobs: 0 }
    recent.set(sender, fresh)
    return fresh
  }

  async function add(job: NewJob<T>): ReturnType<Lane<T>['add']> {
    const sender = given.senderOf(job.data)
    if (sender === undefined) return lane.add(job)
    const count = of(sender)
    const priority = Math.min((job.priority ?? 0) + count.jobs, LAST)
    // Before the add, so that many at once get different numbers.
    count.jobs += 1
    let added = false
    try {
      const answer = await lane.add({ ...job, ...(priority === 0 ? {} : { priority }) })
      added = answer.added
      return answer
    } finally {
      if (!added) count.jobs -= 1
    }
  }

  return { ...lane, add }
}
