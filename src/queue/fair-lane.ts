// A lane in which one that sends much does not delay those who send little, and nothing waits for ever behind what comes later (DESIGN §6).
import type { Lane, NewJob } from './types.ts'

const WINDOW_MS = 60_000
const STEP_MS = 10_000
/** The store allows two million priorities: after four months they begin anew, and what waits just then is behind what comes until the line is empty. */
const STEPS = 2 ** 20
/** The furthest place behind the present, almost three hours. */
const LAST = 1_000

/**
 * The lane, with priorities that are times: the n-th job that a sender (a project) has added within a minute in this process stands in line as if
 * it had come n steps of 10 s later, and so does a job of priority n; so jobs of many senders take turns, and each waits for no more than what came
 * up to then. Adds that only wake a waiting job do not count.
 */
export function fairLane<T>(
  lane: Lane<T>,
  given: { senderOf: (data: T, body?: Buffer) => string | undefined; now: () => number },
): Lane<T> {
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

  const placed = (job: NewJob<T>, behind: number): NewJob<T> => {
    const present = Math.floor(given.now() / STEP_MS) % STEPS
    // For each `{ ...job, priority }` the V8 of Node 20 makes a class, which stays until the whole heap is collected.
    return Object.assign({}, job, { priority: 1 + present + Math.min((job.priority ?? 0) + behind, LAST) })
  }

  async function add(job: NewJob<T>): ReturnType<Lane<T>['add']> {
    const sender = given.senderOf(job.data, job.body)
    if (sender === undefined) return lane.add(placed(job, 0))
    const count = of(sender)
    const ready = placed(job, count.jobs)
    // Before the add, so that many at once get different numbers.
    count.jobs += 1
    let added = false
    try {
      const answer = await lane.add(ready)
      added = answer.added
      return answer
    } finally {
      if (!added) count.jobs -= 1
    }
  }

  return { ...lane, add }
}
