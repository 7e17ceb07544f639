// The jobs of one queue in one state, with operations on all of them.
import { type JobSummary, jobStates } from '../api/jobs.ts'
import type { DashboardPage } from './definition/page.ts'
import { ActionForm } from './forms/action-form.tsx'
import { jobColumns, List } from './lists/list.tsx'
import { linkTo, Pager, pathTo, queueTitle, Tabs } from './parts/links.tsx'

const pageSize = 50

export const queueJobsPage: DashboardPage = {
  path: '/queue/{queue}',
  async show({ params, query, api }) {
    const { queue = '' } = params
    const { state = 'failed', from = '0' } = query
    const jobs = { ...query, ...params, state, limit: pageSize }
    const { items } = await api<{ items: JobSummary[] }>('list_jobs', jobs)
    const path = pathTo('queue', queue)
    const next = Number(from) + pageSize
    return {
      title: `Queue: ${queueTitle(queue)}`,
      heading: (
        <>
          <a href="/admin/queue">Queue</a>: {queueTitle(queue)}
        </>
      ),
      body: (
        <>
          <Tabs
            label="State"
            tabs={jobStates.map((name) => ({ name, href: linkTo(path, { state: name }), isShown: name === state }))}
          />
          {items.length > 0 && state !== 'active' && (
            <div class="actions">
              {state === 'failed' && (
                <ActionForm route="retry_failed" params={{ queue }} button="Retry all" tone="main" />
              )}
              <ActionForm
                route="discard_jobs"
                params={{ queue }}
                input={{ state, dry_run: 'true' }}
                button="Discard all …"
                tone="danger"
              />
            </div>
          )}
          <List of="Jobs" items={items} columns={jobColumns} none={`No ${state} jobs.`} />
          <Pager to={{ Older: items.length === pageSize ? linkTo(path, { state, from: next }) : undefined }} />
        </>
      ),
    }
  },
}
