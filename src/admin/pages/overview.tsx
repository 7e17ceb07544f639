// The start: how it goes, in a few numbers, four small charts, what waits, and the projects that sent something last.
import type { LaneName } from '../desk.ts'
import type { FlowPart, OverviewAnswer, Waits } from '../routes/overview.ts'
import type { Page } from './page.ts'
import { BarChart, type BarChartProps } from './parts/bar-chart.tsx'
import { linkTo } from './parts/links.ts'
import { type Column, List } from './parts/list.tsx'
import { ProjectLink } from './parts/project-link.tsx'
import { sayLane } from './parts/say-lane.ts'
import { type Tile, Tiles } from './parts/tiles.tsx'
import { ago, sayMs, Time } from './parts/time.tsx'

type Project = OverviewAnswer['projects'][number]

const projectColumns: Column<Project>[] = [
  { head: 'Project', wide: true, cell: (each) => <ProjectLink of={each} /> },
  { head: 'Last delivery', cell: ({ lastDelivery }) => (lastDelivery === undefined ? 'none' : <Time at={lastDelivery} />) },
  { head: 'Deliveries', cell: ({ deliveries }) => deliveries },
  { head: 'Not read', cell: ({ unread }) => unread },
  { head: 'Decisions', cell: ({ decisions }) => decisions },
  { head: 'Calls done', cell: ({ done }) => done },
  { head: 'Calls failed', cell: ({ failed }) => failed },
]

const laneColumns: Column<Lane>[] = [
  { head: 'Lane', wide: true, cell: ({ lane }) => sayLane(lane) },
  { head: 'Wait', cell: ({ waiting }) => waiting },
  { head: 'Run', cell: ({ active }) => active },
  { head: 'Delayed', cell: ({ delayed }) => delayed },
  { head: 'Failed', cell: ({ failed }) => failed },
  { head: 'Oldest that waits', cell: ({ oldestMs }) => (oldestMs === undefined ? 'none' : sayMs(oldestMs)) },
]

interface Lane extends Record<'waiting' | 'active' | 'delayed' | 'failed', number> {
  lane: LaneName
  oldestMs?: number
}

export const overviewPage: Page = {
  path: '/',
  nav: 'Overview',
  async show({ ask, now }) {
    const answer = await ask<OverviewAnswer>('show_overview')
    const { conditions, hour, day, projects, projectsInAll } = answer
    const lanes = lanesOf(answer)
    return {
      title: 'Overview',
      body: (
        <>
          <h1>Overview</h1>
          <Troubles of={answer} />
          <Tiles tiles={tilesOf(answer, lanes, now)} />
          <section class="charts" aria-label="Charts">
            <Chart id="hour-deliveries" title="Deliveries, last hour" since="1 h ago" of="deliveries" parts={hour.parts} />
            <Chart id="hour-decisions" title="Decisions, last hour" since="1 h ago" of="decisions" parts={hour.parts} />
            <Chart id="day-deliveries" title="Deliveries, last day" since="24 h ago" of="deliveries" parts={day.parts} />
            <Chart id="day-decisions" title="Decisions, last day" since="24 h ago" of="decisions" parts={day.parts} />
          </section>
          <h2>What waits</h2>
          <List
            of="What waits, by lane"
            items={lanes.filter(({ waiting, active, delayed, failed }) => waiting + active + delayed + failed > 0)}
            columns={laneColumns}
            none={answer.queue === null ? 'The queue does not answer.' : 'Nothing waits, runs, is delayed or failed.'}
          />
          <h2>Projects</h2>
          <List
            of="Projects, by their last delivery"
            items={projects}
            columns={projectColumns}
            none="No project has sent anything yet. Register a hook: bellhop hooks install hotel/app"
          />
          {projectsInAll > projects.length && <p class="dim">{`${projects.length} of ${projectsInAll} projects.`}</p>}
          {conditions.rateLimit === undefined && <p class="dim">The hosting service says nothing of a rate limit.</p>}
        </>
      ),
    }
  },
}

const conditionWords: Record<string, string> = {
  away: 'The hosting service is away: what it is needed for waits, and goes on by itself.',
  limited: 'The hosting service’s rate limit is used up: work goes on when it begins anew.',
  'token rejected': 'The hosting service rejects the bot’s token: nothing is done until it is given a good one.',
  tight: 'The queue’s store is nearly full.',
  full: 'The queue’s store is full: deliveries are turned down.',
}

