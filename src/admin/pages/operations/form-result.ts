// The confirmation after a form. The address has only the operation and a count, so that it cannot inject text.
import { count as counted } from '../../../rules/language/values/wording.ts'

const messages: Record<string, (count: number) => string> = {
  replay_delivery: () => 'Enqueued again. Reload the page in a moment to see the result below.',
  replay_decision: () => 'Enqueued again. The result will be the newest decision of the merge request.',
  replay_selection: (count) =>
    `${counted(count, 'delivery', 'deliveries')} enqueued again. Each shows its result in a moment.`,
  pause: () => 'Paused.',
  resume: (count) => `Resumed.${count === 0 ? '' : ` Evaluating ${counted(count, 'held-back merge request')}.`}`,
  retry_job: () => 'The job was enqueued again.',
  promote_job: () => 'The job runs now.',
  discard_job: () => 'The job was discarded.',
  retry_failed: (count) => `${counted(count, 'job')} enqueued again.`,
  pause_merge_queue: () => 'Paused. Nothing lands until it is resumed.',
  resume_merge_queue: () => 'Resumed. What has not landed is built anew.',
  remove_merge_queue_entry: () => 'Removed. Those behind it are built anew, without it.',
  move_merge_queue_entry: () => 'Moved to the front of those that wait.',
  discard_jobs: (count) => `${counted(count, 'job')} discarded.`,
}

/** The message for a page's `done` and `count`; undefined without a form. */
export function describeFormResult({ done = '', count = '0' }: Record<string, string>): string | undefined {
  return Object.hasOwn(messages, done) && /^\d{1,9}$/.test(count) ? messages[done]?.(Number(count)) : undefined
}
