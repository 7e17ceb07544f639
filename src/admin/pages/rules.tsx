// The projects whose rules are known: which files are broken, and how many rules never held.
import type { Page as ListPage } from '../../journal/types.ts'
import type { ProjectRules } from '../routes/rules.ts'
import type { Page } from './page.ts'
import { Badge } from './parts/badge.tsx'
import { linkTo, pathTo } from './parts/links.ts'
import { type Column, List } from './parts/list.tsx'
import { Pager } from './parts/pager.tsx'
import { Time } from './parts/time.tsx'

const path = '/rules'

const columns: Column<ProjectRules>[] = [
  { head: 'Project', cell: ({ project, path: name }) => <a href={linkTo(path + pathTo(project))}>{name}</a> },
  { head: 'Files', cell: ({ problems }) => (problems.length > 0 ? <Badge tone="bad">broken</Badge> : <Badge tone="good">in force</Badge>) },
  { head: 'Problem', wide: true, cell: ({ problems }) => problems[0] },
  { head: 'Rules', cell: ({ rules }) => rules },
  { head: 'Never held', cell: ({ neverHeld }) => neverHeld },
  { head: 'Read', cell: ({ readAt }) => <Time at={readAt} /> },
]

export const rulesPage: Page = {
  path,
  nav: 'Rules',
  async show({ query, ask }) {
    const { items, next } = await ask<ListPage<ProjectRules>>('list_rules', { input: query })
    const none = 'No rules were read yet: they are with the first delivery of a project.'
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
