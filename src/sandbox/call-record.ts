// The sandbox's own record of what it was asked and did, for those who check a run afterwards: calls, merges, deliveries.
import type { Response } from 'express'
import type { Method } from '../api/endpoint.ts'
import type { DeliveryEntry, DeliveryNotes } from './hooks/deliveries.ts'
import { headPipeline } from './merge-requests/status.ts'
import type { MergeRequest, Pipeline } from './records.ts'
import type { State } from './world.ts'

/** An API call that was signed in and read. */
export interface CallEntry {
  /** One row of numbers for the beginnings and ends of all that is recorded. */
  began: number
  /** Undefined while it is under way. */
  ended?: number
  /** Milliseconds since 1970. */
  at: number
  endpoint: string
  method: Method
  /** Those of path, query and body. */
  params: Record<string, unknown>
  /** The id of who called; null is nobody. */
  caller: number | null
  /** What was answered; `lost` when the answer did not leave as a whole, undefined while it is under way. */
  status?: number | 'lost'
  /** It was handled and not refused: for a write, its effect is there. */
  applied: boolean
}

/** A merge request in the moment in which it was merged. */
export interface MergeEntry {
  began: number
  at: number
  mergeRequest: MergeRequest
  /** Its head pipeline as it was then. */
  pipeline: Pipeline | undefined
}

export interface CallRecord extends DeliveryNotes {
  calls: CallEntry[]
  merges: MergeEntry[]
  deliveries: DeliveryEntry[]
  /** Begins a call's entry, which ends with the response. */
  call(entry: Pick<CallEntry, 'endpoint' | 'method' | 'params' | 'caller'>, response: Response): CallEntry
}

// More than a long soak makes; older entries would go unnoticed, so that reading beyond it fails instead.
const mostEntries = 1_000_000

/** Records from now on. Its lists throw once they would have to leave something out. */
export function createCallRecord(state: State): CallRecord {
  let last = 0
  const next = (): number => {
    last += 1
    return last
  }
  const begin = () => ({ began: next(), at: Date.now() })
  const lists = { calls: createList<CallEntry>(), merges: createList<MergeEntry>(), deliveries: createList<DeliveryEntry>() }

  const merged = new Set(state.mergeRequests.all().flatMap(({ id, state: now }) => (now === 'merged' ? [id] : [])))
  state.mergeRequests.watch((id) => {
    const mergeRequest = state.mergeRequests.get(id)
    if (mergeRequest?.state !== 'merged' || merged.has(id)) return
    merged.add(id)
    lists.merges.add({ ...begin(), mergeRequest, pipeline: headPipeline(state, mergeRequest) })
  })

  return {
    get calls() {
      return lists.calls.all()
    },
    get merges() {
      return lists.merges.all()
    },
    get deliveries() {
      return lists.deliveries.all()
    },
    call(known, response) {
      const entry: CallEntry = { ...begin(), ...known, applied: false }
      response.once('close', () => {
        entry.status = response.writableFinished ? response.statusCode : 'lost'
        entry.ended = next()
      })
      return lists.calls.add(entry)
    },
    delivery: (known) => lists.deliveries.add({ ...begin(), ...known }),
    endDelivery(entry, result) {
      entry.result = result
      entry.ended = next()
    },
  }
}

function createList<T>(): { add(entry: T): T; all(): T[] } {
  const entries: T[] = []
  let full = false
  return {
    add(entry) {
      full ||= entries.length >= mostEntries
      if (!full) entries.push(entry)
      return entry
    },
    all() {
      if (full) throw new Error(`the record is full: more than ${mostEntries} entries`)
      return [...entries]
    },
  }
}
