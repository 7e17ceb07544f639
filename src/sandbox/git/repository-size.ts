// How many bytes a project's bare repository takes on disk (api-v4.md §2.1, §2.2 statistics).
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryFolder, type World } from '../world.ts'

/** The sizes of all its files; 0 for a repository that is gone. */
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

/** git removes locks, packs and folders at any time: what is gone has no size. */
async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
