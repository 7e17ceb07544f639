// Replaying a delivery or a decision: dry first, which is shown at once; and then for good.
import type { DryRunAnswer, ReplayAnswer } from '../routes/replays.ts'
import type { After, Sent } from './page.ts'
import { ActionForm } from './parts/action-form.tsx'
import { DryReplay } from './parts/beside.tsx'
import { linkTo, pathTo } from './parts/links.ts'

const of = {
  replay_delivery: { what: 'delivery', path: 'deliveries' },
  replay_decision: { what: 'decision', path: 'decisions' },
} as const
type Route = keyof typeof of

/** The two buttons; who looks for the first one looks for the harmless one. */
export function ReplayButtons({ route, id }: { route: Route; id: string }) {
  return (
    <div class="actions">
      <ActionForm route={route} params={{ id }} input={{ dry_run: 'true' }} button="Replay dry" tone="main" />
      <ActionForm route={route} params={{ id }} button="Replay" why />
    </div>
  )
}

/** What follows either. */
export function afterReplay(route: Route): (sent: Sent) => After {
  const { what, path } = of[route]
  return ({ params: { id = '' }, reply: { body } }) => {
    const answer = body as DryRunAnswer | ReplayAnswer
    if ('replayed' in answer) return { goTo: pathTo(path, id) }
    return {
      title: `Dry replay of a ${what}`,
      body: (
        <>
          <h1>Dry replay</h1>
          <p>
            Nothing was sent, and nothing is kept of it: this is what would be decided now of{' '}
            <a href={linkTo(pathTo(path, id))}>
              {what} <span class="id">{id}</span>
            </a>
            .
          </p>
          <DryReplay of={answer} />
          <div class="actions">
            <ActionForm route={route} params={{ id }} button="Replay" why tone="main" />
            <a href={linkTo(pathTo(path, id))}>Leave it</a>
          </div>
        </>
      ),
    }
  }
}
