// Overview: what needs attention, key numbers, charts, queue depth, and the projects with the newest deliveries.
import type { QueueName } from '../../queue/queue-names.ts'
import type { FlowBucket, Latency, OverviewResponse } from '../api/routes/overview.ts'
import type { DashboardPage } from './definition/page.ts'
import { Attention } from './lists/attention.tsx'
import { type Column, column, List, plain } from './lists/list.tsx'
import { BarChart } from './parts/bar-chart.tsx'
import { type Tile, Tiles } from './parts/details-list.tsx'
import { linkTo, noProjects, ProjectLink, queueTitle, ShownOf } from './parts/links.tsx'
import { formatMs, formatSpan, LastDelivery, relativeTime } from './parts/time.tsx'

type Project = OverviewResponse['projects'][number]

const projectColumns: Column<Project>[] = [
  plain('Project', (each) => <ProjectLink of={each} />, 'wide'),
  column('Last delivery', LastDelivery),
  column('Deliveries', ({ deliveries }) => deliveries),
  column('Not processed', ({ unread }) => unread),
  column('Decisions', ({ decisions }) => decisions),
  column('Calls done', ({ done }) => done),
  column('Calls failed', ({ failed }) => failed),
]

const queueColumns: Column<QueueRow>[] = [
  plain('Queue', ({ queue }) => queueTitle(queue), 'wide'),
  column('Waiting', ({ waiting }) => waiting),
  column('Active', ({ active }) => active),
  column('Delayed', ({ delayed }) => delayed),
  column('Failed', ({ failed }) => failed),
  column('Oldest waiting', ({ oldestMs }) => (oldestMs === undefined ? 'none' : formatMs(oldestMs))),
]

interface QueueRow extends Record<'waiting' | 'active' | 'delayed' | 'failed', number> {
  queue: QueueName
  oldestMs?: number
}

const noJobs = 'No jobs are waiting, active, delayed or failed.'

export const overviewPage: DashboardPage = {
  path: '/',
  nav: 'Overview',
  async show({ api, now }) {
    const overview = await api<OverviewResponse>('show_overview')
    const { status, projects, projectCount: projectsInAll } = overview
    const queues = queueRows(overview)
    return {
      title: 'Overview',
      body: (
        <>
          <Attention of={overview} />
          <Tiles tiles={tilesOf(overview, queues, now)} />
          <section class="charts" aria-label="Charts">
            <Charts period="hour" since="1 h ago" parts={overview.hour.buckets} />
            <Charts period="day" since="24 h ago" parts={overview.day.buckets} />
          </section>
          <h2>Queues</h2>
          <List
            of="Queues"
            items={queues.filter(({ waiting, active, delayed, failed }) => waiting + active + delayed + failed > 0)}
            columns={queueColumns}
            none={overview.queue === null ? 'The queue does not respond.' : noJobs}
          />
          <h2>Projects</h2>
          <List of="Projects by last delivery" items={projects} columns={projectColumns} none={noProjects} />
          <ShownOf of={projectsInAll} shown={projects.length} />
          {status.rateLimit === undefined && <p class="dim">The hosting service reports no rate limit.</p>}
        </>
      ),
    }
  },
}

function Charts({ period, since, parts }: { period: string; since: string; parts: readonly FlowBucket[] }) {
  return (
    <>
      {(['deliveries', 'decisions'] as const).map((of) => (
        <BarChart
          key={of}
          id={`${period}-${of}`}
          title={`${of === 'deliveries' ? 'Deliveries' : 'Decisions'}, last ${period}`}
          since={since}
          sum={`${sum(parts, of)} in total`}
          bars={parts.map((each) => ({ label: each.at.slice(11, 16), value: each[of] }))}
        />
      ))}
    </>
  )
}

const sum = (parts: readonly FlowBucket[], of: 'deliveries' | 'decisions' | 'failed') =>
  parts.reduce((all, each) => all + each[of], 0)

const failed = { outcome: 'failed' }

function tilesOf({ status, hour, day }: OverviewResponse, queues: readonly QueueRow[], now: string): Tile[] {
  const all = (of: 'waiting' | 'failed') => queues.reduce((total, each) => total + each[of], 0)
  const oldest = Math.max(0, ...queues.map(({ oldestMs = 0 }) => oldestMs))
  const [failedCalls, failedJobs] = [sum(day.buckets, 'failed'), all('failed')]
  return [
    {
      name: 'Deliveries, last hour',
      number: String(sum(hour.buckets, 'deliveries')),
      words: <a href={linkTo('/deliveries')}>All deliveries</a>,
    },
    {
      name: 'Decisions, last hour',
      number: String(sum(hour.buckets, 'decisions')),
      words: <a href={linkTo('/decisions')}>All decisions</a>,
    },
    { name: 'From delivery to decision', ...waitTile(hour.latency.count > 0 ? hour.latency : day.latency) },
    {
      name: 'Waiting jobs',
      number: String(all('waiting')),
      words: oldest === 0 ? 'none' : `oldest: ${formatMs(oldest)}`,
      bad: oldest > 600_000,
    },
    {
      name: 'Failed jobs',
      number: String(failedJobs),
      words: failedJobs === 0 ? 'none' : <a href={linkTo('/queue')}>Show</a>,
      bad: failedJobs > 0,
    },
    {
      name: 'Failed calls, last day',
      number: String(failedCalls),
      words: failedCalls === 0 ? 'none' : <a href={linkTo('/decisions', failed)}>Refused or unknown effect</a>,
      bad: failedCalls > 0,
    },
    ...(status.rateLimit?.remaining === undefined ? [] : [rateTile(status.rateLimit, now)]),
  ]
}

function waitTile({ count, p50Ms = 0, p95Ms = 0 }: Latency): Pick<Tile, 'number' | 'words'> {
  if (count === 0) return { number: '–', words: 'no decisions' }
  return { number: formatWait(p50Ms), words: `median; 95 %: ${formatWait(p95Ms)}` }
}

const formatWait = (ms: number) => (ms < 60_000 ? formatMs(ms) : formatSpan(ms))

function rateTile({ remaining = 0, resetAt }: { remaining?: number; resetAt?: number }, now: string): Tile {
  const left = resetAt === undefined ? undefined : resetAt - Date.parse(now)
  const words = left === undefined || left <= 0 ? 'as last reported' : `resets ${relativeTime(left)}`
  return { name: 'Requests left', number: String(remaining), words, bad: remaining === 0 && (left ?? 0) > 0 }
}

function queueRows({ queue }: OverviewResponse): QueueRow[] {
  const rows = new Map<string, QueueRow>()
  for (const { queue: name, state, count, ageMs } of queue ?? []) {
    const row = rows.get(name) ?? { queue: name, waiting: 0, active: 0, delayed: 0, failed: 0 }
    rows.set(name, { ...row, [state]: count, oldestMs: state === 'waiting' ? ageMs : row.oldestMs })
  }
  return [...rows.values()]
}
