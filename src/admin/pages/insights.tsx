// Insights: how long merge requests took and for what they waited, and who merged past the rules; each also as CSV.
import type { ComponentChildren } from 'preact'
import { type FigureName, figureDocs } from '../../rules/explain/time-figures.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { waitingCauseNames, waitingCauses } from '../../rules/language/values/rule-types.ts'
import { count } from '../../rules/language/values/wording.ts'
import type { Figure, Figures, WeekFigures } from '../api/insights.ts'
import { type InsightsResponse, mostWeeks } from '../api/routes/insights.ts'
import type { PastMerge, PastMerges } from '../api/routes/past-rules.ts'
import type { DashboardPage } from './definition/page.ts'
import { FilterForm } from './forms/action-form.tsx'
import { type Bar, BarChart } from './lists/bar-chart.tsx'
import { type Column, column, List, Part, plain } from './lists/list.tsx'
import { linkTo, MergeRequestLink } from './parts/links.tsx'
import { formatSpan } from './parts/time.tsx'

const path = '/insights'
const filePath = '/insights.csv'
const pastMergesPath = '/past-merges.csv'

const fields = [
  { name: 'project', label: 'Project', type: 'text', example: 'group/app' },
  { name: 'weeks', label: `Weeks, up to ${mostWeeks}`, type: 'number' },
] as const

const shownAs: Record<FigureName, { title: string; note: string }> = {
  first_review: { title: 'First review', note: figureDocs.first_review },
  approval: { title: 'First approval', note: figureDocs.approval },
  merge: { title: 'Merge', note: figureDocs.merge },
  waiting_review: { title: 'Review', note: waitingCauses.review },
  waiting_pipeline: { title: 'Pipeline', note: waitingCauses.pipeline },
  waiting_conflict: { title: 'Conflict', note: waitingCauses.conflict },
  waiting_queue: { title: 'Merge queue', note: waitingCauses.queue },
  waiting_freeze: { title: 'Freeze', note: waitingCauses.freeze },
}
const times = Object.keys(figureDocs) as (keyof typeof figureDocs)[]
const waits = waitingCauseNames.map((cause) => `waiting_${cause}` as const)

interface ChartsProps {
  title: string
  of: readonly FigureName[]
  by: 'median' | 'sum'
  weeks: readonly WeekFigures[]
  children?: ComponentChildren
}

/** A chart of each figure that has a value. */
function Charts({ title, of, by, weeks, children }: ChartsProps) {
  const barOf = (label: string, figure: Figure | undefined): Bar => {
    if (figure === undefined) return { label, value: 0 }
    const { medianMs, totalMs, p90Ms, count } = figure
    const [value, other] = by === 'median' ? [medianMs, p90Ms] : [totalMs, medianMs]
    return { label, value, cells: [formatSpan(value), other === undefined ? '' : formatSpan(other), String(count)] }
  }
  const heads = ['Week', ...(by === 'median' ? ['Median', '90 %'] : ['Sum', 'Median']), 'Of']
  const charts = of.flatMap((name) => {
    const bars = weeks.toReversed().map(({ week, figures }) => barOf(week, figures[name]))
    const last = bars.findLast(({ cells }) => cells !== undefined)
    return last === undefined ? [] : { ...shownAs[name], sum: `${last.cells?.[0]} in ${last.label}`, heads, bars }
  })
  if (charts.length === 0) return null
  return (
    <Part title={title}>
      {children}
      <div class="columns">
        {charts.map((chart) => (
          <BarChart key={chart.title} {...chart} />
        ))}
      </div>
    </Part>
  )
}

export const insightsPage: DashboardPage = {
  path,
  nav: 'Insights',
  async show({ query, api }) {
    const { weeks, projects, projectCount, complete } = await api<InsightsResponse>('show_insights', query)
    const past = await api<PastMerges>('list_past_merges', query)
    const leftOut = weeks.reduce((sum, each) => sum + each.leftOut, 0)
    return {
      title: 'Insights',
      body: (
        <>
          <p class="dim">
            How long merge requests took, and for what they waited. Each counts in the week (UTC, from Monday) in which
            it ended. The figures come from deliveries and decisions that Bellhop stored, without calls.
          </p>
          <FilterForm path={path} fields={fields} query={query} />
          <p>
            <a href={linkTo(filePath, query)}>Save as CSV</a>
          </p>
          {!complete && <p class="notice">Only the newest 5,000 merge requests count: choose a project.</p>}
          {leftOut > 0 && (
            <p class="dim">
              {count(leftOut, 'merge request')} left out: Bellhop did not see the opening, so that there is no time to
              count from.
            </p>
          )}
          {weeks.every(({ figures }) => Object.keys(figures).length === 0) ? (
            <p class="none">{none}</p>
          ) : (
            <>
              <Charts title="Times, median by week" of={times} by="median" weeks={weeks} />
              <Charts title="Waiting, sum by week" of={waits} by="sum" weeks={weeks}>
                <p class="dim">
                  Of the merge requests that were merged in that week, from opening to merge. The cause is what blocks
                  the first rule that would merge or approve it; no cause counts while something else blocks each such
                  rule as well, such as a label or a draft.
                </p>
              </Charts>
              <Part title="Projects">
                <List of="Times by project" items={projects} columns={projectColumns(query)} none={none} />
                {projectCount > projects.length && (
                  <p class="dim">{`${projects.length} of ${projectCount} projects.`}</p>
                )}
              </Part>
            </>
          )}
          <Part title="Merges past the rules">
            <p class="dim">
              Merges by somebody other than Bellhop that no rule would have made, with the rule that came closest.{' '}
              <a href={linkTo(pastMergesPath, query)}>Save them as CSV</a>
            </p>
            {!past.complete && <p class="notice">Only the newest 1,000 are shown: choose a project.</p>}
            <List of="Merges past the rules" items={past.items} columns={pastColumns} none="None in these weeks." />
          </Part>
        </>
      ),
    }
  },
}

/** A page cannot send the token that the admin API needs. */
const filePage = (at: string, name: string, operation: string): DashboardPage => ({
  path: at,
  file: { name, type: 'text/csv' },
  show: async ({ query, api }) => ({ title: 'Insights', body: await api<string>(operation, query) }),
})

export const insightsFilePage = filePage(filePath, 'insights.csv', 'export_insights')
export const pastMergesFilePage = filePage(pastMergesPath, 'past-merges.csv', 'export_past_merges')

const pastColumns: Column<PastMerge>[] = [
  plain('Week', ({ week }) => week),
  plain('Merge request', (merge) => <MergeRequestLink of={merge} />),
  column('Merged by', ({ by }) => by || <span class="dim">not known</span>),
  column('Nearest rule', ({ rule }) => rule),
  column(
    'Conditions',
    ({ failed, unknown }) =>
      [...failed, ...unknown.map((each) => `could not be known: ${each}`)].map((each) => <div key={each}>{each}</div>),
    'wide',
  ),
]

const none = 'Nothing ended yet. Figures begin with merge requests that are opened while Bellhop gets their deliveries.'

const projectColumns = (query: Record<string, string>): Column<InsightsResponse['projects'][number]>[] => [
  plain('Project', (each) => <a href={linkTo(path, { ...query, project: each.project })}>{refName(each)}</a>),
  ...times.map((name) =>
    column(shownAs[name].title, ({ figures: { [name]: figure } }: Figures) =>
      figure === undefined ? undefined : (
        <>
          {formatSpan(figure.medianMs)} <span class="dim">of {figure.count}</span>
        </>
      ),
    ),
  ),
  column('Left out', ({ leftOut }) => leftOut, 'spare'),
]
