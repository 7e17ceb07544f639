// Summarises a delivery's body as JSON without its texts (CI variables, descriptions), which may be stored longer.
import { readPayload } from '../../api/hooks.ts'
import { type ReadEvent, readEvent } from './read-event.ts'

// Longer than any real path.
const longestPath = 2_000

export interface DeliverySummary extends ReadEvent {
  /** Equal for two deliveries of one event. */
  content?: string | undefined
  /** A pipeline of a merge request. */
  ofMergeRequest: boolean
  /** Of the event's project. */
  projectPath?: string | undefined
}

/** `reason`: a sentence that does not quote the body. */
export function readDelivery(
  body: string,
  receivedAt: string,
): { ok: true; summary: DeliverySummary } | { ok: false; reason: string } {
  const read = readPayload(body)
  if (!read.ok) return read
  const { payload, content } = read
  const ofMergeRequest = payload.merge_request?.iid !== undefined
  const about = readEvent(payload, receivedAt)
  // For a fork's pipeline the payload's project may be the fork.
  const path = about.event.project === payload.project?.id ? payload.project?.path_with_namespace : undefined
  const projectPath = path !== undefined && path.length <= longestPath ? path : undefined
  return { ok: true, summary: { ...about, ofMergeRequest, projectPath, content } }
}
