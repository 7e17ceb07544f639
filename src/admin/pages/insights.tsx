// Insights: how long merge requests took and for what they waited, and who merged past the rules; each also as CSV.
import { type FigureName, figureDocs } from '../../rules/explain/time-figures.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { waitingCauseNames, waitingCauses } from '../../rules/language/values/rule-types.ts'
import type { Figure, Figures, WeekFigures } from '../api/insights.ts'
import { type InsightsResponse, mostWeeks } from '../api/routes/insights.ts'
import type { PastMerge, PastMerges } from '../api/routes/past-rules.ts'
import type { DashboardPage } from './definition/page.ts'
import { FilterForm } from './forms/action-form.tsx'
import { type Column, column, List, Part, plain } from './lists/list.tsx'
import { DetailsList, type Tile, Tiles } from './parts/details-list.tsx'
import { linkTo, MergeRequestLink, ShownOf } from './parts/links.tsx'
import { formatSpan } from './parts/time.tsx'

const path = '/insights'
const filePath = '/insights.csv'
const pastMergesPath = '/past-merges.csv'

const fields = [
  { name: 'project', label: 'Project', type: 'text', example: 'group/app' },
  { name: 'weeks', label: `Weeks, up to ${mostWeeks}`, type: 'number' },
] as const

const titles: Record<keyof typeof figureDocs, string> = {
  first_review: 'First review',
  approval: 'First approval',
  merge: 'Merge',
}
const timeNames = Object.keys(titles) as (keyof typeof titles)[]
const upper = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function Times({ of }: { of: Figure | undefined }) {
  if (of === undefined) return <span class="dim">none</span>
  const rest = of.p90Ms === undefined ? `of ${of.count}` : `90 %: ${formatSpan(of.p90Ms)}, of ${of.count}`
  return (
    <>
      {formatSpan(of.medianMs)} <span class="dim">{rest}</span>
    </>
  )
}

function Waited({ of }: { of: Figure | undefined }) {
  if (of === undefined) return <span class="dim">none</span>
  return (
    <>
      {formatSpan(of.totalMs)} <span class="dim">{`of ${of.count}, median ${formatSpan(of.medianMs)}`}</span>
    </>
  )
}

const timeColumns: Column<Figures>[] = [
  ...timeNames.map((name) => column(titles[name], ({ figures }: Figures) => <Times of={figures[name]} />)),
  column('Left out', ({ leftOut }) => leftOut, 'spare'),
]
const waitingColumns: Column<Figures>[] = waitingCauseNames.map((cause) =>
  column(upper(cause), ({ figures }) => <Waited of={figures[`waiting_${cause}` satisfies FigureName]} />),
)
const weekColumn: Column<WeekFigures> = plain('Week', ({ week }) => week)

export const insightsPage: DashboardPage = {
  path,
  nav: 'Insights',
  async show({ query, api }) {
    const { weeks, projects, projectCount, complete } = await api<InsightsResponse>('show_insights', query)
    const past = await api<PastMerges>('list_past_merges', query)
    const [present] = weeks
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
          {present !== undefined && <Tiles tiles={tilesOf(present)} />}
          <Part title="Times by week">
            <List of="Times by week" items={weeks} columns={[weekColumn, ...timeColumns]} none={none} />
          </Part>
          <Part title="Waiting by week">
            <p class="dim">
              Of the merge requests that were merged in that week, from opening to merge. The cause is what blocks the
              first rule that would merge or approve it; no cause counts while something else blocks each such rule as
              well, such as a label or a draft.
            </p>
            <List of="Waiting by week" items={weeks} columns={[weekColumn, ...waitingColumns]} none={none} />
          </Part>
          <Part title="Projects">
            <List of="Times by project" items={projects} columns={projectColumns(query)} none={none} />
            <ShownOf of={projectCount} shown={projects.length} />
          </Part>
          <Part title="Merges past the rules">
            <p class="dim">
              Merges by somebody other than Bellhop that no rule would have made, with the rule that came closest.{' '}
              <a href={linkTo(pastMergesPath, query)}>Save them as CSV</a>
            </p>
            {!past.complete && <p class="notice">Only the newest 1,000 are shown: choose a project.</p>}
            <List of="Merges past the rules" items={past.items} columns={pastColumns} none="None in these weeks." />
          </Part>
          <Part title="What the figures mean">
            <DetailsList of={meanings} />
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

const tilesOf = ({ figures, leftOut }: Figures): Tile[] => [
  ...timeNames.map((name) => ({
    name: `${titles[name]}, median of this week`,
    number: figures[name] === undefined ? 'none' : formatSpan(figures[name].medianMs),
  })),
  { name: 'Left out this week', number: String(leftOut) },
]

const projectColumns = (query: Record<string, string>): Column<InsightsResponse['projects'][number]>[] => [
  plain('Project', (each) => <a href={linkTo(path, { ...query, project: each.project })}>{refName(each)}</a>),
  ...timeColumns,
]

const meanings: Record<string, string> = {
  ...Object.fromEntries(timeNames.map((name) => [titles[name], figureDocs[name]])),
  ...Object.fromEntries(waitingCauseNames.map((cause) => [`Waiting: ${cause}`, waitingCauses[cause]])),
  'Left out': 'Merge requests whose opening Bellhop did not see: there is no time to count from.',
  Numbers: 'Times are medians, waiting the sum. 90 % took at most the time after “90 %”, shown for ten or more.',
}
