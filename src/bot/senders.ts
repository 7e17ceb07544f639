// Whose work a job is, so that a busy project does not delay the others (DESIGN §6).
import type { MergeRequestJob } from './merge-request-job.ts'
import type { DeliveryJob } from './receive.ts'

// The project stands near the beginning of every payload (hosting-service.md §2.1); what stands further back is not looked for.
const lookedAt = 16_384
/** Of most payloads so much is enough, and to make a text of a whole body costs more than to look through it. */
const lookedAtFirst = 1_024
// A quote within a JSON text is escaped, so that no name or title can look like a key.
const projectKey = /"project(?:_id"\s*:|"\s*:\s*\{\s*"id"\s*:)\s*(\d{1,15})\b/

/** The project that a raw delivery, whose `body` may be apart, says it is of: good enough for its place in line, and believed for nothing else. */
export function senderOfDelivery(job: DeliveryJob, body?: Buffer): string | undefined {
  // All that is looked for are ASCII letters, which no other letter's bytes in UTF-8 are.
  if (job.is === 'delivery') {
    const upTo = (end: number) => body?.toString('latin1', 0, end) ?? job.body.slice(0, end)
    return projectIn(upTo(lookedAtFirst), lookedAtFirst) ?? projectIn(upTo(lookedAt), lookedAt)
  }
  return job.why === 'copied' ? senderOfMergeRequest(job.mergeRequest) : undefined
}

/** Nothing where its number may go on behind the end of what was cut. */
function projectIn(text: string, cutAt: number): string | undefined {
  const found = projectKey.exec(text)
  return found === null || found.index + found[0].length === cutAt ? undefined : found[1]
}

/** The project that it stands in. */
export function senderOfMergeRequest(job: MergeRequestJob): string {
  return String(job.project)
}
