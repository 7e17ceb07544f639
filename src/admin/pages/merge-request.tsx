// One merge request: its deliveries and decisions, newest first, and the form to explain it.
import type { DecisionRecord, DeliveryRecord, JournalPage as ListPage } from '../../journal/types.ts'
import type { FailedJobsResponse } from '../api/jobs.ts'
import type { DashboardPage, PageContext } from './definition/page.ts'
import { explanation } from './explanation.tsx'
import { ExplainForm } from './forms/explain-form.tsx'
import { matchedRules, Outcome } from './lists/decision-columns.tsx'
import { FailedJobs } from './lists/failed-jobs.tsx'
import { type Column, List } from './lists/list.tsx'
import { StateBadge } from './parts/badge.tsx'
import { DecisionLink, linkTo, ProjectLink, pathTo } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

type HistoryEntry = { at: string; delivery: DeliveryRecord } | { at: string; decision: DecisionRecord }

const pageSize = 50

const columns: Column<HistoryEntry>[] = [
  { head: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    head: 'Event',
    cell: (entry) =>
      'delivery' in entry ? (
        <a href={linkTo(pathTo('deliveries', entry.delivery.id))}>
          {entry.delivery.event?.kind ?? entry.delivery.header}
        </a>
      ) : (
        <>
          decision <DecisionLink of={entry.decision} />
        </>
      ),
  },
  {
    head: 'Result',
    cell: (entry) =>
      'delivery' in entry ? <StateBadge state={entry.delivery.state} /> : <Outcome of={entry.decision} />,
  },
  { head: 'User', cell: (entry) => 'delivery' in entry && entry.delivery.event?.actor.username },
  {
    head: 'Matched rules, or reason',
    wide: true,
    cell: (entry) => ('delivery' in entry ? entry.delivery.reason : matchedRules(entry.decision)),
  },
]

export const mergeRequestPage: DashboardPage = {
  path: '/merge-requests/{project}/{iid}',
  forms: { explain: explanation },
  async show({ params, query, api }) {
    const { project = '', iid = '' } = params
    const { entries, until } = await history(api, { project, iid, ...query })
    const failed = await api<FailedJobsResponse>('list_failed_jobs', { input: { project, iid } })
    const name = `Merge request ${project}!${iid}`
    return {
      title: name,
      body: (
        <>
          <h1>{name}</h1>
          <p>
            In <ProjectLink of={{ project: Number(project) }} />
          </p>
          <FailedJobs of={failed} />
          <ExplainForm project={project} iid={iid} />
          <section class="part">
            <h2>History</h2>
            <List
              of="History"
              items={entries}
              columns={columns}
              none="No history. No delivery named this merge request within the retention time."
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

/** Deliveries and decisions, newest first; `until` is the filter of the next page. */
async function history(
  api: PageContext['api'],
  filter: Record<string, string>,
): Promise<{ entries: HistoryEntry[]; until?: string }> {
  const input = { ...filter, limit: pageSize }
  const deliveries = await api<ListPage<DeliveryRecord>>('list_deliveries', { input })
  const decisions = await api<ListPage<DecisionRecord>>('list_decisions', { input })
  const all: HistoryEntry[] = [
    ...deliveries.items.map((delivery) => ({ at: delivery.receivedAt, delivery })),
    ...decisions.items.map((decision) => ({ at: decision.at, decision })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  const entries = all.slice(0, pageSize)
  const last = entries.at(-1)
  if (last === undefined || (all.length <= pageSize && deliveries.next === undefined && decisions.next === undefined))
    return { entries }
  // Repeats an entry rather than missing another of the same millisecond.
  return { entries, until: new Date(Date.parse(last.at) + 1).toISOString() }
}