/** Whatever is not as it should be, before everything else. */
function Troubles({ of: { conditions, queue } }: { of: OverviewAnswer }) {
  const { service, room } = conditions
  const told = [...(queue === null ? ['The queue does not answer.'] : []), ...[service, room].flatMap(({ is }) => conditionWords[is] ?? [])]
  return (
    <>
      {told.map((each) => (
        <p key={each} class={service.is === 'limited' && told.length === 1 ? 'notice' : 'problem'}>
          {each}
        </p>
      ))}
    </>
  )
}

interface ChartProps extends Pick<BarChartProps, 'id' | 'title' | 'since'> {
  of: 'deliveries' | 'decisions'
  parts: readonly FlowPart[]
}

function Chart({ of, parts, ...named }: ChartProps) {
  const sum = parts.reduce((all, each) => all + each[of], 0)
  return <BarChart {...named} sum={`${sum} in all`} bars={parts.map((each) => ({ label: each.at.slice(11, 16), value: each[of] }))} />
}

function tilesOf({ conditions, hour, day }: OverviewAnswer, lanes: readonly Lane[], now: string): Tile[] {
  const sum = (parts: readonly FlowPart[], of: 'deliveries' | 'decisions' | 'failed') => parts.reduce((all, each) => all + each[of], 0)
  const all = (of: 'waiting' | 'failed') => lanes.reduce((total, each) => total + each[of], 0)
  const oldest = Math.max(0, ...lanes.map(({ oldestMs = 0 }) => oldestMs))
  const [failedCalls, failedJobs] = [sum(day.parts, 'failed'), all('failed')]
  return [
    {
      name: 'Deliveries, last hour',
      number: String(sum(hour.parts, 'deliveries')),
      words: <a href={linkTo('/deliveries')}>All deliveries</a>,
    },
    { name: 'Decisions, last hour', number: String(sum(hour.parts, 'decisions')), words: <a href={linkTo('/decisions')}>All decisions</a> },
    { name: 'From delivery to decision', ...waitTile(hour.waits.count > 0 ? hour.waits : day.waits) },
    {
      name: 'Jobs that wait',
      number: String(all('waiting')),
      words: oldest === 0 ? 'nothing waits' : `the oldest for ${sayMs(oldest)}`,
      bad: oldest > 600_000,
    },
    {
      name: 'Failed jobs',
      number: String(failedJobs),
      words: failedJobs === 0 ? 'none' : <a href={linkTo('/queue')}>Look at them</a>,
      bad: failedJobs > 0,
    },
    {
      name: 'Calls that failed, last day',
      number: String(failedCalls),
      words: failedCalls === 0 ? 'none' : <a href={linkTo('/decisions', { outcome: 'failed' })}>Refused, or of unknown effect</a>,
      bad: failedCalls > 0,
    },
    ...(conditions.rateLimit?.remaining === undefined ? [] : [rateTile(conditions.rateLimit, now)]),
  ]
}

/** Counted in steps: `within` is what is sure. */
function waitTile({ count, half, most }: Waits): Pick<Tile, 'number' | 'words'> {
  if (count === 0) return { number: '–', words: 'no decision followed a delivery' }
  return { number: within(half), words: `half of them; 19 of 20: ${within(most)}` }
}

const within = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? 'more than 30 min' : ms < 60_000 ? `≤ ${sayMs(ms)}` : `≤ ${ms / 60_000} min`

function rateTile({ remaining = 0, resetAt }: { remaining?: number | undefined; resetAt?: number | undefined }, now: string): Tile {
  const left = resetAt === undefined ? undefined : resetAt - Date.parse(now)
  const words = left === undefined || left <= 0 ? 'as the service last said' : `begins anew ${ago(left)}`
  return { name: 'Requests left', number: String(remaining), words, bad: remaining === 0 && (left ?? 0) > 0 }
}

function lanesOf({ queue }: OverviewAnswer): Lane[] {
  const lanes = new Map<string, Lane>()
  for (const { lane, state, count, ageMs } of queue ?? []) {
    const row = lanes.get(lane) ?? { lane, waiting: 0, active: 0, delayed: 0, failed: 0 }
    lanes.set(lane, { ...row, [state]: count, ...(state === 'waiting' && ageMs !== undefined ? { oldestMs: ageMs } : {}) })
  }
  return [...lanes.values()]
}
