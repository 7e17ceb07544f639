// The jobs of one lane that are in one state, and what can be done with all of them.
import { type JobAnswer, jobStates } from '../shown-jobs.ts'
import type { Page } from './page.ts'
import { ActionForm } from './parts/action-form.tsx'
import { jobColumns } from './parts/job-columns.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import { List } from './parts/list.tsx'
import { sayLane } from './parts/say-lane.ts'

const AT_ONCE = 50

export const lanePage: Page = {
  path: '/queue/{lane}',
  async show({ params, query, ask }) {
    const { lane = '' } = params
    const { state = 'failed', from = '0' } = query
    const { items } = await ask<{ items: JobAnswer[] }>('list_jobs', { params, input: { ...query, state, limit: AT_ONCE } })
    const path = pathTo('queue', lane)
    return {
      title: `Queue: ${sayLane(lane)}`,
      body: (
        <>
          <h1>
            <a href="/admin/queue">Queue</a>: {sayLane(lane)}
          </h1>
          <nav class="tabs" aria-label="State">
            {jobStates.map((each) => (
              <a key={each} class="tab" href={linkTo(path, { state: each })} aria-current={each === state ? 'page' : undefined}>
                {each}
              </a>
            ))}
          </nav>
          {items.length > 0 && state !== 'active' && (
            <div class="actions">
              {state === 'failed' && <ActionForm route="retry_failed" params={{ lane }} button="Retry all" tone="main" />}
              <ActionForm route="discard_jobs" params={{ lane }} input={{ state, dry_run: 'true' }} button="Discard all …" tone="danger" />
            </div>
          )}
          <List of="Jobs" items={items} columns={jobColumns} none={`No job here is ${state}.`} />
          {items.length === AT_ONCE && (
            <nav class="pager" aria-label="Pages">
              <a href={linkTo(path, { state, from: String(Number(from) + AT_ONCE) })}>Older</a>
            </nav>
          )}
        </>
      ),
    }
  },
}
