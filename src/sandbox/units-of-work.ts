// One request or background task is a unit of work: all that it changed is written in one transaction, and is written when it resolves.
import { AsyncLocalStorage } from 'node:async_hooks'
import { allCollections, type State } from './world.ts'

/** What a transaction has to write: bodies as JSON, null for a record that is gone. */
export interface Changes {
  records: { collection: string; id: number; body: string | null }[]
  counters: { name: string; value: number }[]
}
export interface UnitsOfWork {
  /** Runs a task; resolves or rejects as it does, but only once what it changed is written. Rejects when that failed, now or before. */
  run<T>(task: () => Promise<T>): Promise<T>
  /** From now on nothing begins, and what a task that still runs has changed is not written: its git processes may be ended under it. */
  stop(): void
  /** How many tasks run. */
  readonly running: number
  /** Resolves when the tasks that run at this moment have ended. */
  ended(): Promise<void>
  /** Resolves with the reason when something could not be written. From then on every task is refused: memory is ahead of the disk. */
  readonly failed: Promise<Error>
}

/** Why nothing can be done any more, when that is so. */
interface Refusal {
  reason: Error | undefined
}
interface Unit {
  over: boolean
  /** Names of collections, and in each the ids. */
  records: Map<string, Set<number>>
  counters: Set<string>
}

/** Tells tasks apart and writes what they change to `state`; without `write` they only run. */
export function createUnitsOfWork(state: State, write: ((changes: Changes) => Promise<void>) | undefined): UnitsOfWork {
  const running = new Set<Promise<unknown>>()
  const refusal: Refusal = { reason: undefined }
  let fail: (reason: Error) => void = () => undefined
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })
  const runUnit = write === undefined ? <T>(task: () => Promise<T>) => task() : runnerOf(state, write, refusal, fail)
  return {
    async run(task) {
      if (refusal.reason !== undefined) throw refusal.reason
      const ran = runUnit(task).finally(() => running.delete(ran))
      running.add(ran)
      return ran
    },
    stop() {
      refusal.reason ??= new Error('The sandbox is stopping.')
    },
    get running() {
      return running.size
    },
    ended: async () => void (await Promise.allSettled(running)),
    failed,
  }
}

function runnerOf(
  state: State,
  write: (changes: Changes) => Promise<void>,
  refusal: Refusal,
  fail: (reason: Error) => void,
): UnitsOfWork['run'] {
  const units = new AsyncLocalStorage<Unit>()
  let waiting: Unit[] = []
  let lastWrite = Promise.resolve()
  let nextWrite: Promise<void> | undefined

  function presentUnit(): Unit {
    const unit = units.getStore()
    if (unit === undefined || unit.over) throw new Error('records were changed outside of a unit of work')
    return unit
  }
  for (const [name, collection] of allCollections(state)) {
    collection.watch((id) => {
      const { records } = presentUnit()
      records.set(name, (records.get(name) ?? new Set()).add(id))
    })
  }
  state.counters.watch((name) => presentUnit().counters.add(name))

  /** Those that end while another transaction is being written share the next one. */
  async function commit(unit: Unit): Promise<void> {
    if (refusal.reason !== undefined) throw refusal.reason
    waiting.push(unit)
    nextWrite ??= lastWrite.then(writeWaiting)
    lastWrite = nextWrite
    return nextWrite
  }
  async function writeWaiting(): Promise<void> {
    const taken = waiting
    waiting = []
    nextWrite = undefined
    try {
      await write(changesOf(state, taken))
    } catch (cause) {
      const reason = new Error(`The records cannot be written any more: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      })
      refusal.reason = reason
      fail(reason)
      throw reason
    }
  }

  return async function run(task) {
    const unit: Unit = { over: false, records: new Map(), counters: new Set() }
    try {
      return await units.run(unit, task)
    } finally {
      unit.over = true
      // Also after a refusal of the task's own: what was changed before it stands in memory.
      if (unit.records.size > 0 || unit.counters.size > 0) await commit(unit)
    }
  }
}

/** The present values of all that these units changed. */
function changesOf(state: State, units: readonly Unit[]): Changes {
  const records: Changes['records'] = []
  for (const [collection, found] of allCollections(state)) {
    const ids = new Set(units.flatMap((unit) => [...(unit.records.get(collection) ?? [])]))
    for (const id of ids) {
      const record = found.get(id)
      records.push({ collection, id, body: record === undefined ? null : JSON.stringify(record) })
    }
  }
  const names = new Set(units.flatMap((unit) => [...unit.counters]))
  return { records, counters: [...names].map((name) => ({ name, value: state.counters.get(name) ?? 0 })) }
}
