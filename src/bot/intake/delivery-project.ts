// The project of a delivery, so that a busy project does not delay the others.
import type { DeliveryJob } from './delivery-job.ts'

// The project is near the start of every payload.
const prefixLength = 16_384
// Quotes within JSON texts are escaped: no name or title can look like a key.
const projectKey = /"project(?:_id"\s*:|"\s*:\s*\{\s*"id"\s*:)\s*(\d{1,15})\b/

/** The project that a raw delivery claims to be of. Not verified: only used for its place in the queue. */
export function projectOfDelivery(job: DeliveryJob): string | undefined {
  return job.is === 'again' ? undefined : projectIn(job.body.slice(0, prefixLength), prefixLength)
}

/** Undefined if the number may continue after the cut. */
function projectIn(text: string, cutAt: number): string | undefined {
  const found = projectKey.exec(text)
  return found === null || found.index + found[0].length === cutAt ? undefined : found[1]
}
