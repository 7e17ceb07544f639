// Failed evaluations: they explain a missing decision.
import type { FailedJobsResponse } from '../../api/jobs.ts'
import { ActionForm } from '../forms/action-form.tsx'
import { linkTo, MergeRequestLink } from '../parts/links.tsx'

export function FailedJobs({ of: { items, more } }: { of: FailedJobsResponse }) {
  return (
    <>
      {items.map(({ queue, id, mergeRequest, failure }) => (
        <div class="problem actions" key={id}>
          <span>
            Evaluating {mergeRequest !== undefined && <MergeRequestLink of={mergeRequest} />} failed: {failure}
          </span>
          <ActionForm route="retry_job" params={{ queue, id }} button="Retry" />
        </div>
      ))}
      {more && (
        <p class="notice">
          Not all failed jobs were scanned: <a href={linkTo('/queue')}>the queue</a> lists them all.
        </p>
      )}
    </>
  )
}
