// What can be done with jobs from the pages of the queue, and what follows.
import type { BulkAnswer } from '../routes/queue.ts'
import type { After, Page, Sent } from './page.ts'
import { ActionForm } from './parts/action-form.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import { sayLane } from './parts/say-lane.ts'

const toLane = ({ params: { lane = '' } }: Sent): After => ({ goTo: pathTo('queue', lane) })

export const jobForms: NonNullable<Page['forms']> = {
  retry_job: toLane,
  promote_job: toLane,
  discard_job: toLane,
  retry_failed: (sent) => ({ goTo: pathTo('queue', sent.params.lane ?? ''), count: (sent.reply.body as BulkAnswer).count }),
  discard_jobs: ({ params: { lane = '' }, input: { state = '' }, reply }) => {
    const { dryRun, count, more } = reply.body as BulkAnswer
    if (!dryRun) return { goTo: pathTo('queue', lane), count }
    return {
      title: 'Discard?',
      body: (
        <>
          <h1>
            Discard {count === 1 ? '1 job' : `${count} jobs`} of “{sayLane(lane)}”, {state}?
          </h1>
          <p>What they would have done is not done. {more && 'There are more: so many are dropped at once.'}</p>
          <div class="actions">
            <ActionForm
              route="discard_jobs"
              params={{ lane }}
              input={{ state, dry_run: 'false' }}
              button={`Discard ${count}`}
              tone="danger"
              why
            />
            <a href={linkTo(pathTo('queue', lane), { state })}>Leave them</a>
          </div>
        </>
      ),
    }
  },
}
