// Overview: what needs attention, the outcomes of the week, what waits for people, merge queues, and key numbers of jobs.

import type { ComponentChildren } from 'preact'
import type { DecisionRecord, JournalPage } from '../../journal/types.ts'
import { words } from '../../rules/explain/explain.ts'
import { count as counted } from '../../rules/language/values/wording.ts'
import type { MergeQueuesResponse } from '../api/merge-queue-responses.ts'
import { type AttentionItem, attentionKinds, type FlowBucket, type OverviewResponse } from '../api/routes/overview.ts'
import type { DashboardPage } from './definition/page.ts'
import { ActionForm } from './forms/action-form.tsx'
import { BarChart } from './lists/bar-chart.tsx'
import { decisionsRead, Part } from './lists/list.tsx'
import { MergeQueues } from './lists/merge-queues.tsx'
import { WaitingForPeople } from './lists/waiting.tsx'
import { DetailsList } from './parts/details-list.tsx'
import { linkTo, ProjectLink, pathTo, queueTitle } from './parts/links.tsx'
import { formatMs, relativeTime } from './parts/time.tsx'

export const overviewPage: DashboardPage = {
  path: '/',
  nav: 'Overview',
  forms: { allow_new_rules: () => ({ goTo: '/' }) },
  async show({ api, now }) {
    const overview = await api<OverviewResponse>('show_overview')
    const queues = await api<MergeQueuesResponse>('list_merge_queues', { limit: 20 })
    const decided = await api<JournalPage<DecisionRecord>>('list_decisions', { limit: decisionsRead })
    return {
      title: 'Overview',
      body: (
        <>
          <Attention of={overview} />
          <Outcomes week={overview.week} removals={queues.items.flatMap(({ removals }) => removals)} />
          <WaitingForPeople decisions={decided.items} />
          <MergeQueues of={queues.items} />
          <Jobs of={overview} now={now} />
        </>
      ),
    }
  },
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', timeZone: 'UTC' })

/** Days are of UTC. */
function Outcomes({ week, removals }: { week: OverviewResponse['week']; removals: readonly string[] }) {
  const removed = week.map(({ at }) => removals.filter((each) => each.slice(0, 10) === at.slice(0, 10)).length)
  const charts = {
    Merged: week.map(({ merged }) => merged),
    Approvals: week.map(({ approved }) => approved),
    'Labelled by rules': week.map(({ labelled }) => labelled),
    'Removed from queues': removed,
  }
  return (
    <Part title="Today and the last seven days">
      <div class="charts">
        {Object.entries(charts).map(([title, values]) => (
          <BarChart
            key={title}
            title={title}
            sum={`${values.at(-1)} today, ${values.reduce((sum, each) => sum + each, 0)} in 7 days`}
            heads={['Day (UTC)', 'Number']}
            bars={values.map((value, day) => ({
              label: dayFormat.format(new Date(week[day]?.at ?? 0)),
              value,
              cells: [String(value)],
            }))}
          />
        ))}
      </div>
    </Part>
  )
}

const sum = (parts: readonly FlowBucket[], of: 'deliveries' | 'decisions' | 'failed') =>
  parts.reduce((all, each) => all + each[of], 0)

function Jobs({ of: { status, hour, day, queue }, now }: { of: OverviewResponse; now: string }) {
  const jobs = (of: 'waiting' | 'failed') => (queue ?? []).filter(({ state }) => state === of)
  const all = (of: 'waiting' | 'failed') => jobs(of).reduce((total, { count }) => total + count, 0)
  const oldest = Math.max(0, ...jobs('waiting').map(({ ageMs = 0 }) => ageMs))
  const failedCalls = sum(day.buckets, 'failed')
  const { remaining, resetAt = 0 } = status.rateLimit ?? {}
  const resets = resetAt > Date.parse(now) ? `, resets ${relativeTime(resetAt - Date.parse(now))}` : ''
  return (
    <Part title="Jobs">
      <DetailsList
        of={{
          'Deliveries, last hour': <a href={linkTo('/deliveries')}>{sum(hour.buckets, 'deliveries')}</a>,
          'Decisions, last hour': <a href={linkTo('/decisions')}>{sum(hour.buckets, 'decisions')}</a>,
          'Waiting jobs': `${all('waiting')}${oldest === 0 ? '' : `, the oldest for ${formatMs(oldest)}`}`,
          'Failed jobs': <a href={linkTo('/queue')}>{all('failed')}</a>,
          'Failed calls, last day': <a href={linkTo('/decisions', { outcome: 'failed' })}>{failedCalls}</a>,
          'Requests left': remaining === undefined ? undefined : `${remaining}${resets}`,
        }}
      />
    </Part>
  )
}

/** So many of each kind are shown. */
const mostShown = 5

function Attention({ of: { status, queue, attention } }: { of: OverviewResponse }) {
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
