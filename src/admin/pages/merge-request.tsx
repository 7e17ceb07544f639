// One merge request: what happened to it and what was decided about it, newest first; and what would be decided now.
import type { DecisionRecord, DeliveryRecord, Page as ListPage } from '../../journal/types.ts'
import type { FailedJobsAnswer } from '../shown-jobs.ts'
import { explained } from './explained.tsx'
import type { Page, Visit } from './page.ts'
import { StateBadge } from './parts/badge.tsx'
import { DecisionLink, heldRules, Outcome } from './parts/decision-columns.tsx'
import { ExplainForm } from './parts/explain-form.tsx'
import { FailedJobs } from './parts/failed-jobs.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import { type Column, List } from './parts/list.tsx'
import { ProjectLink } from './parts/project-link.tsx'
import { Time } from './parts/time.tsx'

type Moment = { at: string; delivery: DeliveryRecord } | { at: string; decision: DecisionRecord }

const AT_ONCE = 50

const columns: Column<Moment>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    head: 'What',
    cell: (moment) =>
      'delivery' in moment ? (
        <a href={linkTo(pathTo('deliveries', moment.delivery.id))}>{moment.delivery.event?.kind ?? moment.delivery.header}</a>
      ) : (
        <>
          decision <DecisionLink of={moment.decision} />
        </>
      ),
  },
  {
    head: 'Came of it',
    cell: (moment) => ('delivery' in moment ? <StateBadge state={moment.delivery.state} /> : <Outcome of={moment.decision} />),
  },
  {
    head: 'By',
    cell: (moment) => ('delivery' in moment ? moment.delivery.event?.actor.username : undefined),
  },
  {
    head: 'Rules that held, or the reason',
    wide: true,
    cell: (moment) => ('delivery' in moment ? moment.delivery.reason : heldRules(moment.decision)),
  },
]

export const mergeRequestPage: Page = {
  path: '/merge-requests/{project}/{iid}',
  forms: { explain: explained },
  async show({ params, query, ask }) {
    const { project = '', iid = '' } = params
    const { moments, until } = await history(ask, { project, iid, ...query })
    const failed = await ask<FailedJobsAnswer>('list_failed_jobs', { input: { project, iid } })
    const name = `Merge request ${project}!${iid}`
    return {
      title: name,
      body: (
        <>
          <h1>{name}</h1>
          <p>
            Of <ProjectLink of={{ project: Number(project) }} />
          </p>
          <FailedJobs of={failed} />
          <ExplainForm project={project} iid={iid} />
          <section class="part">
            <h2>History</h2>
            <List
              of="History"
              items={moments}
              columns={columns}
              none="Nothing is known of it: no delivery named it, or all is older than what is kept."
            />
            {until !== undefined && (
              <nav class="pager" aria-label="Pages">
                <a href={linkTo(pathTo('merge-requests', project, iid), { until })}>Older</a>
              </nav>
            )}
          </section>
        </>
      ),
    }
  },
}

/** Deliveries and decisions together, newest first; `until` leads on. */
async function history(ask: Visit['ask'], filter: Record<string, string>): Promise<{ moments: Moment[]; until?: string }> {
  const input = { ...filter, limit: AT_ONCE }
  const deliveries = await ask<ListPage<DeliveryRecord>>('list_deliveries', { input })
  const decisions = await ask<ListPage<DecisionRecord>>('list_decisions', { input })
  const all: Moment[] = [
    ...deliveries.items.map((delivery) => ({ at: delivery.receivedAt, delivery })),
    ...decisions.items.map((decision) => ({ at: decision.at, decision })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  const moments = all.slice(0, AT_ONCE)
  const last = moments.at(-1)
  if (last === undefined || (all.length <= AT_ONCE && deliveries.next === undefined && decisions.next === undefined)) return { moments }
  // One is shown twice rather than another of the same millisecond never.
  return { moments, until: new Date(Date.parse(last.at) + 1).toISOString() }
}
