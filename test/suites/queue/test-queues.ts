// The queues and handlers of the queue suites: each test has its own queue.
import { randomUUID } from 'node:crypto'
import { test as bareTest } from 'vitest'
import type { JobHandler, JobQueue, JobResult, Queues, StoredJob, WorkerOptions } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'

/** Opened by the test to let a handler continue. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A handler after which a job fails for good. */
export const failing = async (): Promise<JobResult> => ({ outcome: 'failed', reason: 'no' })

/** A handler that adds the data of its jobs to the list. */
export function noting<T>(list: T[]): JobHandler<T> {
  return async ({ data }) => {
    list.push(data)
    return { outcome: 'done' }
  }
}

/** The data of the suites' jobs. */
export type Data = { n: number } | { text: string }

/** Resolves when the job is in the state. */
export function reaches<T>(queue: JobQueue<T>, id: string, state: StoredJob<T>['state']): Promise<void> {
  return eventually(async () => expect((await queue.get(id))?.state).toBe(state))
}

/** A `test` gets a queue that no other test uses, as `fresh` makes it; `worked` works one during a function. */
export function queuesOf<T = Data>(open: () => Queues) {
  const fresh = (): JobQueue<T> => open().queue<T>(`queue-${randomUUID()}`)

  /** Works the queue for as long as `during` takes: until it is settled, if absent. */
  async function worked(
    queue: JobQueue<T>,
    handler: JobHandler<T>,
    during: () => Promise<unknown> = () => queue.settled(),
    options: Partial<WorkerOptions> = {},
  ) {
    const usual = { concurrency: 4, backoffMs: 5, onError: () => undefined }
    const worker = open().work<T>(queue.name, handler, { ...usual, ...options })
    try {
      await during()
    } finally {
      await worker.stop(2_000)
    }
  }

  return { test: bareTest.extend('queue', fresh), fresh, worked }
}
