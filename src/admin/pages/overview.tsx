// Overview: what needs attention, the outcomes of the week, what waits for people, merge queues, and key numbers of jobs.
import type { DecisionRecord, JournalPage } from '../../journal/types.ts'
import type { MergeQueuesResponse } from '../api/merge-queue-responses.ts'
import type { FlowBucket, OverviewResponse } from '../api/routes/overview.ts'
import type { DashboardPage } from './definition/page.ts'
import { Attention } from './lists/attention.tsx'
import { BarChart } from './lists/bar-chart.tsx'
import { decisionsRead, Part } from './lists/list.tsx'
import { MergeQueues } from './lists/merge-queues.tsx'
import { WaitingForPeople } from './lists/waiting.tsx'
import { DetailsList } from './parts/details-list.tsx'
import { linkTo } from './parts/links.tsx'
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
