// A project's bare repository: its creation, housekeeping and size.
import { mkdir } from 'node:fs/promises'
import { refuse } from '../http/error-response.ts'
import { repositoryFolder, type World } from '../storage/world.ts'

/** An empty bare repository whose HEAD names the given branch. */
export async function createRepository(world: World, projectId: number, branch: string): Promise<void> {
  await mkdir(repositoryFolder(world, projectId), { recursive: true })
  // Explicit branch and no template: the machine's configuration and hooks stay out.
  await world.git.text(projectId, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`])
}

/** Unreferenced objects stay for git's two weeks, so that a push under way does not lose what it sent. */
export async function collectGarbage(world: World, projectId: number): Promise<void> {
  const result = await world.git.run(projectId, ['gc', '--quiet'])
  if (result.code === 0) return
  if (result.stderr.includes('gc is already running'))
    throw refuse(409, 'Housekeeping is already under way for this project')
  throw new Error(`git gc failed (${result.code}): ${result.stderr.trim()}`)
}

/** Bytes of its objects; 0 when it is gone. */
export async function repositorySize(world: World, projectId: number): Promise<number> {
  const { stdout } = await world.git.run(projectId, ['count-objects', '-v'])
  const kilobytes = [...stdout.toString().matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, size]) => Number(size))
  return 1024 * kilobytes.reduce((sum, size) => sum + size, 0)
}
