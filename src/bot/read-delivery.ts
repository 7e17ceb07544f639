// What intake takes from a delivery's body, as plain JSON and without the body's own texts (CI variables, descriptions): it may be kept longer than that.
import { readPayload } from '../api/hooks.ts'
import { type ReadEvent, readEvent } from './read-event.ts'

// Longer than any that a service gives: what is kept is small.
const longestPath = 2_000

export interface Said extends ReadEvent {
  /** Equal for two deliveries of one event. */
  content?: string
  /** Of a pipeline: it is one of a merge request. */
  ofMergeRequest: boolean
  /** The full path of the event's project. */
  projectPath?: string
}

/** `reason` says in a sentence why the body is unreadable, without quoting it. */
export function readDelivery(body: string, receivedAt: string): { ok: true; said: Said } | { ok: false; reason: string } {
  const read = readPayload(body)
  if (!read.ok) return read
  const { payload, content } = read
  const ofMergeRequest = payload.merge_request?.iid !== undefined
  const said = readEvent(payload, receivedAt)
  // Of a fork's pipeline the delivery's project may be the fork.
  const path = said.event.project === payload.project?.id ? payload.project?.path_with_namespace : undefined
  const projectPath = path === undefined || path.length > longestPath ? {} : { projectPath: path }
  return { ok: true, said: { ...said, ofMergeRequest, ...projectPath, ...(content === undefined ? {} : { content }) } }
}
