// Makes the bare repository of a new project (api-v4.md §4.3).
import { mkdir } from 'node:fs/promises'
import { repositoryFolder, type World } from '../world.ts'

/** An empty bare repository whose HEAD names the given branch. */
export async function createRepository(world: World, projectId: number, branch: string): Promise<void> {
  const folder = repositoryFolder(world, projectId)
  await mkdir(folder, { recursive: true })
  // The branch is named, so that the machine's configuration has no say in it; no template, so none of its hooks either.
  await world.git.text(folder, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`])
}
