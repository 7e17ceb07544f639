// What failed of judging merge requests, said where a person looks for the decision that is not there.
import type { FailedJobsAnswer } from '../../shown-jobs.ts'
import { ActionForm } from './action-form.tsx'
import { linkTo } from './links.ts'
import { MergeRequestLink } from './merge-request-link.tsx'

export function FailedJobs({ of: { items, more } }: { of: FailedJobsAnswer }) {
  return (
    <>
      {items.map(({ lane, id, about, failure }) => (
        <div class="problem actions" key={id}>
          <span>
            Judging {about !== undefined && <MergeRequestLink of={about} />} failed: {failure}
          </span>
          <ActionForm route="retry_job" params={{ lane, id }} button="Retry" />
        </div>
      ))}
      {more && (
        <p class="notice">
          More jobs failed than were looked at here: <a href={linkTo('/queue')}>the queue</a> has them all.
        </p>
      )}
    </>
  )
}
