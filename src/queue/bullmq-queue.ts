// The queue over BullMQ, the same for every store of jobs.
import type { Queue as BullQueue } from 'bullmq'
import { createBodyRoom } from './body-room.ts'
import { bullmqLane } from './bullmq-lane.ts'
import type { BullStore } from './bullmq-store.ts'
import { bullmqWorker } from './bullmq-worker.ts'
import { asError, QueueUnavailable } from './errors.ts'
import type { LaneWorker, Queue } from './types.ts'

const STOP_WITHIN_MS = 5_000
/** Of large bodies, in all lanes: one of n bytes takes about nine times that while it is read. */
const BODIES_AT_ONCE = 32 * 1024 * 1024

/** Puts lanes and workers over an open store; closing the queue closes the store. */
export function bullmqQueue(store: BullStore, given: { lockMs?: number | undefined; bodiesAtOnce?: number | undefined } = {}): Queue {
  const bodies = createBodyRoom(given.bodiesAtOnce ?? BODIES_AT_ONCE)
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
      const worker = bullmqWorker({ ...store, queue: opened }, name, handler, options, { bodies, lockMs: given.lockMs })
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
