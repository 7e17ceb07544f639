// The projects whose rules are known: problems of their files, and rules that never matched.
import type { ProjectRulesSummary } from '../api/routes/rules.ts'
import { listPage } from './definition/list-page.tsx'
import { Badge } from './parts/badge.tsx'
import { linkTo, pathTo } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

const path = '/rules'

export const rulesPage = listPage<ProjectRulesSummary>({
  title: 'Rules',
  path,
  operation: 'list_rules',
  of: 'Projects and their rules',
  columns: [
    {
      head: 'Project',
      plain: true,
      cell: ({ project, path: name }) => <a href={linkTo(path + pathTo(project))}>{name}</a>,
    },
    {
      head: 'Files',
      plain: true,
      cell: ({ problems }) =>
        problems.length > 0 ? <Badge tone="bad">broken</Badge> : <Badge tone="good">in force</Badge>,
    },
    { head: 'Problem', plain: true, wide: true, cell: ({ problems }) => problems[0] },
    { head: 'Rules', cell: ({ rules }) => rules },
    { head: 'Never matched', cell: ({ neverMatched }) => neverMatched },
    { head: 'Read', cell: ({ readAt }) => <Time at={readAt} /> },
  ],
  none: 'No rules were read yet. They are read with the first delivery of a project.',
  above: () => (
    <p>
      <a href={linkTo('/rules/try')}>Rule editor</a>
    </p>
  ),
})
