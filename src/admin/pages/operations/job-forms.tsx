// What follows the forms for jobs on the pages of the queue.
import { count as counted } from '../../../rules/language/values/wording.ts'
import type { BulkResponse } from '../../api/routes/queue.ts'
import type { DashboardPage, FormResult, SubmittedForm } from '../definition/page.ts'
import { ActionForm } from '../forms/action-form.tsx'
import { linkTo, pathTo, queueTitle } from '../parts/links.tsx'

const toQueue = ({ params: { queue = '' } }: SubmittedForm): FormResult => ({ goTo: pathTo('queue', queue) })

export const jobForms: NonNullable<DashboardPage['forms']> = {
  retry_job: toQueue,
  promote_job: toQueue,
  discard_job: toQueue,
  retry_failed: (form) => ({
    goTo: pathTo('queue', form.params.queue ?? ''),
    count: (form.reply.body as BulkResponse).count,
  }),
  discard_jobs: ({ params: { queue = '' }, input: { state = '' }, reply }) => {
    const { dryRun, count, more } = reply.body as BulkResponse
    if (!dryRun) return { goTo: pathTo('queue', queue), count }
    return {
      title: 'Discard?',
      body: (
        <>
          <h1>
            Discard {counted(count, `${state} job`)} of “{queueTitle(queue)}”?
          </h1>
          <p>They will not run. {more && 'There are more: only so many are discarded at once.'}</p>
          <div class="actions">
            <ActionForm
              route="discard_jobs"
              params={{ queue }}
              input={{ state, dry_run: 'false' }}
              button={`Discard ${count}`}
              tone="danger"
              why
            />
            <a href={linkTo(pathTo('queue', queue), { state })}>Cancel</a>
          </div>
        </>
      ),
    }
  },
}
