// The projects whose rules are known: problems of their files, rules that never matched, and their hooks.
import type { ProjectRulesSummary } from '../api/routes/rules.ts'
import { listPage } from './definition/list-page.tsx'
import { column, plain } from './lists/list.tsx'
import { Badge, HookBadge } from './parts/badge.tsx'
import { linkTo, pathTo } from './parts/links.tsx'
import { Time } from './parts/time.tsx'

const path = '/rules'

export const rulesPage = listPage<ProjectRulesSummary>({
  title: 'Projects',
  path,
  operation: 'list_rules',
  of: 'Projects and their rules',
  columns: [
    plain('Project', ({ project, path: name }) => <a href={linkTo(path + pathTo(project))}>{name}</a>),
    plain('Files', ({ problems }) =>
      problems.length > 0 ? <Badge tone="bad">broken</Badge> : <Badge tone="good">in force</Badge>,
    ),
    plain('Problem', ({ problems }) => problems[0], 'wide'),
    column('Rules', ({ rules }) => rules),
    column('Never matched', ({ neverMatched }) => neverMatched),
    column('Hook', ({ hook }) => hook && <HookBadge of={hook} />),
    column('Read', ({ readAt }) => <Time at={readAt} />),
  ],
  none: 'No rules were read yet. They are read with the first delivery of a project.',
  above: () => (
    <p>
      <a href={linkTo('/rules/try')}>Rule editor</a>
    </p>
  ),
})
