// What needs attention, each with its cause, a link and what to do about it.
import type { ComponentChildren } from 'preact'
import { words } from '../../../rules/explain/explain.ts'
import { count as counted } from '../../../rules/language/values/wording.ts'
import { type AttentionItem, attentionKinds, type OverviewResponse } from '../../api/routes/overview.ts'
import { ActionForm } from '../forms/action-form.tsx'
import { linkTo, ProjectLink, pathTo, queueTitle } from '../parts/links.tsx'

/** So many of each kind are shown. */
const mostShown = 5

export function Attention({ of: { status, queue, attention } }: { of: OverviewResponse }) {
  const kinds = attentionKinds.map((kind) => attention.filter((each) => each.kind === kind))
  const items = kinds.flatMap((of) => of.slice(0, mostShown))
  const failing = [queue === null ? 'no_queue' : '', status.service.is, status.capacity.is].flatMap(
    (is) => conditions[is] ?? [],
  )
  return (
    <section class="part" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {items.length + failing.length === 0 ? (
        <p class="done">Nothing needs attention.</p>
      ) : (
        <ul class="attention">
          {failing.map(({ title, toDo }) => (
            <Entry key={title} title={title} mild={title === conditions.rate_limited?.title}>
              {toDo}
            </Entry>
          ))}
          {items.map((item, index) => (
            <Item key={index} of={item} />
          ))}
        </ul>
      )}
      {attention.length > items.length && (
        <p class="dim">
          And {attention.length - items.length} more: see <a href={linkTo('/projects')}>Projects</a>.
        </p>
      )}
    </section>
  )
}

interface EntryProps {
  /** The matter passes by itself. */
  mild?: boolean
  title: ComponentChildren
  /** What to do. */
  children: ComponentChildren
}

function Entry({ mild, title, children }: EntryProps) {
  return (
    <li class={mild ? 'notice' : 'problem'}>
      <strong>{title}</strong> <span>{children}</span>
    </li>
  )
}

const conditions: Record<string, { title: string; toDo: string }> = {
  no_queue: { title: 'The queue does not respond.', toDo: 'Check its store: Redis, PostgreSQL or the disk.' },
  unreachable: {
    title: 'The hosting service is unreachable.',
    toDo: 'Jobs that need it wait and resume by themselves. Check the service and the network.',
  },
  rate_limited: { title: 'The rate limit of the hosting service is used up.', toDo: 'Jobs resume when it resets.' },
  token_rejected: {
    title: 'The hosting service rejects the bot’s token.',
    toDo: 'Nothing is done until you set a valid one.',
  },
  low: { title: 'The queue’s store is nearly full.', toDo: 'Give it more memory or disk, or discard jobs.' },
  full: { title: 'The queue’s store is full.', toDo: 'Deliveries are refused. Give it more memory or disk.' },
}

function Item({ of: { kind, project = 0, path, queue = '', count = 0, details } }: { of: AttentionItem }) {
  const link = <ProjectLink of={{ project, path }} />
  const [first = '', ...more] = details
  switch (kind) {
    case 'rules_broken':
      return (
        <Entry title={<>The rules of {link} are broken.</>}>
          <code>{first}</code>
          {more.length > 0 && ` and ${counted(more.length, 'more problem')}`}. The last good version stays in force, but
          may not approve or merge. <a href={linkTo(pathTo('projects', project))}>Show the problems</a> and fix the
          file.
        </Entry>
      )
    case 'jobs_failed':
      return (
        <Entry
          title={counted(count, `job of “${queueTitle(queue)}” failed.`, `jobs of “${queueTitle(queue)}” failed.`)}
        >
          Their retries are used up. <a href={linkTo('/queue', { queue, state: 'failed' })}>Show the reasons</a>, then
          retry or discard them.
        </Entry>
      )
    case 'hook':
      return (
        <Entry
          title={
            <>
              The hook of {link}: {words(first)}.
            </>
          }
        >
          {more.map((each) => `${each}. `)}
          <code>bellhop hooks install</code> repairs it.
        </Entry>
      )
    case 'rules_limited':
      return (
        <Entry mild title={<>New rules of {link} reached their limit.</>}>
          Not done: {details.join(', ')}. What they held back is then evaluated again.{' '}
          <a href={linkTo('/decisions', { project, outcome: 'blocked' })}>Show what waits</a>
          {project !== undefined && <ActionForm route="allow_new_rules" params={{ project }} button="Allow these" />}
        </Entry>
      )
    case 'token_expires':
      return (
        <Entry title={`The bot’s token expires on ${first}.`}>
          {count === 0 ? 'Today' : `In ${counted(count, 'day')}`} all work stops. Replace it:{' '}
          <code>bellhop token rotate</code>.
        </Entry>
      )
    default:
      return kind satisfies never
  }
}
