// What needs attention, each with its cause, a link and what to do about it.
import type { ComponentChildren } from 'preact'
import { words } from '../../../rules/explain/explain.ts'
import { count as counted } from '../../../rules/language/values/wording.ts'
import { type AttentionItem, attentionKinds, type OverviewResponse } from '../../api/routes/overview.ts'
import { linkTo, ProjectLink, pathTo, queueTitle } from '../parts/links.tsx'

interface Entry {
  /** The matter passes by itself, or is not urgent. */
  mild?: true
  title: ComponentChildren
  toDo: ComponentChildren
}

/** So many of each kind are shown. */
const mostShown = 5

export function Attention({ of }: { of: OverviewResponse }) {
  const kinds = attentionKinds.map((kind) => of.attention.filter((each) => each.kind === kind))
  const entries = [...systemEntries(of), ...kinds.flatMap((items) => items.slice(0, mostShown).map(entryOf))]
  const hidden = kinds.reduce((sum, items) => sum + Math.max(0, items.length - mostShown), 0)
  return (
    <section class="part" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {entries.length === 0 ? (
        <p class="done">Nothing needs attention.</p>
      ) : (
        <ul class="attention">
          {entries.map(({ mild, title, toDo }, index) => (
            <li key={index} class={mild ? 'notice' : 'problem'}>
              <strong>{title}</strong> <span>{toDo}</span>
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <p class="dim">
          And {hidden} more: see <a href={linkTo('/projects')}>Projects</a>.
        </p>
      )}
    </section>
  )
}

const conditions: Record<string, Entry> = {
  unreachable: {
    title: 'The hosting service is unreachable.',
    toDo: 'Jobs that need it wait and resume by themselves. Check the service and the network.',
  },
  rate_limited: {
    mild: true,
    title: 'The rate limit of the hosting service is used up.',
    toDo: 'Jobs resume when it resets.',
  },
  token_rejected: {
    title: 'The hosting service rejects the bot’s token.',
    toDo: 'Nothing is done until you set a valid one.',
  },
  low: { title: 'The queue’s store is nearly full.', toDo: 'Give it more memory or disk, or discard jobs.' },
  full: { title: 'The queue’s store is full.', toDo: 'Deliveries are refused. Give it more memory or disk.' },
}

function systemEntries({ status, queue }: OverviewResponse): Entry[] {
  const down: Entry = { title: 'The queue does not respond.', toDo: 'Check its store: Redis, PostgreSQL or the disk.' }
  return [
    ...(queue === null ? [down] : []),
    ...[status.service, status.capacity].flatMap(({ is }) => conditions[is] ?? []),
  ]
}

function entryOf(item: AttentionItem): Entry {
  const { kind, project = 0, path, queue = '', count = 0, details } = item
  const link = <ProjectLink of={{ project, path }} />
  const [first = '', ...more] = details
  switch (kind) {
    case 'rules_broken':
      return {
        title: <>The rules of {link} are broken.</>,
        toDo: (
          <>
            <code>{first}</code>
            {more.length > 0 && ` and ${counted(more.length, 'more problem')}`}. The last good version stays in force,
            but may not approve or merge. <a href={linkTo(pathTo('projects', project))}>Show the problems</a> and fix
            the file.
          </>
        ),
      }
    case 'jobs_failed':
      return {
        title: counted(count, `job of “${queueTitle(queue)}” failed.`, `jobs of “${queueTitle(queue)}” failed.`),
        toDo: (
          <>
            Their retries are used up. <a href={linkTo('/queue', { queue, state: 'failed' })}>Show the reasons</a>, then
            retry or discard them.
          </>
        ),
      }
    case 'hook':
      return {
        title: (
          <>
            The hook of {link}: {words(first)}.
          </>
        ),
        toDo: (
          <>
            {more.map((each) => `${each}. `)}
            <code>bellhop hooks install</code> repairs it.
          </>
        ),
      }
    case 'rules_limited':
      return {
        mild: true,
        title: <>New rules of {link} reached their limit.</>,
        toDo: (
          <>
            Not done: {details.join(', ')}. What they held back is then evaluated again.{' '}
            <a href={linkTo('/decisions', { project, outcome: 'blocked' })}>Show what waits</a>
          </>
        ),
      }
    case 'token_expires':
      return {
        title: `The bot’s token expires on ${first}.`,
        toDo: (
          <>
            {count === 0 ? 'Today' : `In ${counted(count, 'day')}`} all work stops. Replace it:{' '}
            <code>bellhop token rotate</code>.
          </>
        ),
      }
    default:
      return kind satisfies never
  }
}
