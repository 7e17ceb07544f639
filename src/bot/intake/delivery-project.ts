// The project of a job, so that a busy project does not delay the others.

import type { MergeRequestJob } from '../evaluation/merge-request-job.ts'
import type { DeliveryJob } from './delivery-job.ts'

// The project is near the start of every payload (hosting-service.md §2.1).
const lookedAt = 16_384
// A quote within a JSON text is escaped, so that no name or title can look like a key.
const projectKey = /"project(?:_id"\s*:|"\s*:\s*\{\s*"id"\s*:)\s*(\d{1,15})\b/

/** The project that a raw delivery claims to be of: good enough for its place in the queue, trusted for nothing else. */
export function projectOfDelivery(job: DeliveryJob): string | undefined {
  return job.is === 'again' ? undefined : projectIn(job.body.slice(0, lookedAt), lookedAt)
}

/** Undefined where the number may continue after the cut. */
function projectIn(text: string, cutAt: number): string | undefined {
  const found = projectKey.exec(text)
  return found === null || found.index + found[0].length === cutAt ? undefined : found[1]
}

export function projectOfMergeRequest(job: MergeRequestJob): string {
  return String(job.project)
}
