// One transaction for each task: what it changed in memory is written as a whole, or not at all.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordChange, RecordStore } from './record-store.ts'
import { deferred } from './schedule.ts'
import { allCollections, type State } from './world.ts'

/** One transaction for each task, written one after the other; without `write`, tasks only run. */
export function createTransactions(state: State, write: RecordStore['write'] | undefined) {
  const running = new Set<Promise<unknown>>()
  const present = new AsyncLocalStorage<{ changed: Map<string, () => RecordChange> | undefined }>()
  const { promise: failed, resolve: fail } = deferred<Error>()
  let refusal: Error | undefined
  let written = Promise.resolve()

  if (write !== undefined) {
    for (const [collection, records] of allCollections(state)) {
      records.watch((id) => {
        const changed = present.getStore()?.changed
        if (changed === undefined) throw new Error('records were changed outside of a task')
        const body = () => (records.get(id) === undefined ? null : JSON.stringify(records.get(id)))
        changed.set(`${collection} ${id}`, () => ({ collection, id, body: body() }))
      })
    }
  }
  async function commit(changed: ReadonlyMap<string, () => RecordChange>) {
    if (write === undefined || changed.size === 0) return
    if (refusal !== undefined) throw refusal
    written = written.then(async () => write([...changed.values()].map((change) => change())))
    try {
      await written
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      refusal = new Error(`The records cannot be written any more: ${message}`, { cause })
      fail(refusal)
      throw refusal
    }
  }
  async function runTask<T>(task: () => Promise<T>): Promise<T> {
    // Once a local storage is used, Node 20 does work for it at every promise of the process.
    if (write === undefined) return task()
    const changed = new Map<string, () => RecordChange>()
    const unit: { changed: typeof changed | undefined } = { changed }
    try {
      return await present.run(unit, task)
    } finally {
      unit.changed = undefined
      // Also after a failure: its changes stand in memory.
      await commit(changed)
    }
  }

  return {
    /** Runs a task; settles as it does, once its changes are written. Rejects when a write fails or failed. */
    async run<T>(task: () => Promise<T>): Promise<T> {
      if (refusal !== undefined) throw refusal
      const ran = runTask(task).finally(() => running.delete(ran))
      running.add(ran)
      return ran
    },
    /** Refuses new tasks, and writes nothing of those that still run: their git processes may be ended. */
    stop(): void {
      refusal ??= new Error('The sandbox is stopping.')
    },
    running: () => running.size,
    /** For when no task is left. */
    close: () => present.disable(),
    /** Resolves when the tasks that run now have ended. */
    ended: async () => void (await Promise.allSettled(running)),
    /** Resolves with the reason when a write fails. From then on every task is refused: memory is ahead of the disk. */
    failed,
  }
}
