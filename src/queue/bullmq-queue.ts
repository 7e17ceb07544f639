// The queue over BullMQ, the same for every store of jobs.
import type { Queue as BullQueue } from 'bullmq'
import { bullmqLane } from './bullmq-lane.ts'
import type { BullStore } from './bullmq-store.ts'
import { bullmqWorker } from './bullmq-worker.ts'
import { asError, QueueUnavailable } from './errors.ts'
import type { LaneWorker, Queue } from './types.ts'

const STOP_WITHIN_MS = 5_000

/** Puts lanes and workers over an open store; closing the queue closes the store. */
export function bullmqQueue(store: BullStore, lockMs?: number): Queue {
  const queues = new Map<string, BullQueue>()
  const workers = new Set<LaneWorker>()
  let closing: Promise<void> | undefined

  function opened(name: string): BullQueue {
    const known = queues.get(name)
    if (known !== undefined) return known
    const queue = store.queue(name)
    queues.set(name, queue)
    return queue
  }

  async function close(): Promise<void> {
    await Promise.all([...workers].map((worker) => worker.stop(STOP_WITHIN_MS)))
    await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
    await store.close()
  }

  return {
    kind: store.kind,
    store: store.connection,
    lane: (name) => bullmqLane(opened(name), store),
    work(name, handler, options) {
      const worker = bullmqWorker({ ...store, queue: opened }, name, handler, options, lockMs)
      workers.add(worker)
      return worker
    },
    ping: () => answered(store.ping),
    space: () => answered(store.space),
    close() {
      closing ??= close()
      return closing
    },
  }
}

async function answered<R>(ask: () => Promise<R>): Promise<R> {
  try {
    return await ask()
  } catch (thrown) {
    throw new QueueUnavailable(`The queue does not answer: ${asError(thrown).message}`, { cause: thrown })
  }
}
