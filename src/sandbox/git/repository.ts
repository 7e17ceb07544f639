// A project's bare repository: its creation, housekeeping and size.
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
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

/** Bytes; 0 when it is gone. */
export function repositorySize(world: World, projectId: number): Promise<number> {
  return sizeOfFolder(repositoryFolder(world, projectId))
}

async function sizeOfFolder(folder: string): Promise<number> {
  const entries = (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? []
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sizeOfFolder(path)
    return entry.isFile() ? ((await unlessGone(stat(path)))?.size ?? 0) : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** git removes locks, packs and folders at any time. */
async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
