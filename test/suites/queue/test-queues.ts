// The queues and handlers of the queue suites: each test has its own queue.
import { randomUUID } from 'node:crypto'
import type { JobHandler, JobQueue, Queues, WorkerOptions } from '../../../src/queue/types.ts'

/** Something that a test opens when it wants a handler to go on. */
export function gate(): { opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A handler that writes down what it gets. */
export function noting<T>(list: T[]): JobHandler<T> {
  return async ({ data }) => {
    list.push(data)
    return { outcome: 'done' }
  }
}

/** What the jobs of the suites carry. */
export type Data = { n: number } | { text: string }

/** `fresh` gives a queue that no other test knows; `worked` works one for a while. */
export function queuesOf<T = Data>(open: () => Queues) {
  const fresh = (): JobQueue<T> => open().queue<T>(`queue-${randomUUID()}`)

  /** Works the queue for as long as `during` takes. */
  async function worked(
    queue: JobQueue<T>,
    handler: JobHandler<T>,
    during: () => Promise<void>,
    options: Partial<WorkerOptions> = {},
  ) {
    const worker = open().work<T>(queue.name, handler, {
      concurrency: 4,
      backoffMs: 5,
      onError: () => undefined,
      ...options,
    })
    try {
      await during()
    } finally {
      await worker.stop(2_000)
    }
  }

  return { fresh, worked }
}
