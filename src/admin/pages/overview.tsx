// Overview: what needs attention, key numbers, charts, and the projects with the newest deliveries.
import type { FlowBucket, OverviewResponse } from '../api/routes/overview.ts'
import type { DashboardPage } from './definition/page.ts'
import { Attention } from './lists/attention.tsx'
import { type Column, column, List, plain } from './lists/list.tsx'
import { BarChart } from './parts/bar-chart.tsx'
import { type Tile, Tiles } from './parts/details-list.tsx'
import { linkTo, noProjects, ProjectLink, ShownOf } from './parts/links.tsx'
import { formatMs, LastDelivery, relativeTime } from './parts/time.tsx'

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

export const overviewPage: DashboardPage = {
  path: '/',
  nav: 'Overview',
  async show({ api, now }) {
    const overview = await api<OverviewResponse>('show_overview')
    const { status, projects, projectCount: projectsInAll } = overview
    return {
      title: 'Overview',
      body: (
        <>
          <Attention of={overview} />
          <Tiles tiles={tilesOf(overview, now)} />
          <section class="charts" aria-label="Charts">
            <Charts period="hour" since="1 h ago" parts={overview.hour.buckets} />
            <Charts period="day" since="24 h ago" parts={overview.day.buckets} />
          </section>
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

function tilesOf({ status, hour, day, queue }: OverviewResponse, now: string): Tile[] {
  const jobs = (of: 'waiting' | 'failed') => (queue ?? []).filter(({ state }) => state === of)
  const all = (of: 'waiting' | 'failed') => jobs(of).reduce((total, { count }) => total + count, 0)
  const oldest = Math.max(0, ...jobs('waiting').map(({ ageMs = 0 }) => ageMs))
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

function rateTile({ remaining = 0, resetAt }: { remaining?: number; resetAt?: number }, now: string): Tile {
  const left = resetAt === undefined ? undefined : resetAt - Date.parse(now)
  const words = left === undefined || left <= 0 ? 'as last reported' : `resets ${relativeTime(left)}`
  return { name: 'Requests left', number: String(remaining), words, bad: remaining === 0 && (left ?? 0) > 0 }
}
