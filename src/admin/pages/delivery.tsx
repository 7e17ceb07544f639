// Deliveries, the newest first; and one of them: what became of it, its decisions, its masked payload, and its replays.
import { type DeliveryRecord, deliveryStates } from '../../journal/types.ts'
import type { NamedRef } from '../../rules/facts/definition/subject-ref.ts'
import { count } from '../../rules/language/values/wording.ts'
import type { DeliveryResponse } from '../api/routes/deliveries.ts'
import { listPage } from './definition/list-page.tsx'
import { type DashboardPage, orUndefined } from './definition/page.ts'
import { byTime, inUtc, ofProject } from './forms/action-form.tsx'
import { decisionColumns, deliveryColumns, FailedJobs, List, Part } from './lists/list.tsx'
import { afterReplay, afterSelection, ReplayButtons, Replays, SelectionButton } from './operations/replay-forms.tsx'
import { StateBadge } from './parts/badge.tsx'
import { CommaList, DetailsList } from './parts/details-list.tsx'
import { MergeRequestLink, ProjectLink } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

export const deliveriesPage = listPage<DeliveryRecord>({
  title: 'Deliveries',
  path: '/deliveries',
  operation: 'list_deliveries',
  columns: deliveryColumns,
  fields: [
    ofProject,
    { name: 'state', label: 'State', type: deliveryStates },
    { name: 'outcome', label: 'Calls', type: ['failed'] },
    { name: 'kind', label: 'Event', type: 'text' },
    { name: 'rule', label: 'Matched rule', type: 'text' },
    ...byTime,
  ],
  none: 'No deliveries yet. Register the hook (bellhop hooks install), or press Test in the project’s web hook settings.',
  forms: { replay_selection: afterSelection },
  above(items, { query, now }) {
    const { after: _, limit: __, ...filter } = inUtc(query)
    return items.length > 0 && Object.keys(filter).length > 0 && <SelectionButton filter={{ until: now, ...filter }} />
  },
})

export const deliveryPage: DashboardPage = {
  path: '/deliveries/{id}',
  forms: { replay_delivery: afterReplay('replay_delivery') },
  async show({ params, api }) {
    const { delivery, decisions, job, failedJobs, moreFailed } = await api<DeliveryResponse>('show_delivery', params)
    const { id, receivedAt, state, reason, event, header, bytes, secretProject, mergeRequests, replays } = delivery
    const body = (await orUndefined(api<{ body: unknown }>('show_body', params)))?.body
    return {
      title: `Delivery ${id}`,
      heading: event?.kind ?? header,
      body: (
        <>
          {job?.failure !== undefined && (
            <p class="problem">
              Intake {job.state === 'failed' ? 'failed' : 'failed and will be retried'}: {job.failure}
            </p>
          )}
          <FailedJobs of={{ items: failedJobs, more: moreFailed }} />
          <DetailsList
            of={{
              Delivery: <span class="id">{id}</span>,
              Received: <Time at={receivedAt} />,
              State: (
                <>
                  <StateBadge state={state} /> {reason}
                </>
              ),
              User: event?.actor.username,
              [headOf(mergeRequests)]: mergeRequests.length > 0 && (
                <CommaList of={mergeRequests} most={20} each={(each) => <MergeRequestLink of={each} />} />
              ),
              Project: event?.project !== undefined && <ProjectLink of={{ ...event, project: event.project }} />,
              Ref: event?.ref,
              Changed: event?.changed?.join(', '),
              Header: header,
              Size: count(bytes, 'byte'),
              'Secret of project': secretProject,
              Replayed: replays.length > 0 && <Replays of={replays} />,
            }}
          />
          <ReplayButtons route="replay_delivery" id={id} />
          <Part title="Decisions">
            <List
              of="Decisions"
              items={decisions}
              columns={decisionColumns}
              none={
                <>
                  None. A delivery without a merge request or an issue triggers no decision. If an evaluation failed,{' '}
                  <a href="/admin/queue">Jobs</a> has the reason.
                </>
              }
            />
          </Part>
          <Part title="Payload">
            {body === undefined ? (
              <p class="none">
                No longer stored. Payloads are deleted after a day, because they may contain CI variables.
              </p>
            ) : (
              <details class="rule">
                <summary>Payload, with possible secrets masked</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
                <pre class="scrolls" tabIndex={0}>
                  {JSON.stringify(body, null, 2)}
                </pre>
              </details>
            )}
          </Part>
        </>
      ),
    }
  },
}

/** A delivery is about merge requests or about one issue. */
const headOf = ([first]: readonly NamedRef[]) => (first?.subject === 'issue' ? 'Issue' : 'Merge requests')
