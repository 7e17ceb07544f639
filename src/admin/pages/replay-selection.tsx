// Replaying all deliveries that a filter finds: counted first, with dry replays of the newest; and then exactly those.
import type { DryRunAnswer, SelectionAnswer } from '../routes/replays.ts'
import type { After, Sent } from './page.ts'
import { ActionForm } from './parts/action-form.tsx'
import { DryReplay } from './parts/beside.tsx'
import { linkTo, pathTo } from './parts/links.ts'

/** Each merge request of these is read from the service while a person waits. */
const mostJudged = 5

/** `filter` with an end (`until`): or what comes while a person looks would be among them. */
export function SelectionButton({ filter }: { filter: Record<string, string> & { until: string } }) {
  return (
    <div class="actions">
      <ActionForm route="replay_selection" input={{ ...filter, dry_run: 'true' }} button="Replay these …" />
    </div>
  )
}

/** What follows the count, and the replay itself. */
export async function afterSelection({ input: { why: _, ...filter }, reply, ask }: Sent): Promise<After> {
  const { dryRun, count, more, deliveries } = reply.body as SelectionAnswer
  if (!dryRun) return afterReplay(deliveries)
  const judged: DryRunAnswer[] = []
  for (const { id } of deliveries.slice(0, mostJudged))
    judged.push(await ask<DryRunAnswer>('replay_delivery', { params: { id }, input: { dry_run: true } }))
  const said = saysCount(count)
  return {
    title: `Dry replay of ${said}`,
    body: (
      <>
        <h1>Dry replay of {said}</h1>
        <p>
          Nothing was sent, and nothing is kept of it.
          {more && ' The filter finds more: these are the newest. Narrow it down, or replay the others after these.'}
          {count > judged.length && ` What would be decided now is shown of the newest ${judged.length}.`}
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
          <a href={linkTo('/deliveries')}>Leave it</a>
        </div>
        {judged.map((each) => (
          <section class="part" key={each.id}>
            <h2>
              Delivery <DeliveryLink id={each.id} />
            </h2>
            <DryReplay of={each} />
          </section>
        ))}
      </>
    ),
  }
}

const saysCount = (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`)

function DeliveryLink({ id }: { id: string }) {
  return (
    <a class="id" href={linkTo(pathTo('deliveries', id))}>
      {id}
    </a>
  )
}

function afterReplay(deliveries: SelectionAnswer['deliveries']): After {
  const left = deliveries.filter(({ replayed }) => replayed !== 'replayed')
  const count = deliveries.length - left.length
  if (left.length === 0) return { goTo: '/deliveries', count }
  return {
    title: 'Replayed, but not all',
    body: (
      <>
        <h1>Replayed, but not all</h1>
        <p>
          {saysCount(count)} put in line again. The others cannot be judged again: they are gone, or concerned no merge request and have no
          body any more.
        </p>
        <ul>
          {left.map(({ id }) => (
            <li key={id}>
              <DeliveryLink id={id} />
            </li>
          ))}
        </ul>
      </>
    ),
  }
}
