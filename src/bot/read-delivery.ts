// What intake takes from a delivery's body, as plain JSON and without the body's own texts (CI variables, descriptions): it may be kept longer than that.
import { readPayload } from '../api/hooks.ts'
import { type ReadEvent, readEvent } from './read-event.ts'

export interface Said extends ReadEvent {
  /** Equal for two deliveries of one event. */
  content?: string
  /** Of a pipeline: it is one of a merge request. */
  ofMergeRequest: boolean
}

/** `reason` says in a sentence why the body is unreadable, without quoting it. */
export function readDelivery(body: string, receivedAt: string): { ok: true; said: Said } | { ok: false; reason: string } {
  const read = readPayload(body)
  if (!read.ok) return read
  const { payload, content } = read
  const ofMergeRequest = payload.merge_request?.iid !== undefined
  return { ok: true, said: { ...readEvent(payload, receivedAt), ofMergeRequest, ...(content === undefined ? {} : { content }) } }
}
