// How much a group's own projects hold (api-v4.md §2.1 statistics).
import type { z } from 'zod'
import type { group as groupSchema } from '../../api/schemas/group.ts'
import { repositorySize } from '../git/repository-size.ts'
import type { Group } from '../records.ts'
import type { World } from '../world.ts'

/** Bytes on disk of the projects directly in the group, as real installations count them; there are neither LFS objects nor artifacts here. */
export async function groupStatistics(world: World, group: Group): Promise<NonNullable<z.output<typeof groupSchema>['statistics']>> {
  const sizes = await Promise.all(world.projects.where('namespace', group.id).map((project) => repositorySize(world, project.id)))
  const repository_size = sizes.reduce((sum, size) => sum + size, 0)
  return { storage_size: repository_size, repository_size, lfs_objects_size: 0, job_artifacts_size: 0 }
}
