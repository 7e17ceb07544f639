// Release payloads (hosting-service.md §2.5).
import { pick } from '../records/fields.ts'
import type { Release } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { hookCommitOf, hookProject, hookTime } from './parts.ts'

export async function sendRelease(
  world: World,
  release: Release,
  action: 'create' | 'update' | 'delete',
): Promise<void> {
  const project = projectById(world, release.project_id)
  world.send({
    projectId: project.id,
    flag: 'releases_events',
    name: 'Release Hook',
    payload: {
      object_kind: 'release',
      ...pick(release, 'id', 'name', 'description'),
      tag: release.tag_name,
      created_at: hookTime(release.created_at),
      released_at: hookTime(release.created_at),
      project: hookProject(world, project),
      url: `${world.url}/${project.path_with_namespace}/-/releases/${encodeURIComponent(release.tag_name)}`,
      action,
      assets: { count: 0, links: [], sources: [] },
      commit: await hookCommitOf(world, project, release.sha),
    },
  })
}
