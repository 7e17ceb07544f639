// What a page says after a form was done. The page before names the operation and a number, so that no text of others gets in by the address.

const said: Record<string, (count: number) => string> = {
  replay_delivery: () => 'It is in line again. What comes of it is shown below; load the page again in a moment.',
  replay_decision: () =>
    'It is in line again. What comes of it is the newest decision of the merge request; load the page again in a moment.',
  replay_selection: (count) => `${deliveries(count)} in line again. What comes of it is shown with each; load the page again in a moment.`,
  pause: () => 'It is paused.',
  resume: (count) => (count === 0 ? 'It goes on.' : `It goes on; ${heldBack(count)} judged now.`),
  retry_job: () => 'The job is in line again.',
  promote_job: () => 'The job runs at once.',
  discard_job: () => 'The job was dropped.',
  retry_failed: (count) => `${jobs(count)} in line again.`,
  discard_jobs: (count) => `${jobs(count)} dropped.`,
}

const heldBack = (count: number) =>
  count === 1 ? '1 merge request that was held back is' : `${count} merge requests that were held back are`
const deliveries = (count: number) => (count === 1 ? '1 delivery is' : `${count} deliveries are`)
const jobs = (count: number) => (count === 1 ? '1 job is' : `${count} jobs are`)

/** The sentence for a page's `done` and `count`; undefined where nothing was done. */
export function sayDone({ done = '', count = '0' }: Record<string, string>): string | undefined {
  return Object.hasOwn(said, done) && /^\d{1,9}$/.test(count) ? said[done]?.(Number(count)) : undefined
}
