// Hooks: when each project sent something last, and what the hosting service says of its hook.
import type { Page as ListPage } from '../../journal/types.ts'
import type { ProjectHook } from '../routes/hooks.ts'
import type { Page } from './page.ts'
import { HookBadge } from './parts/badge.tsx'
import { type Column, List } from './parts/list.tsx'
import { Pager } from './parts/pager.tsx'
import { ProjectLink } from './parts/project-link.tsx'
import { Time } from './parts/time.tsx'

const path = '/hooks'

const columns: Column<ProjectHook>[] = [
  { head: 'Project', cell: (each) => <ProjectLink of={each} /> },
  { head: 'Hook', cell: ({ hook }) => (hook === null ? 'not asked' : <HookBadge of={hook} />) },
  { head: 'What the service says', wide: true, cell: ({ hook }) => hook?.details.join('; ') },
  { head: 'Last delivery', cell: ({ lastDelivery }) => (lastDelivery === undefined ? 'none' : <Time at={lastDelivery} />) },
  { head: 'Deliveries', cell: ({ deliveries }) => deliveries },
  { head: 'Not read', cell: ({ unread }) => unread },
  { head: 'Asked', cell: ({ hook }) => hook && <Time at={hook.askedAt} /> },
]

export const hooksPage: Page = {
  path,
  nav: 'Hooks',
  async show({ query, ask }) {
    const { items, next } = await ask<ListPage<ProjectHook>>('list_hooks', { input: query })
    const none = 'No project has sent anything yet. Register a hook: bellhop hooks install hotel/app'
    return {
      title: 'Hooks',
      body: (
        <>
          <h1>Hooks</h1>
          <p class="dim">
            Projects that have sent something. <code>bellhop hooks install</code> makes and mends hooks;{' '}
            <code>bellhop hooks status GROUP</code> looks at those that never sent anything as well.
          </p>
          {items.some(({ hook }) => hook === null) && (
            <p class="notice">
              Set BELLHOP_URL to the address by which the hosting service reaches Bellhop: then it is asked here how the hooks are.
            </p>
          )}
          <List of="Hooks by project" items={items} columns={columns} none={none} />
          <Pager path={path} query={query} next={next} shown={items.length} />
        </>
      ),
    }
  },
}
