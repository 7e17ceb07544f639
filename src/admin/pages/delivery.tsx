// One delivery: what it said, what became of it, its payload with secrets masked, and its replays.
import type { DeliveryAnswer } from '../routes/deliveries.ts'
import { ifThere, type Page } from './page.ts'
import { StateBadge } from './parts/badge.tsx'
import { decisionColumns } from './parts/decision-columns.tsx'
import { Facts, Several } from './parts/facts.tsx'
import { FailedJobs } from './parts/failed-jobs.tsx'
import { List } from './parts/list.tsx'
import { MergeRequestLink } from './parts/merge-request-link.tsx'
import { ProjectLink } from './parts/project-link.tsx'
import { Replays } from './parts/replays.tsx'
import { Time } from './parts/time.tsx'
import { afterReplay, ReplayButtons } from './replays.tsx'

export const deliveryPage: Page = {
  path: '/deliveries/{id}',
  forms: { replay_delivery: afterReplay('replay_delivery') },
  async show({ params, ask }) {
    const { delivery, decisions, job, failedJobs, moreFailed } = await ask<DeliveryAnswer>('show_delivery', { params })
    const { id, receivedAt, state, reason, event, header, bytes, boundTo, mergeRequests, replays } = delivery
    const body = (await ifThere(ask<{ body: unknown }>('show_body', { params })))?.body
    return {
      title: `Delivery ${id}`,
      body: (
        <>
          <h1>{event?.kind ?? header}</h1>
          {job?.failure !== undefined && (
            <p class="problem">
              Its reading {job.state === 'failed' ? 'failed' : 'is tried again'}: {job.failure}
            </p>
          )}
          <FailedJobs of={{ items: failedJobs, more: moreFailed }} />
          <Facts
            of={{
              Delivery: <span class="id">{id}</span>,
              Received: <Time at={receivedAt} />,
              State: (
                <>
                  <StateBadge state={state} /> {reason}
                </>
              ),
              By: event?.actor.username,
              'Merge requests':
                mergeRequests.length > 0 ? (
                  <Several of={mergeRequests} most={20} each={(each) => <MergeRequestLink of={each} />} />
                ) : undefined,
              Project: event?.project === undefined ? undefined : <ProjectLink of={{ project: event.project }} />,
              Ref: event?.ref,
              Changed: event?.changed?.join(', '),
              Header: header,
              Size: `${bytes} bytes`,
              'Secret of project': boundTo,
              Replayed: replays.length > 0 ? <Replays of={replays} /> : undefined,
            }}
          />
          <ReplayButtons route="replay_delivery" id={id} />
          <section class="part">
            <h2>Decisions that it led to</h2>
            <List
              of="Decisions"
              items={decisions}
              columns={decisionColumns}
              none={
                <>
                  None, so far. A delivery that concerns no merge request leads to none; where judging failed,{' '}
                  <a href="/admin/queue">the queue</a> says why.
                </>
              }
            />
          </section>
          <section class="part">
            <h2>Payload</h2>
            {body === undefined ? (
              <p class="none">It is not kept any more: payloads are kept for a day, because they may carry variables of CI.</p>
            ) : (
              <details class="rule">
                <summary>What was sent, with what may be a secret masked</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
                <pre class="scrolls" tabIndex={0}>
                  {JSON.stringify(body, null, 2)}
                </pre>
              </details>
            )}
          </section>
        </>
      ),
    }
  },
}
