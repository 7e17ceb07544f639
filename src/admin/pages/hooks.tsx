// Hooks: the last delivery of each project, and its hook as the hosting service reports it.
import type { ProjectHook } from '../api/routes/hooks.ts'
import { listPage } from './definition/list-page.tsx'
import { column, plain } from './lists/list.tsx'
import { HookBadge } from './parts/badge.tsx'
import { noProjects, ProjectLink } from './parts/links.tsx'
import { LastDelivery, Time } from './parts/time.tsx'

export const hooksPage = listPage<ProjectHook>({
  title: 'Hooks',
  path: '/hooks',
  operation: 'list_hooks',
  of: 'Hooks by project',
  columns: [
    plain('Project', (each) => <ProjectLink of={each} />),
    plain('Hook', ({ hook }) => (hook === null ? 'not checked' : <HookBadge of={hook} />)),
    plain('Details', ({ hook }) => hook?.details.join('; '), 'wide'),
    column('Last delivery', LastDelivery),
    column('Deliveries', ({ deliveries }) => deliveries, 'spare'),
    column('Not processed', ({ unread }) => unread),
    column('Checked', ({ hook }) => hook && <Time at={hook.checkedAt} />, 'spare'),
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
