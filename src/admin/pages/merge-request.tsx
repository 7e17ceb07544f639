// One merge request, or one issue: its verdict and what blocks it, what happened, and the form to explain it.
import type { DecisionRecord, DeliveryRecord, JournalPage as ListPage } from '../../journal/types.ts'
import { sayDecision, sayEvent } from '../../rules/explain/history.ts'
import { blockersOf, sayReason, sayVerdict } from '../../rules/explain/verdict.ts'
import { fullRefName } from '../../rules/facts/definition/subject-ref.ts'
import { subjects } from '../api/inputs.ts'
import type { FailedJobsResponse } from '../api/jobs.ts'
import type { ExplainResponse } from '../api/routes/explain.ts'
import type { MergeRequestResponse } from '../api/routes/projects.ts'
import { DecisionView } from './decisions/decision-view.tsx'
import type { DashboardPage, PageContext, PageView, SubmittedForm } from './definition/page.ts'
import { ExplainForm } from './forms/action-form.tsx'
import { type Column, FailedJobs, List, Part, plain } from './lists/list.tsx'
import { isOfPeople } from './lists/waiting.tsx'
import { Badge, StateBadge } from './parts/badge.tsx'
import { linkTo, MergeRequestLink, Pager, ProjectLink, pageOf, pathTo, ServiceLink } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

type HistoryEntry = { at: string; delivery: DeliveryRecord } | { at: string; decision: DecisionRecord }

const pageSize = 50

const columns: Column<HistoryEntry>[] = [
  plain('Time', ({ at }) => <Time at={at} />),
  plain(
    'What happened',
    (entry) => ('delivery' in entry ? <Happened of={entry.delivery} /> : <Decided of={entry.decision} />),
    'wide',
  ),
]

function Happened({ of: { id, event, header, state, reason } }: { of: DeliveryRecord }) {
  return (
    <>
      <a href={linkTo(pathTo('deliveries', id))}>{event === undefined ? header : sayEvent(event)}</a>{' '}
      {state !== 'read' && <StateBadge state={state} />} {reason}
    </>
  )
}

const Decided = ({ of }: { of: DecisionRecord }) => (
  <a href={linkTo(pathTo('decisions', of.id))}>{`${sayDecision(of).join('. ')}.`}</a>
)

export const mergeRequestPage: DashboardPage = {
  path: subjects.map(({ path }) => path),
  forms: { explain: explanation, explain_issue: explanation },
  show,
}

async function show({ path: at, params, query, api }: PageContext): Promise<PageView> {
  const { project = '', iid = '' } = params
  const subject = at.startsWith('/issues/') ? 'issue' : undefined
  const of = { project, iid, subject }
  const { entries, until } = await history(api, { ...of, ...query })
  const path = pathTo(pageOf(subject), project, iid)
  const failed = await api<FailedJobsResponse>('list_failed_jobs', of)
  const route = subject === 'issue' ? 'show_issue' : 'show_merge_request'
  const mergeRequest = await api<MergeRequestResponse>(route, params)
  const name = fullRefName(mergeRequest)
  const isNewest = subject === undefined && query.until === undefined && query.after === undefined
  const latest = isNewest ? entries.flatMap((each) => ('decision' in each ? [each.decision] : []))[0] : undefined
  return {
    title: name,
    body: (
      <>
        <p class="badges">
          <span>
            In <ProjectLink of={mergeRequest} />
          </span>
          <ServiceLink of={mergeRequest} />
        </p>
        {latest !== undefined && <Verdict of={latest} />}
        <FailedJobs of={failed} />
        <ExplainForm of={mergeRequest} />
        <Part title="History">
          <List
            of="History"
            items={entries}
            columns={columns}
            none={`No history. No delivery named this ${subject ?? 'merge request'} within the retention time.`}
          />
          <Pager to={{ Older: until && linkTo(path, { until }) }} />
        </Part>
      </>
    ),
  }
}

/** The verdict, and what blocks it: first what people must do. */
function Verdict({ of }: { of: DecisionRecord }) {
  const blockers = blockersOf(of).toSorted((a, b) => Number(isOfPeople(b)) - Number(isOfPeople(a)))
  return (
    <>
      <p class="verdict">
        {of.state !== undefined && <Badge tone="info">{of.state}</Badge>} {sayVerdict(of)}
      </p>
      {blockers.length > 0 && (
        <ul class="notice">
          {blockers.map((each, index) => (
            <li key={index}>
              {isOfPeople(each) && <b>Missing: </b>}
              {sayReason(each)}
              {each.toFix !== undefined && `. To fix: ${each.toFix}`}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Deliveries and decisions, newest first; `until` is the filter of the next page. */
async function history(api: PageContext['api'], filter: object): Promise<{ entries: HistoryEntry[]; until?: string }> {
  const input = { ...filter, limit: pageSize }
  const decisions = await api<ListPage<DecisionRecord>>('list_decisions', input)
  const deliveries = await api<ListPage<DeliveryRecord>>('list_deliveries', input)
  const isCut = decisions.next !== undefined || deliveries.next !== undefined
  const all: HistoryEntry[] = [
    ...decisions.items.map((decision) => ({ at: decision.at, decision })),
    ...deliveries.items.map((delivery) => ({ at: delivery.receivedAt, delivery })),
  ]
  all.sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
  const entries = all.slice(0, pageSize)
  const last = entries.at(-1)
  if (last === undefined || (all.length <= pageSize && !isCut)) return { entries }
  // May repeat an entry, so that none of the same millisecond is missed.
  return { entries, until: new Date(Date.parse(last.at) + 1).toISOString() }
}

function explanation({ reply: { body } }: SubmittedForm): PageView {
  const { mergeRequest, overrides, decision, reason } = body as ExplainResponse
  return {
    title: `Explanation of ${fullRefName(mergeRequest)}`,
    heading: (
      <>
        What would be decided about <MergeRequestLink of={mergeRequest} /> now
      </>
    ),
    body: (
      <>
        <p class="dim">Dry run: nothing was sent or stored.</p>
        {overrides.length > 0 && (
          <p class="notice">What if: {overrides.join(' · ')}. All other facts are as the service reports them.</p>
        )}
        <ExplainForm of={mergeRequest} overrides={overrides} />
        {decision === undefined ? (
          <p class="problem">It cannot be evaluated: {reason}</p>
        ) : (
          <DecisionView of={decision} on={mergeRequest} made={false} />
        )}
      </>
    ),
  }
}
