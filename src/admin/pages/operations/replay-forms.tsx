// Replays a delivery or a decision: a dry run, shown at once, or a replay.

import type { Replay } from '../../../journal/types.ts'
import type { DryRunResponse, ReplayResponse } from '../../api/routes/replays.ts'
import { DryRun } from '../decisions/decision-view.tsx'
import type { FormResult, SubmittedForm } from '../definition/page.ts'
import { ActionForm } from '../forms/action-form.tsx'
import { linkTo, pathTo } from '../parts/links.tsx'
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
