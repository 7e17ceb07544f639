// Adds jobs without a pause, and counts what became of those that were acknowledged.
import type { JobQueue, Queues } from '../../../src/queue/types.ts'
import { eventually } from '../../eventually.ts'

export type Load = ReturnType<typeof startLoad>

/** Several at a time, and runs them. */
export function startLoad(queues: Queues) {
  const queue: JobQueue<string> = queues.queue('deliveries')
  const ran = new Set<string>()
  const worker = queues.work<string>(
    'deliveries',
    async ({ data }) => {
      ran.add(data)
      return { outcome: 'done' }
    },
    { concurrency: 10, onError: () => undefined },
  )
  const load = { acknowledged: new Set<string>(), refused: 0 }
  let isOver = false
  const sender = async (name: string) => {
    for (let n = 0; !isOver; n += 1) {
      const id = `${name}-${n}`
      await queue.add({ id, data: id, onReplica: true }).then(
        () => load.acknowledged.add(id),
        () => {
          load.refused += 1
        },
      )
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const senders = ['a', 'b', 'c', 'd'].map(sender)
  return Object.assign(load, {
    /** Stops, and waits until every job that was acknowledged has run. */
    async end() {
      isOver = true
      await Promise.all(senders)
      const missing = () => [...load.acknowledged].filter((id) => !ran.has(id))
      // What is lost is not waited for longer than the queue takes for all the rest.
      await eventually(() => queue.settled({ withinMs: 100 }))
      await worker.stop(2_000)
      return { lost: missing() }
    },
  })
}

/** Waits until a hundred more are acknowledged. None is for up to ten seconds after a replica has gone. */
export async function accepts(load: Load): Promise<void> {
  const { size } = load.acknowledged
  await eventually(() => expect(load.acknowledged.size).toBeGreaterThan(size + 100))
}

export function report(what: string, load: Load, lost: string[]): void {
  const { acknowledged, refused } = load
  process.stdout.write(`${what}: ${acknowledged.size} acknowledged, ${refused} refused, ${lost.length} lost\n`)
}
