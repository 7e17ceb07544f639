// All queues and workers of one backend.
import type { Queue as BullQueue } from 'bullmq'
import { asError, QueueUnavailable } from '../errors.ts'
import type { Queues, QueueWorker } from '../types.ts'
import type { QueueBackend } from './backend.ts'
import { bullmqJobQueue } from './named-queue.ts'
import { telemetry } from './telemetry.ts'
import { bullmqWorker } from './worker.ts'

const STOP_WITHIN_MS = 5_000

interface GivenQueues {
  lockMs?: number
  /** Whether jobs are spans of traces. */
  isTraced?: boolean
}

/** Closing the queues closes the backend. */
export function bullmqQueues(backend: QueueBackend, { isTraced = false, ...given }: GivenQueues = {}): Queues {
  const tracing = isTraced ? { telemetry } : {}
  const queues = new Map<string, BullQueue>()
  const workers = new Set<QueueWorker>()
  let closing: Promise<void> | undefined

  function openQueue(name: string): BullQueue {
    const known = queues.get(name)
    if (known !== undefined) return known
    const queue = backend.queue(name, tracing)
    queues.set(name, queue)
    return queue
  }

  async function close(): Promise<void> {
    await Promise.all([...workers].map((worker) => worker.stop(STOP_WITHIN_MS)))
    await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
    await backend.close()
  }

  return {
    kind: backend.kind,
    store: backend.connection,
    queue: (name) => bullmqJobQueue(openQueue(name), backend),
    work(name, handler, options) {
      const setup = { name, handler, options, tracing, ...given }
      const worker = bullmqWorker({ ...backend, queue: openQueue }, setup)
      workers.add(worker)
      return worker
    },
    ping: () => ask(backend.ping),
    space: () => ask(backend.space),
    close() {
      closing ??= close()
      return closing
    },
  }
}

async function ask<R>(question: () => Promise<R>): Promise<R> {
  try {
    return await question()
  } catch (thrown) {
    throw new QueueUnavailable(`The queue does not answer: ${asError(thrown).message}`, { cause: thrown })
  }
}
