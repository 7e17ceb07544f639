// Hooks: the last delivery of each project, and its hook as the hosting service reports it.
import type { JournalPage as ListPage } from '../../journal/types.ts'
import type { ProjectHook } from '../api/routes/hooks.ts'
import type { DashboardPage } from './definition/page.ts'
import type { Column } from './lists/list.tsx'
import { PagedList } from './lists/paged-list.tsx'
import { HookBadge } from './parts/badge.tsx'
import { ProjectLink } from './parts/links.tsx'
import { noProjects } from './parts/texts.ts'
import { LastDelivery, Time } from './parts/time.tsx'

const path = '/hooks'

const columns: Column<ProjectHook>[] = [
  { head: 'Project', plain: true, cell: (each) => <ProjectLink of={each} /> },
  { head: 'Hook', plain: true, cell: ({ hook }) => (hook === null ? 'not checked' : <HookBadge of={hook} />) },
  { head: 'Details', plain: true, wide: true, cell: ({ hook }) => hook?.details.join('; ') },
  { head: 'Last delivery', cell: LastDelivery },
  { head: 'Deliveries', spare: true, cell: ({ deliveries }) => deliveries },
  { head: 'Not processed', cell: ({ unread }) => unread },
  { head: 'Checked', spare: true, cell: ({ hook }) => hook && <Time at={hook.checkedAt} /> },
]

export const hooksPage: DashboardPage = {
  path,
  nav: 'Hooks',
  async show({ query, api }) {
    const page = await api<ListPage<ProjectHook>>('list_hooks', query)
    return {
      title: 'Hooks',
      body: (
        <PagedList title="Hooks" of="Hooks by project" {...{ path, query, page, columns }} none={noProjects}>
          <p class="dim">
            Projects that have sent deliveries. <code>bellhop hooks install</code> creates and repairs hooks;{' '}
            <code>bellhop hooks status GROUP</code> also checks projects that never sent one.
          </p>
          {page.items.some(({ hook }) => hook === null) && (
            <p class="notice">
              To check hooks here, set BELLHOP_URL to the address at which the hosting service reaches Bellhop.
            </p>
          )}
        </PagedList>
      ),
    }
  },
}
