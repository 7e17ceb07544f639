// Hooks: the last delivery of each project, and its hook as the hosting service reports it.
import type { ProjectHook } from '../api/routes/hooks.ts'
import { listPage } from './definition/list-page.tsx'
import { HookBadge } from './parts/badge.tsx'
import { noProjects, ProjectLink } from './parts/links.tsx'
import { LastDelivery, Time } from './parts/time.tsx'

export const hooksPage = listPage<ProjectHook>({
  title: 'Hooks',
  path: '/hooks',
  operation: 'list_hooks',
  of: 'Hooks by project',
  columns: [
    { head: 'Project', plain: true, cell: (each) => <ProjectLink of={each} /> },
    { head: 'Hook', plain: true, cell: ({ hook }) => (hook === null ? 'not checked' : <HookBadge of={hook} />) },
    { head: 'Details', plain: true, wide: true, cell: ({ hook }) => hook?.details.join('; ') },
    { head: 'Last delivery', cell: LastDelivery },
    { head: 'Deliveries', spare: true, cell: ({ deliveries }) => deliveries },
    { head: 'Not processed', cell: ({ unread }) => unread },
    { head: 'Checked', spare: true, cell: ({ hook }) => hook && <Time at={hook.checkedAt} /> },
  ],
  none: noProjects,
  above: (items) => (
    <>
      <p class="dim">
        Projects that have sent deliveries. <code>bellhop hooks install</code> creates and repairs hooks;{' '}
        <code>bellhop hooks status GROUP</code> also checks projects that never sent one.
      </p>
      {items.some(({ hook }) => hook === null) && (
        <p class="notice">
          To check hooks here, set BELLHOP_URL to the address at which the hosting service reaches Bellhop.
        </p>
      )}
    </>
  ),
})
