// What a project's repository holds, counted by git and measured on disk (api-v4.md §2.2 statistics).
import { branchHead } from '../git/refs.ts'
import { repositorySize } from '../git/repository-size.ts'
import type { Project } from '../records.ts'
import { repositoryFolder, type World } from '../world.ts'

export interface Statistics {
  commit_count: number
  storage_size: number
  repository_size: number
  lfs_objects_size: number
  job_artifacts_size: number
}

/** Commits of the default branch, and bytes; there are neither LFS objects nor artifacts here. */
export async function projectStatistics(world: World, project: Project): Promise<Statistics> {
  const [commit_count, repository_size] = await Promise.all([commitCount(world, project), repositorySize(world, project.id)])
  return { commit_count, storage_size: repository_size, repository_size, lfs_objects_size: 0, job_artifacts_size: 0 }
}

async function commitCount(world: World, project: Project): Promise<number> {
  const head = await branchHead(world, project.id, project.default_branch)
  if (head === undefined) return 0
  return Number(await world.git.text(repositoryFolder(world, project.id), ['rev-list', '--count', head]))
}
