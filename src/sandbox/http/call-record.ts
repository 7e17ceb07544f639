// Records API calls, git operations, merges and deliveries, for tests to check.
import type { Response } from 'express'
import type { Method } from '../../api/endpoint.ts'
import type { DeliveryEntry } from '../hooks/deliveries.ts'
import { headPipeline } from '../merge-requests/status.ts'
import type { MergeRequest, PipelineRecord } from '../records/records.ts'
import type { State } from '../storage/world.ts'

/** An authenticated API call with valid parameters. */
export interface CallEntry {
  /** A common sequence number of all starts and ends. */
  began: number
  ended?: number
  /** Milliseconds since 1970. */
  at: number
  endpoint: string
  method: Method
  /** The parameters of path, query and body. */
  params: Record<string, unknown>
  caller: number | null
  /** `lost`: the response was cut off; undefined while pending. */
  status?: number | 'lost'
  /** Handled and not refused. */
  applied: boolean
}

/** A merge request as it was merged. */
export interface MergeEntry {
  began: number
  at: number
  mergeRequest: MergeRequest
  pipeline: PipelineRecord | undefined
}

export type CallRecord = ReturnType<typeof createCallRecord>

export function createCallRecord(state: State) {
  let last = 0
  const next = () => ++last
  const begin = () => ({ began: next(), at: Date.now() })
  const calls: CallEntry[] = []
  /** Fetches, pushes and lists of refs: each begins with one request for the refs. */
  const git: { service: string; caller: number | null }[] = []
  const merges: MergeEntry[] = []
  const deliveries: DeliveryEntry[] = []

  const merged = new Set(state.mergeRequests.all().flatMap(({ id, state: now }) => (now === 'merged' ? [id] : [])))
  state.mergeRequests.watch((id) => {
    const mergeRequest = state.mergeRequests.get(id)
    if (mergeRequest?.state !== 'merged' || merged.has(id)) return
    merged.add(id)
    merges.push({ ...begin(), mergeRequest, pipeline: headPipeline(state, mergeRequest) })
  })

  return {
    calls,
    git,
    merges,
    deliveries,
    /** The entry ends with the response. */
    call(known: Pick<CallEntry, 'endpoint' | 'method' | 'params' | 'caller'>, response: Response): CallEntry {
      const entry: CallEntry = { ...begin(), ...known, applied: false }
      response.once('close', () => {
        entry.status = response.writableFinished ? response.statusCode : 'lost'
        entry.ended = next()
      })
      calls.push(entry)
      return entry
    },
    delivery(known: Pick<DeliveryEntry, 'id' | 'hook' | 'payload'>) {
      const entry: DeliveryEntry = { ...begin(), ...known }
      deliveries.push(entry)
      return (result: NonNullable<DeliveryEntry['result']>): void => {
        Object.assign(entry, { result, ended: next() })
      }
    },
  }
}
