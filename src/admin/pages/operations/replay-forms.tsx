// Replays of a delivery, a decision, or all deliveries that match a filter: first a dry run, then a replay.
import type { Replay } from '../../../journal/types.ts'
import { count as counted } from '../../../rules/language/values/wording.ts'
import type { DryRunResponse, ReplayResponse, SelectionResponse } from '../../api/routes/replays.ts'
import { DryRun } from '../decisions/decision-view.tsx'
import type { FormResult, SubmittedForm } from '../definition/page.ts'
import { ActionForm } from '../forms/action-form.tsx'
import { DeliveryLink, linkTo, pathTo } from '../parts/links.tsx'
import { Time } from '../parts/time.tsx'

const of = {
  replay_delivery: { what: 'delivery', path: 'deliveries' },
  replay_decision: { what: 'decision', path: 'decisions' },
} as const
type Route = keyof typeof of

/** The harmless one comes first. */
export function ReplayButtons({ route, id }: { route: Route; id: string }) {
  return (
    <div class="actions">
      <ActionForm route={route} params={{ id }} input={{ dry_run: 'true' }} button="Dry run" tone="main" />
      <ActionForm route={route} params={{ id }} button="Replay" why />
    </div>
  )
}

export function afterReplay(route: Route): (form: SubmittedForm) => FormResult {
  const { what, path } = of[route]
  return ({ params: { id = '' }, reply: { body } }) => {
    const response = body as DryRunResponse | ReplayResponse
    if ('replayed' in response) return { goTo: pathTo(path, id) }
    return {
      title: `Dry run for a ${what}`,
      heading: 'Dry run',
      body: (
        <>
          <p>
            Nothing was sent or stored. This is what would be decided now about{' '}
            <a href={linkTo(pathTo(path, id))}>
              {what} <span class="id">{id}</span>
            </a>
            .
          </p>
          <DryRun of={response} />
          <div class="actions">
            <ActionForm route={route} params={{ id }} button="Replay" why tone="main" />
            <a href={linkTo(pathTo(path, id))}>Cancel</a>
          </div>
        </>
      ),
    }
  }
}

export function Replays({ of }: { of: readonly Replay[] }) {
  return (
    <ol class="plain-list">
      {of.map(({ at, by, why }, index) => (
        <li key={index}>
          <Time at={at} /> by {by}
          {why !== undefined && `: ${why}`}
        </li>
      ))}
    </ol>
  )
}

/** Each merge request of these is read from the service while the user waits. */
const mostDryRuns = 5

/** `filter` needs an end (`until`), or newer deliveries would be included. */
export function SelectionButton({ filter }: { filter: Record<string, string> & { until: string } }) {
  return (
    <div class="actions">
      <ActionForm route="replay_selection" input={{ ...filter, dry_run: 'true' }} button="Replay these …" />
    </div>
  )
}

/** Follows the dry run, and the replay itself. */
export async function afterSelection({ input: { why: _, ...filter }, reply, api }: SubmittedForm): Promise<FormResult> {
  const { dryRun, count, more, deliveries } = reply.body as SelectionResponse
  if (!dryRun) return replayed(deliveries)
  const dryRuns: DryRunResponse[] = []
  for (const { id } of deliveries.slice(0, mostDryRuns))
    dryRuns.push(await api<DryRunResponse>('replay_delivery', { id, dry_run: true }))
  const found = counted(count, 'delivery', 'deliveries')
  return {
    title: `Dry run for ${found}`,
    body: (
      <>
        <p>
          Nothing was sent or stored.
          {more &&
            ' More deliveries match the filter: these are the newest. Narrow it down, or replay the others afterwards.'}
          {count > dryRuns.length && ` The dry run covers the newest ${dryRuns.length}.`}
        </p>
        <div class="actions">
          {count > 0 && (
            <ActionForm
              route="replay_selection"
              input={{ ...filter, dry_run: 'false', count }}
              button={count === 1 ? 'Replay it' : `Replay all ${count}`}
              why
              tone="main"
            />
          )}
          <a href={linkTo('/deliveries')}>Cancel</a>
        </div>
        {dryRuns.map((each) => (
          <section class="part" key={each.id}>
            <h2>
              Delivery <DeliveryLink id={each.id} />
            </h2>
            <DryRun of={each} />
          </section>
        ))}
      </>
    ),
  }
}

function replayed(deliveries: SelectionResponse['deliveries']): FormResult {
  const left = deliveries.filter(({ replayed }) => replayed !== 'replayed')
  const count = deliveries.length - left.length
  if (left.length === 0) return { goTo: '/deliveries', count }
  return {
    title: 'Replayed in part',
    body: (
      <>
        <p>
          {counted(count, 'delivery', 'deliveries')} enqueued again. The others cannot be replayed: they are gone, or
          concerned no merge request and their body is no longer stored.
        </p>
        <ul>
          {left.map(({ id, replayed }) => (
            <li key={id}>{replayed === 'unknown' ? <span class="id">{id}</span> : <DeliveryLink id={id} />}</li>
          ))}
        </ul>
      </>
    ),
  }
}
