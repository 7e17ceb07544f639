// Repository statistics of projects and groups.
import type * as z from 'zod'
import type { project } from '../../api/schemas/project.ts'
import { announcedHead } from '../git/refs.ts'
import { repositorySize } from '../git/repository.ts'
import type { Group, Project } from '../records/records.ts'
import type { World } from '../storage/world.ts'

type Statistics = NonNullable<z.output<typeof project>['statistics']>

/** Commits of the default branch, and bytes. */
export async function projectStatistics(world: World, project: Project): Promise<Statistics> {
  const [commit_count, repository_size] = await Promise.all([
    commitCount(world, project),
    repositorySize(world, project.id),
  ])
  return { commit_count, ...sizeStatistics(repository_size) }
}

async function commitCount(world: World, project: Project) {
  const head = announcedHead(world, project.id, project.default_branch)
  if (head === undefined) return 0
  return Number(await world.git.text(project.id, ['rev-list', '--count', head]))
}

/** Bytes of the projects directly in the group, as in GitLab. */
export async function groupStatistics(world: World, group: Group): Promise<Omit<Statistics, 'commit_count'>> {
  const projects = world.projects.where('namespace', group.id)
  const sizes = await Promise.all(projects.map((project) => repositorySize(world, project.id)))
  return sizeStatistics(sizes.reduce((sum, size) => sum + size, 0))
}

function sizeStatistics(repository_size: number) {
  return { storage_size: repository_size, repository_size, lfs_objects_size: 0, job_artifacts_size: 0 }
}
