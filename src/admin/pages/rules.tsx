// The projects whose rules are known: problems of their files, and rules that never matched.
import type { JournalPage as ListPage } from '../../journal/types.ts'
import type { ProjectRulesSummary } from '../api/routes/rules.ts'
import type { DashboardPage } from './definition/page.ts'
import { type Column, List } from './lists/list.tsx'
import { Pager } from './lists/pager.tsx'
import { Badge } from './parts/badge.tsx'
import { linkTo, pathTo } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

const path = '/rules'

const columns: Column<ProjectRulesSummary>[] = [
  { head: 'Project', cell: ({ project, path: name }) => <a href={linkTo(path + pathTo(project))}>{name}</a> },
  {
    head: 'Files',
    cell: ({ problems }) =>
      problems.length > 0 ? <Badge tone="bad">broken</Badge> : <Badge tone="good">in force</Badge>,
  },
  { head: 'Problem', wide: true, cell: ({ problems }) => problems[0] },
  { head: 'Rules', cell: ({ rules }) => rules },
  { head: 'Never matched', cell: ({ neverMatched }) => neverMatched },
  { head: 'Read', cell: ({ readAt }) => <Time at={readAt} /> },
]

export const rulesPage: DashboardPage = {
  path,
  nav: 'Rules',
  async show({ query, api }) {
    const { items, next } = await api<ListPage<ProjectRulesSummary>>('list_rules', { input: query })
    const none = 'No rules were read yet. They are read with the first delivery of a project.'
    return {
      title: 'Rules',
      body: (
        <>
          <h1>Rules</h1>
          <List of="Projects and their rules" items={items} columns={columns} none={none} />
          <Pager path={path} query={query} next={next} shown={items.length} />
        </>
      ),
    }
  },
}
